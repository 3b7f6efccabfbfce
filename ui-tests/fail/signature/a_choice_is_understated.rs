//! expect: mismatched types
//! expect: expected `1`, found `2`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Eps<1, 8>> {
    Mechanism::either(false, count::<Eps<1, 8>>(), count::<Eps<2, 8>>())
}

fn main() {}
