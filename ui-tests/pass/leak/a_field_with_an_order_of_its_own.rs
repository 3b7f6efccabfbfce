#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Spy(i64);

#[derive(Record)]
pub struct Patient { age: Option<i64> }

fn main() {}
