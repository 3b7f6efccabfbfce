//! expect: do not add up to one cost
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn noisy<R: Concentrated>() -> Mechanism<Table<Patient>, i64, R> {
    rows::<Patient>().count().gaussian()
}

fn main() {
    let stated = noisy::<Rho<1, 100>>().at_most::<Approx<Eps<1, 1>, Delta<1, 6>>>();
    let _ = stated.and(noisy::<Rho<1, 8>>());
}
