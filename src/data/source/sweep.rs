//! Whose row each is, and the order of each person's rows, for machines that have no record.

use std::borrow::Cow;
use std::sync::Arc;

use super::filled::Filled;
use super::task::{CHUNKS, misfit};
use super::{Batch, SourceColumn, Task};
use crate::data::engine::Lane;
use crate::data::rank::{Counting, OrderKey};
use crate::data::sequence::Sequence;
use crate::data::{CHUNK, Dictionary};
use crate::error::{EngineError, Misfit};

/// A sweep over the column that names persons, of all partitions of a table, one after the other: it finds how
/// many rows each person has, and where each row comes in that person's random order.
///
/// A [`Task`] that names a [`person`](Task::person) keeps some rows of each. Its workers need the [`Ranks`] of their
/// partition, and all of them those of one sweep, or of sweeps that agree: a rank depends on the order key
/// and on all rows of the person, wherever they are.
pub struct Sweep {
    column: SourceColumn,
    key: OrderKey,
    numbers: Counting<i64>,
    texts: Counting<String>,
    filled: Filled,
    dictionary: Dictionary,
    waiting: usize,
    /// For each row of the partition, the place of its person.
    places: Vec<u32>,
    sequence: Sequence,
    /// Those of the partitions before.
    done: Vec<(Vec<u32>, u64)>,
}

/// Shows nothing of the rows.
impl core::fmt::Debug for Sweep {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Sweep { .. }")
    }
}

/// For each row of one partition, how many rows of its person come before it. As private as the rows.
#[derive(Clone)]
pub struct Ranks(Arc<Partition>);

struct Partition {
    key: OrderKey,
    rows: usize,
    /// Padded to chunks, by rows that are never among the first.
    ranks: Vec<u32>,
    /// A checksum of the persons, row by row.
    sequence: u64,
    /// Which partition this is, as numbers that add up to that of all.
    place: Place,
}

/// Of which partitions of a sweep something is: checksums of number and persons, added up. PRIVACY: where each
/// partition counts once, they are those of all; ranks of one partition used for another one show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) here: u64,
    pub(super) of_all: u64,
}

impl Place {
    /// Whether every partition is in it once.
    pub(in crate::data) fn is_whole(self) -> bool {
        self.here == self.of_all
    }

    pub(in crate::data) fn of_all(self) -> u64 {
        self.of_all
    }
}

/// Shows nothing of the rows.
impl core::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Ranks { .. }")
    }
}

impl Sweep {
    /// The sweep that a task needs, if it needs one, in the order that `key` makes: [`Task::order_key`] of the task
    /// that a vault gave.
    #[must_use]
    pub fn new(task: &Task, key: [u8; 16]) -> Option<Self> {
        Some(Sweep::over(task.person()?.clone(), OrderKey::of_bytes(key)))
    }

    /// Over a column of numbers or texts that every row has.
    pub(in crate::data) fn over(column: SourceColumn, key: OrderKey) -> Self {
        Sweep {
            filled: Filled::new(&column, true),
            column,
            key,
            numbers: Counting::new(),
            texts: Counting::new(),
            dictionary: Dictionary::default(),
            waiting: 0,
            places: Vec::new(),
            sequence: Sequence::new(key),
            done: Vec::new(),
        }
    }

    /// Adds a batch of the partition, with the column that names persons and no other.
    ///
    /// # Errors
    ///
    /// If a value does not fit its column. Give the sweep up then.
    pub fn add(&mut self, batch: &Batch<'_>) -> Result<(), EngineError> {
        let part = batch.columns.first().copied();
        let part = part.ok_or_else(|| misfit(&self.column, Misfit::Length))?;
        let mut from = 0;
        while from < batch.rows {
            let to = batch.rows.min(from + CHUNKS * CHUNK - self.waiting);
            // PRIVACY: raw values, copied to our chunks; an error says which column, not what is in it.
            self.filled
                .append(&self.column, part, from..to, &mut self.dictionary)
                .map_err(|fault| misfit(&self.column, fault))?;
            self.waiting += to - from;
            from = to;
            if self.waiting == CHUNKS * CHUNK {
                self.see();
            }
        }
        Ok(())
    }

