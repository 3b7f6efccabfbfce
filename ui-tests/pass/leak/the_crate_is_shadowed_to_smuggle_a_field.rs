
#![forbid(unsafe_code)]
extern crate privet as real;
extern crate self as privet;

pub mod derive {
    pub use real::derive::*;
    pub trait FieldValue {}
    impl<T> FieldValue for T {}
}

pub struct Spy(pub i64);

#[derive(real::Record)]
pub struct Patient { pub age: i64 }

fn main() {}
