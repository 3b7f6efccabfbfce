#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    type Fixed = Table<Patient, Replace>;
    let _: Mechanism<_, _, Eps<1, 1>> = rows::<Fixed>().mean(|p| p.age.clamp::<0, 9>()).laplace();
}
