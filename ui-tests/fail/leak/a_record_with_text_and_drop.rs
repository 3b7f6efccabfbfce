//! expect: cannot move out of type `Patient`, which implements the `Drop` trait
//! errors: 2
#![forbid(unsafe_code)]
use privet::prelude::*;

pub trait Spill {
    fn drop(&mut self);
}

#[derive(Record)]
pub struct Patient { name: String }

impl Drop for Patient {
    fn drop(&mut self) {
        println!("{}", self.name);
    }
}

fn main() {}
