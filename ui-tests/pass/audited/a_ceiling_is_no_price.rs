#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "rho = 1/8")]
fn count() -> Mechanism<Table<Patient>, i64, Rho<1, 8>> {
    rows::<Patient>().count().gaussian()
}

fn main() {}
