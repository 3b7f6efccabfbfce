//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let quoted = rows::<Patient>().count().laplace::<Eps<1, 4>>().quoted();
    let most = Eps::<1, 4>::price();
    let _ = quoted.then_up_to(most, |_| rows::<Patient>().count().laplace::<Eps<1, 4>>());
}
