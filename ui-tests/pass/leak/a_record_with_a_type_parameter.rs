#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { age: i64 }

fn main() {}
