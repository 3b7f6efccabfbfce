#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn published() -> Mechanism<Table<Patient>, i64, Eps<1, 8>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
