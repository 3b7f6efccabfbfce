//! errors: 2
//! expect: is not a tuple or an array of
#![forbid(unsafe_code)]
use privet::expr::vector;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn sums() -> Mechanism<Table<Patient>, [f64; 2], Eps<1, 2>> {
    rows::<Patient>()
        .vector_sum(|p| vector((p.age, p.name)).clip_l1::<9>())
        .laplace()
}

fn main() {}
