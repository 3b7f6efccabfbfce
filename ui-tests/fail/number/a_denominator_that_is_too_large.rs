//! expect: a vault cannot be opened with the budget
//! expect: DEN is 1 to 1024 or a power of ten
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1, 1025>> = Vault::open(Vec::new());
}
