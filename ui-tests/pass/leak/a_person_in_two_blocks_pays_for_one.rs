#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::PerPerson;

#[derive(Record)]
struct Visit { #[privet(person)] person: i64, urgent: bool }

fn main() {
    let _: Mechanism<_, _, Eps<4, 8>> = rows::<Table<Visit, PerPerson>>()
        .group_by(|v| v.urgent)
        .bound_contributions::<2, 2>(|v| v.person)
        .each(|_| rows::<Visit>().count().laplace::<Eps<1, 8>>());
}
