#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { bill: f64 }

fn main() {}
