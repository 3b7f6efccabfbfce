//! expect: is not an iterator
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _ = rows::<Patient>().map(|p| p);
}
