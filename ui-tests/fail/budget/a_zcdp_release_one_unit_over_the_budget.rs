//! expect: privacy budget exceeded: this release costs
//! expect: Rho<2, 16>`, but only
//! expect: Rho<1, 16>` is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn analyst(vault: Vault<Table<Patient>, Rho<1, 8>>) -> privet::Result<()> {
    let (_, vault) = vault.release(noisy::<Rho<1, 16>>())?;
    let (_, _vault) = vault.release(noisy::<Rho<2, 16>>())?;
    Ok(())
}

fn main() {}
