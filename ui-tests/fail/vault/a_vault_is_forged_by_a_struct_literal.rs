//! expect: mismatched types
//! expect: expected `9`, found `1`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 4>>) -> privet::Result<()> {
    let forged: Vault<Table<Patient>, Eps<9, 1>> = Vault { budget: std::marker::PhantomData, ..vault };
    drop(forged);
    Ok(())
}

fn main() {}
