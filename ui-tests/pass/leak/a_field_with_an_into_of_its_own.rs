#![forbid(unsafe_code)]
use privet::prelude::*;

pub struct Spy(i64);

impl From<Spy> for i64 {
    fn from(spy: Spy) -> i64 {
        println!("{}", spy.0);
        spy.0
    }
}

#[derive(Record)]
pub struct Patient { age: i64 }

fn main() {}
