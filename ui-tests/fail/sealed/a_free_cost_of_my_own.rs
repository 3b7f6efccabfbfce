//! expect: Sealed
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::{Price, Pure};
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl privet::Cost for Mine {
    type Notion = Pure;
    fn price() -> Price {
        Price::pure(0.into())
    }
}

fn main() {}
