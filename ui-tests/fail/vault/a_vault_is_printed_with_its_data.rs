//! expect: doesn't implement `std::fmt::Display`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    println!("{}", vault);
    Ok(())
}

fn main() {}
