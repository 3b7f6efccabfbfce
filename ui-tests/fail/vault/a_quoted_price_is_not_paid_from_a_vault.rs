//! expect: `Quoted` cannot be paid from a budget of
//! expect: is paid from a meter
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let quoted = rows::<Patient>().count().laplace_at("1/2".parse().unwrap())?;
    let (_, _vault) = vault.release(quoted)?;
    Ok(())
}

fn main() {}
