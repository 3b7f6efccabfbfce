//! expect: has no price for a person
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Visit { #[privet(person)] person: i64, urgent: bool }

fn main() {
    let _ = rows::<Table<Visit, PerPerson>>()
        .group_by(|v| v.urgent)
        .each(|_| rows::<Visit>().count().laplace::<Eps<1, 8>>());
}
