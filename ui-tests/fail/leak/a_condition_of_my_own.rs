//! errors: 2
//! expect: `Mine` is not a condition on the rows of
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

struct Mine;

impl privet::expr::Condition<Patient> for Mine {}

fn main() {
    let _ = Mine;
}
