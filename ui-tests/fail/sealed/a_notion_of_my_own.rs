//! expect: Sealed
//! twin-lines: 12
//! errors: 2
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Notion;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Notion for Mine {
    type Free = Eps<0, 1>;
    const NAME: &'static str = "mine";
}

fn main() {}
