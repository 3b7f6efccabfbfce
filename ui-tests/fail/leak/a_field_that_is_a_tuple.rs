//! expect: give each part of the tuple its own field
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { place: (f64, f64) }

fn main() {}
