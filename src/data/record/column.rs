//! Columns in memory: plain vectors of our own types, padded to whole chunks.

use core::ops::Range;

use super::dictionary::{Dictionary, TextCells};
use super::spelled::Spelling;
use super::value::Null;
use crate::data::engine::{Buffer, Lane};
use crate::data::kind::planned;
use crate::data::plan::ValueKind;
use crate::data::source::{Part, Put, Room};
use crate::data::{CHUNK, Kind};
use crate::error::Misfit;

/// Values of one chunk, by row.
#[doc(hidden)]
pub trait Eval: Copy {
    type Value: Copy;
    fn at(&self, row: usize) -> Self::Value;
}

/// A cell that could not be read. It must not carry private content.
#[derive(Clone, Copy, Debug)]
pub enum Bad {
    Encoding,
    Value,
}

/// The place of the column at which a row could not be read.
#[derive(Clone, Copy, Debug)]
pub enum BadColumn {
    Encoding(usize),
    Value(usize),
}

/// A column of private values.
pub trait Column: Default + Send + Sync + 'static {
    /// What an expression sees.
    type Kind: Kind;
    /// One chunk of it.
    type Bound<'a>: Eval<Value = <Self::Kind as Kind>::Value>;
    /// Steps per unit.
    const STEPS: i64;
    /// Its kind in a plan; of a value that may be missing, the kind it has if it is there.
    const PLAN: ValueKind;
    fn chunk(&self, index: usize) -> Self::Bound<'_>;
    /// One chunk of it for the engine, copied to the buffer if it is stored in another form; none if
    /// the engine has no values of this kind.
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>>;
    /// Which values of the chunk are there, if they may be missing.
    fn valid(&self, index: usize) -> Option<&[bool; CHUNK]>;
    /// The least and the greatest whole number, and the keys of a category.
    const RANGE: Option<(i128, i128)>;
    const KEYS: &'static [&'static str];
    fn pad(&mut self, rows: usize);
    fn shrink(&mut self);
    /// Forgets all rows, and keeps the room that they had.
    fn clear(&mut self);
    /// Appends some rows of an engine's column; after an error the column is good for nothing.
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit>;
    /// A part of it, to be filled by one thread.
    type Room<'a>: Send;
    /// So many rows that are to be filled; none if there is no memory for them.
    fn with_room(rows: usize) -> Option<Self>;
    /// The rooms of so many rows each.
    fn rooms(&mut self, rows: &[usize]) -> Vec<Self::Room<'_>>;
    /// Fills the next places of a room with some rows of an engine's column.
    fn fill(
        room: &mut Self::Room<'_>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit>;
    /// Puts the table's codes in place of those of another dictionary.
    fn recode(room: &mut Self::Room<'_>, codes: &[u32]);
    fn pop(&mut self);
    fn reserve(&mut self, rows: usize);
    /// Reads a cell, where `nulls` are null; on an error the column is unchanged. A text goes to `texts`, and
    /// the column has its number there.
    fn parse(
        &mut self,
        cell: Spelling<'_>,
        nulls: &[String],
        texts: &mut TextCells,
    ) -> Result<(), Bad>;
    /// Moves all rows of another column here; `codes` are those of its texts, by number.
    fn take(&mut self, other: &mut Self, codes: &[u32]);
}

/// A stored value and what an expression sees of it.
pub trait Stored: Copy + Default + Send + Sync + 'static {
    type Kind: Kind;
    /// Steps per unit.
    const STEPS: i64 = 1;
    /// Its kind in a plan.
    const PLAN: ValueKind = planned::<Self::Kind>();
    fn seen(self) -> <Self::Kind as Kind>::Value;
    /// A chunk for the engine: see [`Column::lane`].
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>>;
}

/// A stored value that can be read from a text cell, or from an engine's column.
pub trait Parse: Stored {
    const RANGE: Option<(i128, i128)> = None;
    const KEYS: &'static [&'static str] = &[];
    /// Appends some rows of an engine's column. What stands in the place of a missing value does not
    /// matter.
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit>;
    /// Whether this is a text, of which a column has a number or a code.
    const TEXT: bool = false;
    /// The value with the code for the number.
    #[inline(always)]
    fn coded(self, _: &[u32]) -> Self {
        self
    }
    /// What a cell means, without the spaces around it.
    fn parse(cell: &str) -> Option<Self>;
    /// What `parse` makes of a cell, if it is spelled as most are.
    #[inline(always)]
    fn quick(_: Spelling<'_>) -> Option<Self> {
        None
    }
    #[inline(always)]
    fn read(cell: Spelling<'_>, _: &mut TextCells) -> Result<Self, Bad> {
        match Self::quick(cell) {
            Some(value) => Ok(value),
            None => unusual(cell.bytes),
        }
    }
}

