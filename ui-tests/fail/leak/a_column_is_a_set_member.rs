//! expect: Hash` is not
//! errors: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::collections::HashSet;

fn main() {
    let _ = rows::<Patient>().filter(|p| { let _ = HashSet::from([p.age]); p.smoker });
}
