//! expect: Mine
//! twin-lines: 12
//! errors: 4
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

impl Split<2, Mine> for Eps<1, 1> {
    type Part = Eps<1, 1>;
    type Whole = Eps<2, 1>;
}

fn main() {}
