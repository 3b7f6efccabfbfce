//! expect: `Mine` is not a privacy cost
//! twin-lines: 9
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::cost::Amplified;
use privet::prelude::*;

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Amplified<1, 100> for Mine {
    type Price = Eps<0, 1>;
}

fn main() {}
