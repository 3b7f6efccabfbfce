//! expect: Sealed
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::{Chargeable, Notion};
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl<N: Notion> Chargeable<N> for Mine {
    fn amount(_: Option<privet::Price>) -> Option<privet::Price> {
        None
    }
}

fn main() {}
