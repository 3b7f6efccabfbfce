//! expect: Mine
//! twin-lines: 12
//! errors: 2
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

impl PaidFrom<Eps<1, 1>> for Mine {
    type Verdict = ();
    type Left = Eps<1, 1>;
}

fn main() {}
