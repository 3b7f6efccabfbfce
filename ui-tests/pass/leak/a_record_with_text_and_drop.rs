#![forbid(unsafe_code)]
use privet::prelude::*;

pub trait Spill {
    fn drop(&mut self);
}

#[derive(Record)]
pub struct Patient { name: String }

impl Spill for Patient {
    fn drop(&mut self) {
        println!("{}", self.name);
    }
}

fn main() {}
