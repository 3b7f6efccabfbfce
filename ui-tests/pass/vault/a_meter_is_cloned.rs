#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, _vault) = vault.metered::<Eps<1, 2>>();
    let _ = meter;
    Ok(())
}

fn main() {}
