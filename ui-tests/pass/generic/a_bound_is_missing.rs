#![forbid(unsafe_code)]
use privet::expr::{Columns, Condition};
use privet::prelude::*;

fn count<R: Record, C: Condition<R>>(condition: impl FnOnce(Columns<R>) -> C) -> Mechanism<Table<R>, i64, Eps<1, 2>> {
    rows::<R>().filter(condition).count().laplace()
}

fn main() {}
