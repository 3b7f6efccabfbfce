//! expect: `Spy` cannot be a field of a record
//! errors: 2

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
pub struct Patient { pub age: Spy }

fn main() {}
