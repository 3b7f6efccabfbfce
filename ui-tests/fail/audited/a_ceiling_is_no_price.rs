//! expect: write a price: `1/2`, `0.5`, `rho = 1/8` or `eps = 1/2, delta = 1e-6`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "a bit")]
fn count() -> Mechanism<Table<Patient>, i64, Rho<1, 8>> {
    rows::<Patient>().count().gaussian()
}

fn main() {}
