//! expect: do not add up to one cost
//! expect: a sum is at most 1024
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
    let _ = count::<Eps<1000, 1>>().and(count::<Eps<25, 1>>());
}
