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
    let (_left, right) = vault.split::<Eps<1, 4>>();
    let (_, _right) = right.release(count::<Eps<3, 4>>())?;
    Ok(())
}

fn main() {}
