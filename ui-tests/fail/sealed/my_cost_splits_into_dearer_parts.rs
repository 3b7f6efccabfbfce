//! expect: Mine
//! twin-lines: 12
//! errors: 3
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

impl Split<2> for Mine {
    type Part = Eps<1, 1>;
    type Whole = Eps<2, 1>;
}

fn main() {}
