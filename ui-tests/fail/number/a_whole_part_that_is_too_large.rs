//! expect: a vault cannot be opened with the budget
//! expect: is WHOLE + NUM/DEN, with DEN up to 1024 and WHOLE up to 1023
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1, 2, 1024>> = Vault::open(Vec::new());
}
