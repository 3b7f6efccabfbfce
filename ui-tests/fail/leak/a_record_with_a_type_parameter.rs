//! expect: a record has no type parameters or lifetimes
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient<const N: usize> { age: i64 }

fn main() {}
