#![forbid(unsafe_code)]
use privet::expr::{Numeric, columns};
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
}

#[derive(Record)]
struct Doctor {
    age: i64,
}

fn total<R: Record, C: Numeric<R>>(column: C) -> Mechanism<Table<R>, f64, Eps<1, 2>> {
    rows::<R>().sum(|_| column.clamp::<0, 99>()).laplace()
}

fn main() {
    let _ = total::<Patient, _>(columns::<Patient>().age);
}
