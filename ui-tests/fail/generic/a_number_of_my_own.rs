//! expect: `Mine` is not a number that every row of `Patient` has
#![forbid(unsafe_code)]
use privet::expr::{Numeric, columns};
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone)]
struct Mine;

fn total<R: Record, C: Numeric<R>>(column: C) -> Mechanism<Table<R>, f64, Eps<1, 2>> {
    rows::<R>().sum(|_| column.clamp::<0, 99>()).laplace()
}

fn main() {
    let _ = (Mine, columns::<Patient>());
    let _ = total::<Patient, _>(Mine);
}
