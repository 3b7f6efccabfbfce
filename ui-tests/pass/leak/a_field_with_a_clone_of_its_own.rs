#![forbid(unsafe_code)]
use privet::prelude::*;

pub struct Spy(i64);

impl Clone for Spy {
    fn clone(&self) -> Spy {
        println!("{}", self.0);
        Spy(self.0)
    }
}

#[derive(Record)]
pub struct Patient { age: i64 }

fn main() {}
