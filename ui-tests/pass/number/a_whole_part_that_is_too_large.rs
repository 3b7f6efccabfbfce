#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Vault<Table<Patient>, Eps<1, 2, 1023>> = Vault::open(Vec::new());
}
