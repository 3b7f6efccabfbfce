//! expect: mismatched types
//! expect: expected `2`, found `3`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient>, [i64; 3], Eps<2, 8>> {
    count::<Eps<1, 8>>().repeat::<3>()
}

fn main() {}
