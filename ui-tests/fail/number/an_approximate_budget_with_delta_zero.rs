//! expect: a vault cannot be opened with the budget
//! expect: δ above 0
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Approx<Eps<1, 1>, Delta<0, 6>>> = Vault::open(Vec::new());
}
