#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1, 1000, 5>> = Vault::open(Vec::new());
}
