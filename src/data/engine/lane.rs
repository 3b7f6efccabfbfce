//! One chunk of a column, as a program reads it.

use super::loops::map;
use crate::data::CHUNK;

/// One chunk of a column.
#[derive(Clone, Copy)]
pub enum Lane<'a> {
    Int(&'a [i64; CHUNK]),
    Real(&'a [f64; CHUNK]),
    Bool(&'a [bool; CHUNK]),
    Code(&'a [u32; CHUNK]),
}

/// Where a column that is stored in another form is copied to.
pub struct Buffer {
    integers: Box<[i64; CHUNK]>,
    codes: Box<[u32; CHUNK]>,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Buffer {
            integers: Box::new([0; CHUNK]),
            codes: Box::new([0; CHUNK]),
        }
    }

    pub(crate) fn integers<T: Copy>(
        &mut self,
        values: &[T; CHUNK],
        seen: fn(T) -> i64,
    ) -> Lane<'_> {
        map(&mut self.integers, values, seen);
        Lane::Int(&self.integers)
    }

    pub(crate) fn codes<T: Copy>(&mut self, values: &[T; CHUNK], seen: fn(T) -> u32) -> Lane<'_> {
        map(&mut self.codes, values, seen);
        Lane::Code(&self.codes)
    }
}
