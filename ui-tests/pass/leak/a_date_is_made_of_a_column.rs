#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::Date;

#[derive(Record)]
struct Patient {
    year: i64,
    admitted: Date,
}

fn main() {
    let admitted = rows::<Patient>()
        .filter(|p| p.admitted.ge(Date::checked(2024, 1, 1).unwrap()))
        .count();
    let _ = admitted.laplace::<Eps<1, 2>>();
}
