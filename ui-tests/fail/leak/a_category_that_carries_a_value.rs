//! expect: a category's variants hold nothing
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Category)]
pub enum Ward { Surgery(i64), Maternity }

fn main() {}
