//! expect: privacy budget exceeded
//! expect: Eps<2, 600, 80>
//! expect: Eps<1, 600, 80>
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 600, 80>> = Vault::open(Vec::new());
    let (_, _) = vault.release(rows::<Patient>().count().laplace::<Eps<2, 600, 80>>())?;
    Ok(())
}
