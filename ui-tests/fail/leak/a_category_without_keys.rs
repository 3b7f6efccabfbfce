//! expect: a category has at least one key
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Category)]
pub enum Ward {  }

fn main() {}
