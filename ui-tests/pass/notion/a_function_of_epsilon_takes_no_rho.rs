#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn main() {
    let _ = count::<Eps<1, 4>>();
}
