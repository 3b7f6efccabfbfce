//! expect: a vault cannot be opened with the budget
//! expect: Eps<1, 0>
//! expect: DEN is 1 to 1024
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1, 0>> = Vault::open(Vec::new());
}
