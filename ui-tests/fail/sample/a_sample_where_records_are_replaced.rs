//! expect: Replace` cannot be sampled
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _ = rows::<Table<Patient, privet::domain::Replace>>().sampled::<1, 100>();
}
