//! expect: Eps<648, 100000>,
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count() -> Mechanism<Table<Patient>, i64, Approx<Eps<652, 100_000>, Delta<9, 9>>> {
    rows::<Patient>()
        .sampled::<1, 100>()
        .once(|sample| sample.count().gaussian_approx::<Approx<Eps<1, 2>, Delta<1, 6>>>())
        .at_most()
}

fn main() {
    let _ = count();
}
