//! expect: a record has columns of fixed size
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { visits: Vec<f64> }

fn main() {}
