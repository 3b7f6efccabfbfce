//! expect: privacy budget exceeded: this release costs
//! expect: Eps<1, 2>`, but only
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

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let (left, _right) = vault.split::<Eps<1, 4>>();
    let (_, _left) = left.release(count::<Eps<1, 2>>())?;
    Ok(())
}

fn main() {}
