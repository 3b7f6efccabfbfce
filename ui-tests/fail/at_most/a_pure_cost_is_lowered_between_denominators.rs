//! expect: Eps<1, 3>` is more than
//! expect: a cost can be raised, never lowered
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Eps<333, 1000>> {
    count::<Eps<1, 3>>().at_most()
}

fn main() {}
