#![forbid(unsafe_code)]
use privet::ledger::Account;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

type Patients<B> = Vault<Table<Patient>, B>;

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(account: &Account) -> privet::Result<()> {
    let vault: Patients<Eps<1, 2>> = Vault::open_on(account, [Patient { age: 71 }])?;
    let (_, vault) = vault.release_as("n", count::<Eps<1, 2>>())?;
    vault.close()
}

fn main() {}
