#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn main() {
    let seen = std::sync::Mutex::new(7);
    let _ = count::<Eps<1, 8>>().map(move |n| n + std::mem::size_of_val(&seen) as i64);
}
