#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Approx<Eps<1, 1>, Delta<1, 6>>> = Vault::open(Vec::new());
}
