//! expect: Sealed
//! twin-lines: 12
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::Bundle;
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Mine;

impl Bundle for Mine {
    type In = Table<Patient>;
    type Out = i64;
    type Each = Eps<1, 1>;
    type Total = Eps<0, 1>;
    fn join(self) -> Mechanism<Table<Patient>, i64, Eps<0, 1>> {
        Mechanism::constant(0)
    }
}

fn main() {}
