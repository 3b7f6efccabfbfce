#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

fn main() {
    let query = rows::<Patient>().count();
    let _ = query.coin_flips();
}
