//! expect: may move the answers of
//! expect: moves by more than 1
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

fn main() {
    let query = rows::<Patient>().sum(|p| p.age.clamp::<0, 2>());
    let _ = query.coin_flips();
}
