//! expect: is private
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    fn look(table: &privet::TableData<Patient>) -> impl Sized + use<'_> {
        &table.stored }
}
