//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn three() -> Mechanism<Table<Patient>, (i64, i64, i64), Eps<6, 8>> {
    Mechanism::together((count::<Eps<4, 8>>(), count::<Eps<2, 8>>(), count::<Eps<1, 8>>()))
}

fn main() {}
