#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::cost::Amplified;
#[allow(unused_imports)]
use privet::prelude::*;

#[derive(Clone, Copy, Debug)]
pub struct Mine;

pub fn published() -> Option<Mine> {
    None
}

fn main() {}
