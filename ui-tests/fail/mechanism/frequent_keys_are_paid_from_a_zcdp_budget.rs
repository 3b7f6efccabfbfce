//! expect: cannot be paid from a budget of
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
type Budget = Rho<1, 1>;

fn analyst(vault: Vault<Table<Patient>, Budget>) -> privet::Result<()> {
    let (_, _vault) = vault.release(rows::<Patient>().frequent_keys::<Price, _>(|p| p.city))?;
    Ok(())
}

fn main() {}
