//! expect: mismatched types
//! expect: expected `3`, found `2`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<4, 4>>) -> privet::Result<()> {
    let (_, vault) = vault.release(count::<Eps<2, 4>>())?;
    let _: Vault<_, Eps<3, 4>> = vault;
    Ok(())
}

fn main() {}
