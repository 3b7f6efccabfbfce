//! expect: a record has no type parameters or lifetimes
//! errors: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient<'a> { age: i64 }

fn main() {}
