#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { bill: privet::Decimal<2> }

fn main() {
    let _ = rows::<Patient>().sum(|p| p.bill.clamp::<0, 9>());
}
