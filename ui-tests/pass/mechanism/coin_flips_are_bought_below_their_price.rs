#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

fn count() -> Mechanism<Table<Patient>, i64, Eps<25, 18>> {
    rows::<Patient>().count().coin_flips()
}

fn main() {
    let _ = count();
}
