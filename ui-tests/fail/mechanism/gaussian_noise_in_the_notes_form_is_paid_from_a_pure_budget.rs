//! expect: cannot be paid from a budget of
//! expect: Gaussian noise is not ε-private for any ε
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Approx<Eps<1, 2>, Delta<1, 6>>;
type Budget = Eps<1, 2>;

fn analyst(vault: Vault<Table<Patient>, Budget>) -> privet::Result<()> {
    let (_, _vault) = vault.release(rows::<Patient>().count().gaussian_approx::<Price>())?;
    Ok(())
}

fn main() {}
