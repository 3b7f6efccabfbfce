//! expect: Sealed
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Purse;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Purse for Mine {}

fn main() {}
