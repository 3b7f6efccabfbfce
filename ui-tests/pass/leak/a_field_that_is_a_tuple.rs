#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { place: [f64; 2] }

fn main() {}
