//! expect: privacy budget exceeded: this release costs
//! expect: Eps<3, 10>`, but only
//! expect: Eps<1, 4>` is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 4>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<3, 10>>())?;
    Ok(())
}

fn main() {}
