//! expect: `Spy` cannot be a field of a record
#![forbid(unsafe_code)]
use privet::prelude::*;

pub struct Spy(i64);

impl std::ops::Deref for Spy {
    type Target = i64;
    fn deref(&self) -> &i64 {
        println!("{}", self.0);
        &self.0
    }
}

#[derive(Record)]
pub struct Patient { age: Spy }

fn main() {}
