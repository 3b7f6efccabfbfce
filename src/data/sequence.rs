//! Whose rows an engine hands over, in which order.

use super::engine::Lane;
use super::rank::OrderKey;
use super::{CHUNK, Dictionary};

/// A checksum of whose row each is, in the order of a partition.
///
/// Ranks are of rows by their places. Should a pass bring the rows of a partition in another order than the sweep
/// that made the ranks, a person's rows would meet ranks of others, and more than K of them could be kept. The
/// number of rows would be the same.
pub(super) struct Sequence {
    key: OrderKey,
    sum: u64,
}

impl Sequence {
    pub(super) fn new(key: OrderKey) -> Self {
        Sequence { key, sum: 0 }
    }

    /// For each code of a dictionary, a number that stands for its text.
    pub(super) fn names(&self, texts: &Dictionary) -> Vec<u64> {
        let mut names = vec![0; texts.len()];
        for (text, code) in texts.texts() {
            names[code as usize] = self.key.text(&text);
        }
        names
    }

    /// Adds the persons of the first rows of a chunk, who have numbers, or texts with these [`names`](Sequence::names).
    pub(super) fn add(&mut self, persons: Lane<'_>, rows: usize, names: &[u64]) {
        let rows = rows.min(CHUNK);
        // PRIVACY: looks at raw rows; a checksum that differs says that the engine broke its promise.
        match persons {
            Lane::Int(persons) => persons[..rows].iter().for_each(|person| {
                self.next(*person as u64);
            }),
            Lane::Code(persons) => persons[..rows].iter().for_each(|code| {
                self.next(names.get(*code as usize).copied().unwrap_or(0));
            }),
            _ => {}
        }
    }

    /// Adds the checksum of a partition, or one person.
    pub(super) fn next(&mut self, number: u64) {
        self.sum = (self.sum.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    pub(super) fn sum(&self) -> u64 {
        self.sum
    }
}
