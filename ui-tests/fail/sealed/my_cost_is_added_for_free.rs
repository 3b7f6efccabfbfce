//! expect: `Mine` is not a privacy cost
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Plus;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Plus<Mine> for Eps<1, 1> {
    type Sum = Eps<0, 1>;
}

fn main() {}
