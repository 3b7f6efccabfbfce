//! expect: has no bounds, so its sum has no finite sensitivity
//! expect: clamp it first
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
}

fn total() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().sum(|p| p.age.clamp::<0, 99>().boxed()).laplace()
}

fn main() {}
