//! A few chunks of an engine's column, filled again and again, without the record.

use core::ops::Range;

use super::batch::{bools, codes, coordinates, ordinals, reals, seen};
use super::{Part, SourceColumn};
use crate::data::engine::Lane;
use crate::data::plan::ValueKind;
use crate::data::{CHUNK, Dictionary};
use crate::error::Misfit;

/// Some chunks of a column, for the engine.
pub(super) struct Filled {
    values: Lanes,
    valid: Option<Vec<bool>>,
}

enum Lanes {
    Int(Vec<i64>),
    Real(Vec<f64>),
    Bool(Vec<bool>),
    Code(Vec<u32>),
    /// One row after the other, of that many coordinates.
    Vectors(Vec<f64>, usize),
    /// Vectors that no program reads; whether they are there is checked.
    Unread(usize),
}

fn resize<T: Copy + Default>(values: &mut Vec<T>, rows: usize) {
    values.resize(rows, T::default());
}

fn chunk<T>(values: &[T], index: usize) -> Option<&[T; CHUNK]> {
    values.as_chunks::<CHUNK>().0.get(index)
}

impl Filled {
    /// No rows yet, of a column that is read or only checked.
    pub(super) fn new(column: &SourceColumn, read: bool) -> Self {
        Filled {
            values: match column.kind {
                ValueKind::Float => Lanes::Real(Vec::new()),
                ValueKind::Boolean => Lanes::Bool(Vec::new()),
                ValueKind::Textual | ValueKind::Key(_) => Lanes::Code(Vec::new()),
                ValueKind::Floats(width) if read => Lanes::Vectors(Vec::new(), width as usize),
                ValueKind::Floats(width) => Lanes::Unread(width as usize),
                _ => Lanes::Int(Vec::new()),
            },
            valid: column.nullable.then(Vec::new),
        }
    }

    /// Appends some rows of an engine's column.
    pub(super) fn append(
        &mut self,
        column: &SourceColumn,
        part: Part<'_>,
        rows: Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        match (&mut self.valid, part.valid) {
            (Some(valid), Some(bits)) => bits.unpack(rows.clone(), valid)?,
            (Some(valid), None) => valid.resize(valid.len() + rows.len(), true),
            (None, _) if part.misses(rows.clone())? => return Err(Misfit::Null),
            (None, _) => {}
        }
        match &mut self.values {
            Lanes::Int(out) => {
                let all = (i64::MIN.into(), i64::MAX.into());
                seen(part, &rows, column.range.unwrap_or(all), out)
            }
            Lanes::Real(out) => reals(part, &rows, out),
            Lanes::Bool(out) => bools(part, &rows, out),
            Lanes::Code(out) => match column.kind {
                ValueKind::Key(_) => ordinals(part, &rows, &column.keys, out),
                _ => codes(part, &rows, dictionary, out),
            },
            Lanes::Vectors(out, width) => {
                out.extend_from_slice(coordinates(part, &rows, *width)?);
                Ok(())
            }
            Lanes::Unread(width) => coordinates(part, &rows, *width).map(drop),
        }
    }

    /// Fills the last chunk up, or empties all.
    pub(super) fn resize(&mut self, rows: usize) {
        match &mut self.values {
            Lanes::Int(values) => resize(values, rows),
            Lanes::Real(values) => resize(values, rows),
            Lanes::Bool(values) => resize(values, rows),
            Lanes::Code(values) => resize(values, rows),
            Lanes::Vectors(values, width) => resize(values, rows * *width),
            Lanes::Unread(_) => {}
        }
        if let Some(valid) = &mut self.valid {
            resize(valid, rows);
        }
    }

    /// One chunk, and which values are there; none of what no program reads.
    pub(super) fn lane(&self, index: usize) -> Option<(Lane<'_>, Option<&[bool; CHUNK]>)> {
        let lane = match &self.values {
            Lanes::Int(values) => Lane::Int(chunk(values, index)?),
            Lanes::Real(values) => Lane::Real(chunk(values, index)?),
            Lanes::Bool(values) => Lane::Bool(chunk(values, index)?),
            Lanes::Code(values) => Lane::Code(chunk(values, index)?),
            Lanes::Vectors(values, width) => {
                let each = CHUNK * width;
                Lane::Vectors(values.get(index * each..(index + 1) * each)?, *width)
            }
            Lanes::Unread(_) => return None,
        };
        let valid = self.valid.as_ref().and_then(|valid| chunk(valid, index));
        Some((lane, valid))
    }
}
