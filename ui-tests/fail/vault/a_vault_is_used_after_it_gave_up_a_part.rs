//! expect: use of moved value: `vault`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

type Patients<B> = Vault<Table<Patient>, B>;

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Patients<Eps<1, 1>>) -> privet::Result<()> {
    let less: Patients<Eps<1, 2>> = vault.at_least();
    let (_, _) = less.release(count::<Eps<1, 2>>())?;
    let (_, _) = vault.release(count::<Eps<1, 2>>())?;
    Ok(())
}

fn main() {}
