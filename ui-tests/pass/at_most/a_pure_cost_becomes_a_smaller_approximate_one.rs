#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Approx<Eps<5, 10>, Delta<1, 6>>> {
    count::<Eps<1, 2>>().at_most()
}

fn main() {}
