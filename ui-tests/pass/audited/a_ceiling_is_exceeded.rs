#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "0.25")]
fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
