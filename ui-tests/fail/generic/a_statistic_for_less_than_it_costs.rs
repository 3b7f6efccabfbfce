//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::Estimate;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn age() -> Mechanism<Table<Patient>, Estimate, Eps<1, 4>> {
    let mean = rows::<Patient>().estimate(0.95).mean(|p| p.age.clamp::<0, 120>());
    mean.laplace::<Eps<1, 2>>()
}

fn main() {}
