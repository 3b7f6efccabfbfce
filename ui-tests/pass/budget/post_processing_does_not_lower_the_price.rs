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
    let halved = count::<Eps<1, 4>>().map(|n| n / 2);
    let (_, _vault) = vault.release(halved)?;
    Ok(())
}

fn main() {}
