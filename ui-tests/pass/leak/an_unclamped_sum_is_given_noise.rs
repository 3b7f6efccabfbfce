#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    let _: Mechanism<_, _, Eps<1, 1>> = rows::<Patient>().sum(|p| p.bill.clamp::<0, 100>()).laplace();
}
