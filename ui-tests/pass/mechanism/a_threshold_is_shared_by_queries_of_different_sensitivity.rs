#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

fn main() {
    let first = rows::<Patient>().sum(|p| p.age.clamp::<0, 10>());
    let second = rows::<Patient>().sum(|p| p.age.clamp::<0, 10>());
    let _ = Mechanism::<_, _, Eps<1, 2>>::first_above(100, [first, second]);
}
