//! expect: field `contents` of struct
//! expect: is private
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let _ = vault.contents;
    Ok(())
}

fn main() {}
