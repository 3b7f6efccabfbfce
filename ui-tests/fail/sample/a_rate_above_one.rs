//! expect: this is not a rate of sampling: the part of the rows must be above 0 and below 1
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _ = rows::<Patient>().sampled::<5, 3>();
}
