//! expect: is private
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let count = rows::<Patient>().count().laplace::<Eps<1, 8>>();
    let _ = count.runnable();
}
