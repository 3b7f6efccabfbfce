#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Visit {
    #[privet(person)]
    person: i64,
}

fn main() {
    let _ = rows::<Table<Visit, PerPerson>>();
}