/// Reads a cell that is not spelled as most are.
#[cold]
fn unusual<T: Parse>(cell: &[u8]) -> Result<T, Bad> {
    T::parse(text(cell)?).ok_or(Bad::Value)
}

/// So many places; none if there is no memory for them.
fn with_room<T: Copy + Default>(rows: usize) -> Option<Vec<T>> {
    // Zeros of numbers that the system has not been asked to write yet are written by whoever fills them.
    Vec::<T>::new().try_reserve_exact(rows).ok()?;
    Some(vec![T::default(); rows])
}

/// Puts some rows of an engine's column, of which none may be missing.
fn fill<T: Parse>(
    out: &mut impl Put<T>,
    part: Part<'_>,
    rows: &Range<usize>,
    dictionary: &mut Dictionary,
) -> Result<(), Misfit> {
    if part.misses(rows.clone())? {
        return Err(Misfit::Null);
    }
    T::fill(out, part, rows, dictionary)
}

/// Puts the table's codes in place of those of another dictionary.
fn recode<T: Parse>(room: &mut Room<'_, T>, codes: &[u32]) {
    if T::TEXT {
        for value in room.values() {
            *value = value.coded(codes);
        }
    }
}

/// Moves values, with the codes of texts for their numbers.
fn take<T: Parse>(out: &mut Vec<T>, from: &mut Vec<T>, codes: &[u32]) {
    match T::TEXT {
        true => out.extend(from.iter().map(|value| value.coded(codes))),
        false => out.extend_from_slice(from),
    }
    from.clear();
}

fn text(cell: &[u8]) -> Result<&str, Bad> {
    core::str::from_utf8(cell).map_err(|_| Bad::Encoding)
}

/// Values side by side.
pub struct Plain<T>(pub(super) Vec<T>);

impl<T> Default for Plain<T> {
    fn default() -> Self {
        Plain(Vec::new())
    }
}

/// One chunk of values.
pub struct Slice<'a, T>(&'a [T; CHUNK]);

impl<T> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<'_, T> {}

impl<T: Stored> Eval for Slice<'_, T> {
    type Value = <T::Kind as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        self.0[row].seen()
    }
}

/// The chunk of that index; out of range is a bug in this crate, and does not depend on values.
fn slice<T>(values: &[T], index: usize) -> &[T; CHUNK] {
    &values.as_chunks::<CHUNK>().0[index]
}

impl<T: Parse> Column for Plain<T> {
    type Kind = T::Kind;
    type Bound<'a> = Slice<'a, T>;
    const STEPS: i64 = T::STEPS;
    const PLAN: ValueKind = T::PLAN;
    fn chunk(&self, index: usize) -> Slice<'_, T> {
        Slice(slice(&self.0, index))
    }
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        T::lane(slice(&self.0, index), buffer)
    }
    fn valid(&self, _: usize) -> Option<&[bool; CHUNK]> {
        None
    }
    const RANGE: Option<(i128, i128)> = T::RANGE;
    const KEYS: &'static [&'static str] = T::KEYS;
    fn pad(&mut self, rows: usize) {
        self.0.resize(rows.max(self.0.len()), T::default());
    }
    fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
    fn clear(&mut self) {
        self.0.clear();
    }
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        fill(&mut self.0, part, rows, dictionary)
    }
    type Room<'a> = Room<'a, T>;
    fn with_room(rows: usize) -> Option<Self> {
        with_room(rows).map(Plain)
    }
    fn rooms(&mut self, rows: &[usize]) -> Vec<Room<'_, T>> {
        Room::parts(&mut self.0, rows)
    }
    fn fill(
        room: &mut Room<'_, T>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        fill(room, part, rows, dictionary)
    }
    fn recode(room: &mut Room<'_, T>, codes: &[u32]) {
        recode(room, codes);
    }
    fn pop(&mut self) {
        self.0.pop();
    }
    fn reserve(&mut self, rows: usize) {
        self.0.reserve(rows);
    }
    #[inline(always)]
    fn parse(
        &mut self,
        cell: Spelling<'_>,
        _: &[String],
        texts: &mut TextCells,
    ) -> Result<(), Bad> {
        self.0.push(T::read(cell, texts)?);
        Ok(())
    }
    fn take(&mut self, other: &mut Self, codes: &[u32]) {
        take(&mut self.0, &mut other.0, codes);
    }
}

/// Whether spaces may be around a cell; false if it begins and ends with a character of ASCII that is not one.
#[inline(always)]
fn spaced(cell: &[u8]) -> bool {
    match (cell.first(), cell.last()) {
        (Some(first), Some(last)) => !(first.is_ascii_graphic() && last.is_ascii_graphic()),
        _ => false,
    }
}

