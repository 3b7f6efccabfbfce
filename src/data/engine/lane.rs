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
    /// Vectors of so many coordinates, one row after the other.
    Vectors(&'a [f64], usize),
}

/// Where a column that is stored in another form is copied to.
pub struct Buffer {
    integers: Box<[i64; CHUNK]>,
    codes: Box<[u32; CHUNK]>,
    reals: Vec<f64>,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Buffer {
            integers: Box::new([0; CHUNK]),
            codes: Box::new([0; CHUNK]),
            reals: Vec::new(),
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

    pub(crate) fn vectors<T: Copy, const D: usize>(
        &mut self,
        values: &[T; CHUNK],
        seen: fn(T) -> [f64; D],
    ) -> Lane<'_> {
        self.reals.clear();
        self.reals
            .extend(values.iter().flat_map(|value| seen(*value)));
        Lane::Vectors(&self.reals, D)
    }
}
