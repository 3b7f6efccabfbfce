#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::query::{Estimate, PerPerson};

#[derive(Record)]
struct Visit {
    #[privet(person)]
    patient: i64,
    bill: i64,
}

fn bills() -> Mechanism<Table<Visit, PerPerson>, Estimate, Eps<1, 2>> {
    rows::<Table<Visit, PerPerson>>()
        .bound_contributions::<3>(|v| v.patient)
        .estimate(0.95)
        .mean(|v| v.bill.clamp::<0, 120>())
        .laplace()
}

fn main() {}
