#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::hash::{BuildHasher, RandomState};

fn main() {
    let hasher = RandomState::new();
    let _ = rows::<Patient>().filter(|p| { hasher.hash_one(1); p.smoker });
}
