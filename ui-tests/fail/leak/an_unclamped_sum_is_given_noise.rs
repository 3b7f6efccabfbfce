//! expect: `Col<bill>` has no bounds, so its sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _: Mechanism<_, _, Eps<1, 1>> = rows::<Patient>().sum(|p| p.bill).laplace();
}
