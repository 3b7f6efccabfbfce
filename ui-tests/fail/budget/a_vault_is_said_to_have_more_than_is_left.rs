//! expect: privacy budget exceeded
//! expect: Eps<3, 4>
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

fn report(vault: Patients<Eps<1, 1>>) -> privet::Result<Patients<Eps<3, 4>>> {
    let (_, vault) = vault.release(count::<Eps<1, 4>>())?;
    let (_, vault) = vault.release(count::<Eps<1, 4>>())?;
    Ok(vault.at_least())
}

fn main() {}
