//! expect: Mine
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Eps as _;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Epsilon for Mine {}

fn main() {}
