#![forbid(unsafe_code)]
use privet::Groups;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient, Groups<4>>, Eps<1, 1>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<1, 4>>().for_groups::<4>())?;
    Ok(())
}

fn main() {}
