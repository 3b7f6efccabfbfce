#![forbid(unsafe_code)]
use privet::derive::NamesData;
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

struct Mine;
impl NamesData for Mine {
    type Data = <Table<Patient> as NamesData>::Data;
}

fn main() {
    let _ = Mechanism::<Table<Patient>, i64, Eps<0, 1>>::constant(1);
}
