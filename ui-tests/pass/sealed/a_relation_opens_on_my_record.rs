#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::domain::OpensOn;
use privet::query::PerPerson;

#[derive(Record)]
struct Patient {
    #[privet(person)]
    patient: u32,
}



fn open<Rel: OpensOn<Patient>>() {}

fn main() {
    open::<PerPerson>();
}
