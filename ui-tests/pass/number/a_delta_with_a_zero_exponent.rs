#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Approx<Eps<1, 1>, Delta<1, 1>>> {
    count::<Eps<1, 100>>().at_most()
}

fn main() {}
