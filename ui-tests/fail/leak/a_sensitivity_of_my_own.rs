//! expect: not implemented
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

struct Mine;

impl privet::query::HasL1<Table<Patient>> for Mine { const L1: privet::query::Sensitivity = todo!(); }

fn main() {
    let _ = Mine;
}
