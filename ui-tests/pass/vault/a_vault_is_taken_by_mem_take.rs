#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: &mut Option<Vault<Table<Patient>, Eps<1, 1>>>) {
    let _ = std::mem::take(vault);
}

fn main() {}
