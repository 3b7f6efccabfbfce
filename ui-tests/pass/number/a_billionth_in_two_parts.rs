#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn rounds<const T: usize, E: Split<T>>() -> Mechanism<Table<Patient>, i64, E> {
    Mechanism::iterate::<T>(0, |_, _| rows::<Patient>().count().laplace::<E::Part>()).at_most()
}

fn main() {
    let _ = rounds::<2, Eps<2, 1_000_000_000>>();
}
