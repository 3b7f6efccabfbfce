//! expect: has no public keys, and keys taken from the data would not be private
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { smoker: bool, town: String }

fn main() {
    let by = rows::<Patient>().histogram(|p| (p.smoker, p.town));
    let _ = by.laplace::<Eps<1, 4>>();
}
