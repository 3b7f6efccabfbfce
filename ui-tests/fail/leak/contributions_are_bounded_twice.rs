//! expect: bounded already
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Visit { #[privet(person)] person: i64, cost: i64 }

fn main() {
    let _ = rows::<Table<Visit, PerPerson>>()
        .bound_contributions::<3>(|v| v.person)
        .filter(|v| v.cost.gt(0))
        .bound_contributions::<2>(|v| v.person)
        .count();
}
