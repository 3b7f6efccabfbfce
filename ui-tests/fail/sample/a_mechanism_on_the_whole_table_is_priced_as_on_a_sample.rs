//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let whole = rows::<Patient>();
    let _ = whole
        .clone()
        .sampled::<1, 100>()
        .once(|sample| whole.clone().count().laplace::<Eps<1, 1>>());
}
