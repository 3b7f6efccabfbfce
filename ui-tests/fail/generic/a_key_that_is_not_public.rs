//! expect: is not a public key of the rows of `Patient`
#![forbid(unsafe_code)]
use privet::expr::{Columns, Key};
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: Option<f64>,
}

fn counts<R: Record, K: Key<R>>(key: impl FnOnce(Columns<R>) -> K) -> Mechanism<Table<R>, Vec<i64>, Eps<1, 2>> {
    rows::<R>().histogram(key).laplace()
}

fn main() {
    let _ = counts::<Patient, _>(|p| p.age);
}
