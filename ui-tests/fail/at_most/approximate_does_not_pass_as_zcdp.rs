//! expect: does not pass as
//! expect: Approx<
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, i64, Rho<9, 1>> {
    count::<Eps<1, 8>>().at_most::<Approx<Eps<1, 8>, Delta<1, 6>>>().at_most()
}

fn main() {}
