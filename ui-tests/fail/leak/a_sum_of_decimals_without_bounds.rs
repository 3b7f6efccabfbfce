//! expect: has no bounds, so its sum has no finite sensitivity
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { bill: privet::Decimal<2> }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.bill);
}
