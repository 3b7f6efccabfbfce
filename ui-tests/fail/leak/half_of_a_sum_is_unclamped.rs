//! expect: has no bounds, so its sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.age.clamp::<0, 9>() + p.age);
}
