//! expect: Rho<1, 8>` on a sample has no price on the whole table
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _ = rows::<Patient>()
        .sampled::<1, 100>()
        .once(|sample| sample.count().gaussian::<Rho<1, 8>>());
}
