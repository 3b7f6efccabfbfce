//! expect: give it a named type parameter
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited]
fn count(name: impl Into<String>) -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace().named(name)
}

fn main() {}
