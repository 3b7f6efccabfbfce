#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { place: [f64; 2], maybe: Option<i64> }

fn main() {
    let _ = rows::<Patient>().filter(|p| { let _ = p.maybe.or(0).gt(4); p.maybe.is_null() });
}
