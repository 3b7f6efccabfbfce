//! expect: Eps<0, 2>
//! expect: cannot be split into 2 parts
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
    Mechanism::all([count::<E::Part>(), count()]).at_most()
}

fn main() {
    let _ = twice::<Eps<0, 2>>();
}
