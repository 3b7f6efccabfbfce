#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::Regression;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn fit() -> Mechanism<Table<Patient>, Regression<1>, Eps<1, 2>> {
    rows::<Patient>()
        .estimate(0.95)
        .linear_regression(|p| p.age.clamp::<0, 120>(), |p| p.bill.clamp::<0, 500>())
        .laplace()
}

fn main() {}
