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

#[privet::audited(at_most = "1/2")]
fn spend(vault: Patients<Eps<1, 1>>) -> privet::Result<(i64, Patients<Eps<1, 2>>)> {
    let (n, vault) = vault.release(count::<Eps<1, 4>>())?;
    Ok((n, vault.at_least()))
}

fn main() {}
