//! expect: privacy budget exceeded: this release costs
//! expect: Eps<5, 8>`, but only
//! expect: Eps<4, 8>` is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<4, 8>>) -> privet::Result<()> {
    let both = count::<Eps<1, 8>>().then(|_| count::<Eps<4, 8>>());
    let (_, _vault) = vault.release(both)?;
    Ok(())
}

fn main() {}
