#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { visits: [f64; 3] }

fn main() {}
