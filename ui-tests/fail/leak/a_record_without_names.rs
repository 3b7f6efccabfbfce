//! expect: a record needs named fields
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient(i64);

fn main() {}
