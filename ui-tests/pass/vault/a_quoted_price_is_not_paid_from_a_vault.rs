#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let quoted = rows::<Patient>().count().laplace::<Eps<1, 2>>();
    let (_, _vault) = vault.release(quoted)?;
    Ok(())
}

fn main() {}
