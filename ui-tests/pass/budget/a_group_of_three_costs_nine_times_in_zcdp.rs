#![forbid(unsafe_code)]
use privet::Groups;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn analyst(vault: Vault<Table<Patient, Groups<3>>, Rho<9, 100>>) -> privet::Result<()> {
    let (_, _vault) = vault.release(noisy::<Rho<1, 100>>().for_groups::<3>())?;
    Ok(())
}

fn main() {}
