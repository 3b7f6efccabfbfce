//! Whose rows an engine hands over, in which order.

use crate::data::engine::{Buffer, Lane};
use crate::data::keep::Masks;
use crate::data::rank::OrderKey;
use crate::data::{Columns, Record, TableData};

/// A checksum of whose row each is, in the order of a partition.
///
/// Ranks are of rows by their places. Should a pass bring the rows of a partition in another order than the sweep
/// that made the ranks, a person's rows would meet ranks of others, and more than K of them could be kept. The
/// number of rows would be the same.
pub(super) struct Sequence {
    key: OrderKey,
    buffer: Buffer,
    sum: u64,
}

impl Sequence {
    pub(super) fn new(key: OrderKey) -> Self {
        Sequence {
            key,
            buffer: Buffer::new(),
            sum: 0,
        }
    }

    /// Adds the persons of a batch, whom this column names.
    pub(super) fn add<R: Record>(&mut self, batch: &TableData<R>, column: usize) {
        let texts = batch.dictionary();
        let mut names = vec![0; texts.len()];
        for (text, code) in texts.texts() {
            names[code as usize] = self.key.text(&text);
        }
        let none = Masks::default();
        for index in 0..batch.chunks() {
            let rows = batch.chunk(index, &none).len();
            let sum = &mut self.sum;
            // PRIVACY: looks at raw rows; a checksum that differs says that the engine broke its promise.
            let mut next = |person: u64| {
                *sum = (sum.rotate_left(5) ^ person).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            };
            match batch.columns().lane(column, index, &mut self.buffer) {
                Some((Lane::Int(persons), _)) => {
                    persons[..rows]
                        .iter()
                        .for_each(|person| next(*person as u64));
                }
                Some((Lane::Code(persons), _)) => {
                    let name = |code: &u32| names.get(*code as usize).copied().unwrap_or(0);
                    persons[..rows].iter().for_each(|code| next(name(code)));
                }
                _ => {}
            }
        }
    }

    pub(super) fn sum(&self) -> u64 {
        self.sum
    }
}
