#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Rows = Table<Patient>;

fn main() {
    let _ = rows::<Rows>().histogram(|p| p.age.clamp::<0, 9>()).coin_flips();
}
