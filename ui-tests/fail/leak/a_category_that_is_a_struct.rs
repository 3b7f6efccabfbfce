//! expect: a category is an enum of unit variants
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Category)]
pub struct Ward;

fn main() {}
