//! expect: `Option<i64>` cannot name a person
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Visit {
    #[privet(person)]
    person: Option<i64>,
}

fn main() {
    let _ = rows::<Table<Visit, PerPerson>>();
}
