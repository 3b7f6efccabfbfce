//! expect: a vault cannot be opened with the budget
#![forbid(unsafe_code)]
use privet::Overspent;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Overspent> = Vault::open(Vec::new());
}
