//! expect: expected `i64`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::sync::Mutex;

static SEEN: Mutex<Vec<i64>> = Mutex::new(Vec::new());

fn main() {
    let _ = rows::<Patient>().filter(|p| { SEEN.lock().unwrap().push(p.age); p.smoker });
}
