//! expect: name its type, which says the price
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited]
fn count() -> Mechanism<Table<Patient>, i64, impl Epsilon> {
    rows::<Patient>().count().laplace::<Eps<1, 4>>()
}

fn main() {}