    fn see(&mut self) {
        let padded = self.waiting.next_multiple_of(CHUNK);
        self.filled.resize(padded);
        let key = self.key;
        let codes = self.sequence.names(&self.dictionary);
        let mut names = vec![Cow::Borrowed(""); self.dictionary.len()];
        for (text, code) in self.dictionary.texts() {
            names[code as usize] = text;
        }
        for index in 0..padded / CHUNK {
            let rows = CHUNK.min(self.waiting - index * CHUNK);
            let Some((lane, _)) = self.filled.lane(index) else {
                continue;
            };
            self.sequence.add(lane, rows, &codes);
            let (numbers, texts) = (&mut self.numbers, &mut self.texts);
            // PRIVACY: looks at raw rows; a person's ranks depend on that person's rows alone.
            match lane {
                Lane::Int(persons) => self.places.extend(
                    persons[..rows]
                        .iter()
                        .map(|person| numbers.see(person, || key.number(*person))),
                ),
                Lane::Code(persons) => self.places.extend(
                    persons[..rows]
                        .iter()
                        .map(|code| names.get(*code as usize).map_or("", |name| &**name))
                        .map(|person| texts.see(person, || key.text(person))),
                ),
                _ => {}
            }
        }
        drop(names);
        self.waiting = 0;
        self.filled.resize(0);
        self.dictionary.keep_public();
    }

    /// Ends a partition: what is added then is of the next one. Returns how many rows it had.
    pub fn end_partition(&mut self) -> u64 {
        self.see();
        let places = core::mem::take(&mut self.places);
        let sequence = core::mem::replace(&mut self.sequence, Sequence::new(self.key));
        let rows = places.len() as u64;
        self.done.push((places, sequence.sum()));
        rows
    }

    /// The ranks of each partition that was ended, in order.
    #[must_use]
    pub fn finish(self) -> Vec<Ranks> {
        let parts = self.done.iter().enumerate();
        let parts = parts.map(|(number, (places, sequence))| {
            let mut part = Sequence::new(self.key);
            part.next(number as u64 + 1);
            part.next(places.len() as u64);
            part.next(*sequence);
            part.sum()
        });
        let parts: Vec<u64> = parts.collect();
        let of_all = parts
            .iter()
            .fold(0, |all: u64, part| all.wrapping_add(*part));
        // The column has numbers or texts, so one of the two is empty.
        let texts = self.texts.rank();
        let mut ranking: Box<dyn FnMut(u32) -> Option<u32>> = match texts.is_empty() {
            true => {
                let mut numbers = self.numbers.rank();
                Box::new(move |place| numbers.of_place(place))
            }
            false => {
                let mut texts = texts;
                Box::new(move |place| texts.of_place(place))
            }
        };
        let mut partition = |(here, (mut ranks, sequence)): (u64, (Vec<u32>, u64))| {
            let rows = ranks.len();
            for place in &mut ranks {
                *place = ranking(*place).unwrap_or(u32::MAX);
            }
            ranks.resize(rows.next_multiple_of(CHUNK), u32::MAX);
            Ranks(Arc::new(Partition {
                key: self.key,
                rows,
                ranks,
                sequence,
                place: Place { here, of_all },
            }))
        };
        parts
            .into_iter()
            .zip(self.done)
            .map(&mut partition)
            .collect()
    }
}

impl Ranks {
    /// How many bytes they take.
    #[must_use]
    pub fn size(&self) -> usize {
        4 * self.0.ranks.len()
    }

    pub(in crate::data) fn all(&self) -> &[u32] {
        &self.0.ranks[..self.0.rows]
    }

    /// Of a chunk; rows beyond the last are never among the first.
    pub(super) fn chunk(&self, index: usize) -> Option<&[u32; CHUNK]> {
        self.0.ranks.as_chunks::<CHUNK>().0.get(index)
    }

    /// A checksum of no row yet.
    pub(in crate::data) fn start(&self) -> Sequence {
        Sequence::new(self.0.key)
    }

    /// Whether the rows of a pass were those of the sweep, in the same order.
    pub(in crate::data) fn are_of(&self, rows: u64, sequence: &Sequence) -> bool {
        (self.0.rows as u64, self.0.sequence) == (rows, sequence.sum())
    }

    pub(super) fn place(&self) -> Place {
        self.0.place
    }
}
