#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn rounds<const T: usize, E: Split<T>>() -> Mechanism<Table<Patient>, i64, E> {
    Mechanism::iterate::<T>(0, |_, _| count::<E::Part>()).at_most()
}

fn main() {
    let _ = rounds::<1, Eps<1, 2>>();
}
