//! expect: this function costs `privet::Eps<1, 4>`, more than its declared ceiling `privet::Eps<1, 8>`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "1/8")]
fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
