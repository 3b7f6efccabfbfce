#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn analyst(vault: Vault<Table<Patient>, Approx<Eps<1, 1>, Delta<5, 6>>>) -> privet::Result<()> {
    let stated = noisy::<Rho<1, 100>>().at_most::<Approx<Eps<1, 1>, Delta<1, 6>>>();
    let (_, _vault) = vault.release(stated)?;
    Ok(())
}

fn main() {}
