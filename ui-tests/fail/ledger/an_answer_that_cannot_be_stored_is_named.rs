//! expect: an answer of type `Secret` cannot be stored under a name
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

struct Secret(i64);

fn analyst(vault: Patients<Eps<1, 2>>) -> privet::Result<()> {
    let (secret, vault) = vault.release_as("n", count::<Eps<1, 2>>().map(Secret))?;
    let Secret(_) = secret;
    vault.close()
}

fn main() {}
