#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Visit { #[privet(person)] person: i64, cost: i64 }

use privet::query::PerPerson;

fn main() {
    let _ = rows::<Table<Visit, PerPerson>>().bound_contributions::<3>(|v| v.person).count();
}
