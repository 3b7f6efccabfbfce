#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Rho<1, 1>>) -> privet::Result<()> {
    let noisy = rows::<Patient>().count().laplace::<Rho<1, 8>>();
    let (_, _vault) = vault.release(noisy)?;
    Ok(())
}

fn main() {}
