#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn rounds<E: Split<2>>() -> Mechanism<Table<Patient>, i64, E>
where
    E::Part: privet::Times<3>,
{
    Mechanism::iterate::<2>(0, |_, _| count::<E::Part>()).at_most()
}

fn main() {
    let _ = rounds::<Eps<1, 2>>();
}
