//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64 }

fn main() {
    let _ = rows::<Patient>().sum_between(0.0, Patient::columns().bill, |p| p.age);
}
