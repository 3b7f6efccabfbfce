//! expect: `Patient` does not say whose row it is, so a vault of it cannot protect persons
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Patient {

    patient: u32,
    age: i64,
}

fn main() {
    let patients = vec![Patient {
        patient: 1,
        age: 71,
    }];
    let _vault = Vault::<Table<Patient, PerPerson>, Eps<1, 1>>::open(patients);
}
