//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn twice<E: Split<2>>() -> Mechanism<Table<Patient>, [i64; 2], E> {
    Mechanism::all([count::<E::Part>(), count::<E>()]).at_most()
}

fn main() {
    let _ = twice::<Eps<1, 2>>();
}
