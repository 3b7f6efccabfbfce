//! expect: Mechanism<Table<Visit>, _, _>
//! expect: Mechanism<Table<Patient>, i64
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

#[derive(Record)]
struct Visit {
    days: i64,
}

fn analyst(vault: Vault<Table<Visit>, Eps<1, 1>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<1, 4>>())?;
    Ok(())
}

fn main() {}
