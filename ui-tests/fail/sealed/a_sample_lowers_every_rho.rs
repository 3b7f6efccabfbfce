//! expect: only traits defined in the current crate can be implemented for
//! twin-lines: 9
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::cost::Amplified;
use privet::prelude::*;

pub struct Mine;

impl Amplified<1, 100> for Rho<1, 2> {
    type Price = Rho<1, 1000>;
}

fn main() {}
