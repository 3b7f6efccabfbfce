//! expect: is neither an expression over the rows of `Patient` nor a constant
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, smoker: bool }

#[derive(Record)]
struct Doctor { pay: i64, here: bool }

fn main() {
    let _ = rows::<Doctor>().filter(|d| {
        let _ = rows::<Patient>().filter(|_| d.here);
        d.here
    });
}
