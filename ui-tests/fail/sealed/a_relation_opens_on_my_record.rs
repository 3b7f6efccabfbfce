//! expect: `Visit` does not say whose row it is
//! expect: `OpensOn` is a "sealed trait"
//! twin-lines: 6
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::domain::OpensOn;
use privet::query::PerPerson;

#[derive(Record)]
struct Patient {
    #[privet(person)]
    patient: u32,
}

#[derive(Record)]
struct Visit {
    age: i64,
}
impl OpensOn<Visit> for PerPerson {}

fn open<Rel: OpensOn<Patient>>() {}

fn main() {
    open::<PerPerson>();
}
