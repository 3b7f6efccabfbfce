#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

fn both() -> Mechanism<Table<Patient>, (i64, i64), Approx<Eps<2, 2>, Delta<1, 6>>> {
    let count = || rows::<Patient>().count();
    let small: Mechanism<_, _, Approx<Eps<1, 2>, Delta<1, 6>>> = count().laplace::<Eps<1, 2>>().at_most();
    Mechanism::together((small, count().laplace::<Eps<1, 2>>()))
}

fn main() {}
