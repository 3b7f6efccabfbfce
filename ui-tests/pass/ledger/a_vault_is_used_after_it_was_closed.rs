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

fn analyst(vault: Patients<Eps<1, 2>>, other: Patients<Eps<1, 2>>) -> privet::Result<()> {
    vault.close()?;
    let (_, other) = other.release(count::<Eps<1, 2>>())?;
    other.close()
}

fn main() {}
