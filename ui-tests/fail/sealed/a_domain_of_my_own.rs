//! expect: Mine
//! twin-lines: 12
//! errors: 5
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Domain;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Domain for Mine {
    type Data = ();
    type Grouped<const K: usize> = Mine;
}

fn main() {}
