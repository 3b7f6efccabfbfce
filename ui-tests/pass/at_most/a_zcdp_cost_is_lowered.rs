#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn published() -> Mechanism<Table<Patient>, i64, Rho<3, 8>> {
    noisy::<Rho<3, 8>>().at_most()
}

fn main() {}
