//! expect: PerPerson` cannot be sampled
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    #[privet(person)]
    person: u32,
    age: i64,
}

fn main() {
    let _ = rows::<Table<Patient, privet::domain::PerPerson>>().sampled::<1, 100>();
}
