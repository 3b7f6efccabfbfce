//! expect: does not say what this function spends
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(at_most = "1")]
fn count() -> i64 {
    todo!()
}

fn main() {}
