#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Eps<3, 8>> {
    count::<Eps<3, 8>>().at_most()
}

fn main() {}
