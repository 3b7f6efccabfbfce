//! expect: does not imply
//! expect: and always when ε ≥ ρ + 2·√(ρ·ln(1/δ))
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn published() -> Mechanism<Table<Patient>, i64, Approx<Eps<63, 100>, Delta<1, 7>>> {
    noisy::<Rho<1, 100>>().at_most()
}

fn main() {}
