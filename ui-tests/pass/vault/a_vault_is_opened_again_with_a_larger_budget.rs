#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 4>>) {
    let _: Vault<Table<Patient>, Eps<1, 4>> = vault;
}

fn main() {}
