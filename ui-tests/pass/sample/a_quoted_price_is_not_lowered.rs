#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    // A price that is known at run time only: the types cannot say what a sample makes of it.
    let _ = rows::<Patient>()
        .sampled::<1, 100>()
        .once(|sample| sample.count().laplace::<Eps<1, 1>>());
}
