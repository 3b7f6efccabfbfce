//! expect: mismatched types
//! twin-lines: 2
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::domain::Sampled;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count() -> Mechanism<Table<Patient, Sampled<1, 10>>, i64, Eps<1, 1>> {
    rows::<Table<Patient, Sampled<1, 10>>>().count().laplace()
}

fn main() {
    let _ = rows::<Patient>().sampled::<1, 100>().once(|_| count());
}
