//! expect: a constant in a sum has no bounds, so the sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.age.clamp::<0, 9>() + 5);
}
