//! expect: `Mine` is not a privacy cost
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Times;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl<const K: usize> Times<K> for Mine {
    type Product = Eps<0, 1>;
}

fn main() {}
