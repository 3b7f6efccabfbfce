//! expect: `Arc<i64>` cannot be a field of a record
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
pub struct Patient { age: std::sync::Arc<i64> }

fn main() {}
