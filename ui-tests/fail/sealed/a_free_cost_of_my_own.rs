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
    const PRICE: Price = <Eps<0, 1> as privet::Cost>::PRICE;
}

fn main() {}
