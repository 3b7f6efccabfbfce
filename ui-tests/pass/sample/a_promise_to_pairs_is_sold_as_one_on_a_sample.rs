#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _ = rows::<Patient>()
        .sampled::<1, 100>()
        .once(|sample| sample.count().laplace::<Eps<1, 2>>());
}
