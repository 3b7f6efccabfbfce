#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Category)]
pub enum Ward { Surgery }

fn main() {}
