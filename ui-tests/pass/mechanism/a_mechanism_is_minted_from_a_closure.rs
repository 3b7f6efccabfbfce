#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() {
    let _: Mechanism<Table<Patient>, i64, Eps<0, 1>> = Mechanism::constant(7);
}
