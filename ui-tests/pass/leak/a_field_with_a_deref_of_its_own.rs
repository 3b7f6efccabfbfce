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
pub struct Patient { age: i64 }

fn main() {}
