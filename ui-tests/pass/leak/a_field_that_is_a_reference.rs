#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { name: String }

fn main() {}
