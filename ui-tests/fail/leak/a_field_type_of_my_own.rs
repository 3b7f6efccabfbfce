//! expect: FieldValue
//! errors: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

struct Mine;

impl privet::derive::FieldValue for Mine {}

fn main() {
    let _ = Mine;
}
