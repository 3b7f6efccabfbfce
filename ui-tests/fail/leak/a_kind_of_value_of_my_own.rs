//! expect: data::kind::sealed::Kind` is not
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

struct Mine;

impl privet::expr::Kind for Mine { type Value = i64; }

fn main() {
    let _ = Mine;
}
