//! expect: has no bounds, so its sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::Estimate;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn age() -> Mechanism<Table<Patient>, Estimate, Eps<1, 2>> {
    rows::<Patient>().estimate(0.95).mean(|p| p.age).laplace()
}

fn main() {}
