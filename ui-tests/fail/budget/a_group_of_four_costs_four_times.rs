//! expect: privacy budget exceeded: this release costs
//! expect: Eps<4, 8>`, but only
//! expect: Eps<3, 8>` is left
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

fn analyst(vault: Vault<Table<Patient, Groups<4>>, Eps<3, 8>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(count::<Eps<1, 8>>().for_groups::<4>())?;
    Ok(())
}

fn main() {}
