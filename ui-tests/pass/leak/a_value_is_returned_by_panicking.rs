#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::panic::panic_any;

fn main() {
    let _ = rows::<Patient>().filter(|p| { if false { panic_any::<i64>(1) } p.smoker });
}
