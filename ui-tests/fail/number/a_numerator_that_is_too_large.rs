//! expect: a vault cannot be opened with the budget
//! expect: NUM is 0 to 1024
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1025, 1>> = Vault::open(Vec::new());
}
