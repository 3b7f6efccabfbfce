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
    let rounds = Mechanism::iterate::<4>(0, |_, _| count::<Eps<1, 8>>());
    let (_, _vault) = vault.release(rounds)?;
    Ok(())
}

fn main() {}
