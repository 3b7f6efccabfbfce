#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::cell::Cell;

thread_local!(static SEEN: Cell<f64> = const { Cell::new(0.0) });

fn main() {
    let _ = rows::<Patient>().sum(|p| { SEEN.set(1.0); p.bill.clamp::<0, 100>() });
}
