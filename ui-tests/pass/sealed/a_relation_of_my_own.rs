#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Relation;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

pub fn published() -> Option<Mine> {
    None
}

fn main() {}
