//! expect: `Mine` is not a privacy cost
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Positive;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Positive for Mine {
    const NUM: u64 = 1;
    const DEN: u64 = 1_000_000;
}

fn main() {}
