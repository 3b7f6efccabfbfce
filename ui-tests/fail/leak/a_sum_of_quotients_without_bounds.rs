//! expect: has no bounds, so its sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.age.divide::<10>());
}
