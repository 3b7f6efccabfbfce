//! expect: cannot be compared
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: Option<f64>, name: Option<String> }

fn main() {
    let _ = rows::<Patient>().filter(|p| { let _ = p.bill.eq_to("9"); p.bill.is_null() });
}
