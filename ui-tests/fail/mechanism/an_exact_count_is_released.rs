//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(rows::<Patient>().count())?;
    Ok(())
}

fn main() {}
