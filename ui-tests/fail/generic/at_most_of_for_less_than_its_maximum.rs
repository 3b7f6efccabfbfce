//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
    name: String,
}

type Count<E> = Mechanism<Table<Patient>, i64, E>;

fn some(counts: Vec<Count<Eps<1, 8>>>) -> privet::Result<Mechanism<Table<Patient>, Vec<i64>, Eps<1, 8>>> {
    Mechanism::at_most_of::<4>(counts)
}

fn main() {}
