#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
}

fn total() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().sum(|p| p.age.boxed().clamp::<0, 99>()).laplace()
}

fn main() {}
