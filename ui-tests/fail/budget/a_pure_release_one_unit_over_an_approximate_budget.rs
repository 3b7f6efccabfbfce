//! expect: privacy budget exceeded: this release costs
//! expect: Eps<6, 10>`, but only
//! expect: Delta<1, 6>>` is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Approx<Eps<5, 10>, Delta<1, 6>>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<6, 10>>())?;
    Ok(())
}

fn main() {}
