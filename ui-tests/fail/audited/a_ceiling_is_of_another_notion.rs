//! expect: `privet::Rho<1, 8>` does not pass as
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "1/2")]
fn count() -> Mechanism<Table<Patient>, i64, Rho<1, 8>> {
    rows::<Patient>().count().gaussian()
}

fn main() {}
