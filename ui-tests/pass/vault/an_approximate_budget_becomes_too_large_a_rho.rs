#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Approx<Eps<243, 100>, Delta<1, 6>>>) -> privet::Result<()> {
    let count = rows::<Patient>().count().gaussian::<Rho<1, 800>>();
    let vault = vault.concentrated::<Rho<1, 8>>();
    let (_, _vault) = vault.release(count)?;
    Ok(())
}

fn main() {}
