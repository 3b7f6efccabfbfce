//! expect: a record's fields are plain values
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { age: Box<dyn Fn()> }

fn main() {}
