//! expect: cannot be charged to a meter
//! twin-lines: 3
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    meter.release(noisy::<Rho<1, 8>>())?;
    Ok(())
}

fn main() {}
