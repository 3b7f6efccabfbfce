//! expect: use of moved value: `vault`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn patients() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let steady = vault.in_constant_time();
    let (_, steady) = steady.release(patients())?;
    let (_, _rest) = vault.release(patients())?;
    Ok(())
}

fn main() {}
