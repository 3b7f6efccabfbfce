//! expect: mismatched types
//! expect: expected `1`, found `2`
#![forbid(unsafe_code)]
use privet::Groups;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn published() -> Mechanism<Table<Patient, Groups<2>>, i64, Eps<1, 8>> {
    count::<Eps<1, 8>>().for_groups::<2>()
}

fn main() {}
