#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: Option<f64>, name: Option<String> }

fn main() {
    type Fixed = Table<Patient, Replace>;
    let _ = rows::<Fixed>().mean(|p| p.bill.or(0.0).clamp::<0, 9>());
}
