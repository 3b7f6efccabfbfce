#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.age.remainder::<10>());
}
