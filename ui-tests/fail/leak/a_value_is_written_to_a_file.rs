//! expect: doesn't implement `std::fmt::Display`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::io::Write;

fn main() {
    let mut out = Vec::new();
    let _ = rows::<Patient>().filter(|p| { write!(out, "{}", p.age).unwrap(); p.smoker });
}
