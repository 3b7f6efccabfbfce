//! expect: does not pass as
//! expect: Rho<1, 8>
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn published() -> Mechanism<Table<Patient>, i64, Eps<9, 1>> {
    noisy::<Rho<1, 8>>().at_most()
}

fn main() {}
