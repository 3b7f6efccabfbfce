//! expect: privacy budget exceeded: this release costs
//! expect: Eps<1, 2>`, but only
//! expect: Rho<1, 9>` is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Rho<1, 9>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<1, 2>>())?;
    Ok(())
}

fn main() {}
