//! expect: no method named `join` found
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let (left, right) = vault.split::<Eps<1, 2>>();
    let _ = left.join(right);
    Ok(())
}

fn main() {}
