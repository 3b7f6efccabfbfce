//! expect: Sampled<1, 10>` cannot be sampled
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let whole = rows::<Patient>();
    let _ = whole.clone().sampled::<1, 10>().once(|sample| {
        let _ = sample.clone().sampled::<1, 10>();
        sample.count().laplace::<Eps<1, 1>>()
    });
}
