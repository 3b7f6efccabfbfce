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
    let honest = count::<Eps<1, 8>>();
    let _: Mechanism<_, i64, Eps<1, 8>> = honest;
}
