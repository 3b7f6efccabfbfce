//! expect: field `data` of struct
//! expect: is private
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let _ = vault.data;
    Ok(())
}

fn main() {}
