//! expect: a vault cannot be opened with the budget
//! expect: is below 1
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Approx<Eps<1, 1>, Delta<10, 1>>> = Vault::open(Vec::new());
}