/// Whether a cell is a name of null.
#[inline(always)]
fn is_null(name: &[u8], nulls: &[String]) -> bool {
    // Most lists have the empty cell, which needs no comparison.
    nulls.iter().any(|null| match null.as_bytes() {
        [] => name.is_empty(),
        null => null == name,
    })
}

/// Values, and which of them are there.
pub struct Nulls<T> {
    pub(super) values: Vec<T>,
    pub(super) valid: Vec<bool>,
}

impl<T> Default for Nulls<T> {
    fn default() -> Self {
        Nulls {
            values: Vec::new(),
            valid: Vec::new(),
        }
    }
}

/// One chunk of nullable values.
pub struct NullSlice<'a, T>(&'a [T; CHUNK], &'a [bool; CHUNK]);

impl<T> Clone for NullSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for NullSlice<'_, T> {}

impl<T: Stored> Eval for NullSlice<'_, T> {
    type Value = Null<<T::Kind as Kind>::Value>;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        Null {
            valid: self.1[row],
            value: self.0[row].seen(),
        }
    }
}

impl<T: Parse> Column for Nulls<T> {
    type Kind = crate::data::Nullable<T::Kind>;
    type Bound<'a> = NullSlice<'a, T>;
    const STEPS: i64 = T::STEPS;
    const PLAN: ValueKind = T::PLAN;
    fn chunk(&self, index: usize) -> NullSlice<'_, T> {
        NullSlice(slice(&self.values, index), slice(&self.valid, index))
    }
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        T::lane(slice(&self.values, index), buffer)
    }
    fn valid(&self, index: usize) -> Option<&[bool; CHUNK]> {
        Some(slice(&self.valid, index))
    }
    const RANGE: Option<(i128, i128)> = T::RANGE;
    const KEYS: &'static [&'static str] = T::KEYS;
    fn pad(&mut self, rows: usize) {
        self.values
            .resize(rows.max(self.values.len()), T::default());
        self.valid.resize(rows.max(self.valid.len()), false);
    }
    fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.valid.shrink_to_fit();
    }
    fn clear(&mut self) {
        self.values.clear();
        self.valid.clear();
    }
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        match part.valid {
            Some(valid) => valid.unpack(rows.clone(), &mut self.valid)?,
            None => self.valid.resize(self.valid.len() + rows.len(), true),
        }
        T::fill(&mut self.values, part, rows, dictionary)
    }
    type Room<'a> = (Room<'a, T>, Room<'a, bool>);
    fn with_room(rows: usize) -> Option<Self> {
        let (values, valid) = (with_room(rows)?, with_room(rows)?);
        Some(Nulls { values, valid })
    }
    fn rooms(&mut self, rows: &[usize]) -> Vec<Self::Room<'_>> {
        let values = Room::parts(&mut self.values, rows);
        let valid = Room::parts(&mut self.valid, rows);
        values.into_iter().zip(valid).collect()
    }
    fn fill(
        (values, valid): &mut Self::Room<'_>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        match part.valid {
            Some(bits) => {
                let mut there = Vec::with_capacity(rows.len());
                bits.unpack(rows.clone(), &mut there)?;
                valid.put(there.into_iter());
            }
            None => valid.put(rows.clone().map(|_| true)),
        }
        T::fill(values, part, rows, dictionary)
    }
    fn recode((values, _): &mut Self::Room<'_>, codes: &[u32]) {
        recode(values, codes);
    }
    fn pop(&mut self) {
        self.values.pop();
        self.valid.pop();
    }
    fn reserve(&mut self, rows: usize) {
        self.values.reserve(rows);
        self.valid.reserve(rows);
    }
    #[inline(always)]
    fn parse(
        &mut self,
        cell: Spelling<'_>,
        nulls: &[String],
        texts: &mut TextCells,
    ) -> Result<(), Bad> {
        let name = if !T::TEXT && spaced(cell.bytes) {
            text(cell.bytes)?.trim().as_bytes()
        } else {
            cell.bytes
        };
        if is_null(name, nulls) {
            self.values.push(T::default());
            self.valid.push(false);
        } else {
            self.values.push(T::read(cell, texts)?);
            self.valid.push(true);
        }
        Ok(())
    }
    fn take(&mut self, other: &mut Self, codes: &[u32]) {
        take(&mut self.values, &mut other.values, codes);
        self.valid.append(&mut other.valid);
    }
}

/// A text, as its code in the table's dictionary; while a file is read, as its number among some rows.
#[derive(Clone, Copy, Default)]
pub struct TextCode(pub(super) u32);
