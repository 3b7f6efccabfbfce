//! expect: privacy budget exceeded
//! expect: Eps<5, 4>
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
    let (_left, _right) = vault.split::<Eps<5, 4>>();
    Ok(())
}

fn main() {}
