//! expect: use of moved value: `vault`
//! twin-lines: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Approx<Eps<243, 100>, Delta<1, 6>>>) -> privet::Result<()> {
    let count = rows::<Patient>().count().gaussian::<Rho<1, 800>>();
    let rho = vault.concentrated::<Rho<1, 8>>();
    let (_, _rho) = rho.release(count)?;
    let _again = vault.concentrated::<Rho<1, 8>>();
    Ok(())
}

fn main() {}
