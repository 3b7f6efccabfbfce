#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited]
fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace::<Eps<1, 4>>()
}

fn main() {}
