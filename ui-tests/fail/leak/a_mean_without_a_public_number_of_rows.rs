//! expect: no method named `laplace` found
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _: Mechanism<_, _, Eps<1, 1>> = rows::<Table<Patient>>().mean(|p| p.age.clamp::<0, 9>()).laplace();
}
