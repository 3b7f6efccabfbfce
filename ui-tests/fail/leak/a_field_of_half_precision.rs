//! expect: use `f64`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { bill: f32 }

fn main() {}
