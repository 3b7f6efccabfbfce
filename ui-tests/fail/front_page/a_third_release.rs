//! expect: privacy budget exceeded: this release costs
//! expect: is left
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
}

/// A library author's function. What it costs is its type.
fn older_smokers() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.smoker & p.age.gt(40)) // runs once, on symbols: never sees a row
        .count()
        .laplace() // scale 1/(1/4) = 4, exact, from the type
}

fn billed() -> Mechanism<Table<Patient>, f64, Eps<1, 2>> {
    rows::<Patient>().sum(|p| p.bill.clamp::<0, 10_000>()).laplace()
}

fn report() -> Mechanism<Table<Patient>, f64, Eps<3, 4>> {
    older_smokers()
        .then(|&n| if n > 100 { billed() } else { Mechanism::constant(0.0).at_most() }) // adaptive
        .map(|(n, bill)| bill / n.max(1) as f64) // post-processing: free
        .at_most() // 1/4 + 1/2
}

fn main() -> privet::Result<()> {
    let patients = vec![Patient { age: 71, bill: 1_250.0, smoker: true }];
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    let (_ratio, vault) = vault.release(report())?; // vault: Vault<_, Eps<1, 4>>
    let (_n, vault) = vault.release(older_smokers())?; // vault: Vault<_, Eps<0, 4>>
    let (_n, _vault) = vault.release(older_smokers())?; // does not compile
    Ok(())
}
