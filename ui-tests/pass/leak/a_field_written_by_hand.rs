
#![allow(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

enum Mine {}

unsafe impl privet::derive::Field for Mine {
    type Row = Patient;
    type Index = privet::derive::First;
    const NAME: &'static str = "mine";
}

fn main() {}
