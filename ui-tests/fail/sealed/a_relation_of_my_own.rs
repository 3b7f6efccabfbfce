//! expect: Sealed
//! twin-lines: 12
//! errors: 2
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Relation;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Relation for Mine {}

fn main() {}
