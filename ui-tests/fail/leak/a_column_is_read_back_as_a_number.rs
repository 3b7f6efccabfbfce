//! expect: expected `Option<i64>`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::cell::Cell;

fn main() {
    let seen = Cell::new(None);
    let _ = rows::<Patient>().filter(|p| { seen.set(Some(p.age)); p.smoker });
    let _: Option<i64> = seen.get();
}
