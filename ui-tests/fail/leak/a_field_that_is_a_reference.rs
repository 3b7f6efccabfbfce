//! expect: a record owns its fields
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { name: &'static str }

fn main() {}
