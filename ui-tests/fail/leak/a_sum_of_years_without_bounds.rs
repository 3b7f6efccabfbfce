//! expect: a year has no bounds
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { born: privet::Date }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.born.year());
}
