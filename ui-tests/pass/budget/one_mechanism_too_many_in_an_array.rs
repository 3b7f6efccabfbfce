#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<2, 8>>) -> privet::Result<()> {
    let one = count::<Eps<1, 8>>;
    let (_, _vault) = vault.release(Mechanism::all([one(), one()]))?;
    Ok(())
}

fn main() {}
