#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Approx<Eps<1, 1>, Delta<9, 1>>> = Vault::open(Vec::new());
}
