#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited]
fn report(
    vault: Vault<Table<Patient>, Eps<1, 1>>,
    _other: &Vault<Table<Patient>, Eps<1, 2>>,
) -> privet::Result<(i64, Vault<Table<Patient>, Eps<1, 2>>)> {
    vault.release(rows::<Patient>().count().laplace::<Eps<1, 2>>())
}

fn main() {}
