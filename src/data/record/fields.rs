//! The fields of a record as a list `(A, (B, ()))`, and their columns as such a list.

use core::marker::PhantomData;
use core::ops::Range;

use super::column::{Bad, BadColumn, Column};
use super::dictionary::{Dictionary, TextCells};
use super::spelled::Spelling;
use super::value::FieldValue;
use crate::data::engine::{Buffer, Lane};
use crate::data::source::{Part, SourceColumn};
use crate::data::{CHUNK, Kind};
use crate::error::Misfit;

mod sealed {
    pub trait Fields {}
    pub trait Columns {}
    pub trait Position {}
}

/// A list of field values. Sealed: `()` and `(A, rest)`.
pub trait Fields: sealed::Fields + Sized {
    /// Their columns.
    type Columns: Columns;
    /// Moves one row into the columns.
    #[doc(hidden)]
    fn push(self, columns: &mut Self::Columns, dictionary: &mut Dictionary);
}

/// A list of columns. Sealed.
pub trait Columns: sealed::Columns + Default + Send + Sync + 'static {
    /// Fills the last chunk up with rows that are never counted.
    #[doc(hidden)]
    fn pad(&mut self, rows: usize);
    #[doc(hidden)]
    fn reserve(&mut self, rows: usize);
    /// Parses one cell per column, the first one at `at`, where `nulls` are null; on an error no column keeps
    /// anything of the row.
    #[doc(hidden)]
    fn parse<'a>(
        &mut self,
        at: usize,
        cell: impl Fn(usize) -> Spelling<'a>,
        nulls: &[String],
        texts: &mut TextCells,
    ) -> Result<(), BadColumn>;
    /// Moves all rows of other columns here; `codes` are those of their texts, by number.
    #[doc(hidden)]
    fn take(&mut self, other: &mut Self, codes: &[u32]);
    /// Takes the last row back.
    #[doc(hidden)]
    fn pop(&mut self);
    /// What each column holds; `names` are theirs.
    #[doc(hidden)]
    fn schema(names: &[&'static str], columns: &mut Vec<SourceColumn>);
    /// Gives back room that no row needs.
    #[doc(hidden)]
    fn shrink(&mut self);
    /// Forgets the rows of the columns in these places.
    #[doc(hidden)]
    fn clear(&mut self, at: usize, places: &[usize]);
    /// Appends some rows of the columns that are given, each with its place; says which one does not fit.
    #[doc(hidden)]
    fn append(
        &mut self,
        at: usize,
        parts: &[(usize, Part<'_>)],
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)>;
    /// Parts of all columns, to be filled by one thread.
    #[doc(hidden)]
    type Rooms<'a>: Send;
    /// So many rows that are to be filled; none if there is no memory for them.
    #[doc(hidden)]
    fn with_room(rows: usize) -> Option<Self>;
    /// The rooms of so many rows each.
    #[doc(hidden)]
    fn rooms(&mut self, rows: &[usize]) -> Vec<Self::Rooms<'_>>;
    /// Fills the next places of a room with some rows of all columns, the first one at `at`; says which one does not fit.
    #[doc(hidden)]
    fn fill(
        rooms: &mut Self::Rooms<'_>,
        at: usize,
        parts: &[Part<'_>],
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)>;
    /// Puts the table's codes of texts in place of those of another dictionary.
    #[doc(hidden)]
    fn recode(rooms: &mut Self::Rooms<'_>, codes: &[u32]);
    /// One chunk of the column at `place` for the engine, and which values are there.
    #[doc(hidden)]
    fn lane<'a>(
        &'a self,
        place: usize,
        chunk: usize,
        buffer: &'a mut Buffer,
    ) -> Option<(Lane<'a>, Option<&'a [bool; CHUNK]>)>;
}

impl sealed::Fields for () {}
impl sealed::Columns for () {}
impl Fields for () {
    type Columns = ();
    fn push(self, (): &mut (), _: &mut Dictionary) {}
}
impl Columns for () {
    fn pad(&mut self, _: usize) {}
    fn reserve(&mut self, _: usize) {}
    fn parse<'a>(
        &mut self,
        _: usize,
        _: impl Fn(usize) -> Spelling<'a>,
        _: &[String],
        _: &mut TextCells,
    ) -> Result<(), BadColumn> {
        Ok(())
    }
    fn take(&mut self, (): &mut (), _: &[u32]) {}
    fn pop(&mut self) {}
    fn schema(_: &[&'static str], _: &mut Vec<SourceColumn>) {}
    fn shrink(&mut self) {}
    fn clear(&mut self, _: usize, _: &[usize]) {}
    fn append(
        &mut self,
        _: usize,
        _: &[(usize, Part<'_>)],
        _: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)> {
        Ok(())
    }
    type Rooms<'a> = ();
    fn with_room(_: usize) -> Option<()> {
        Some(())
    }
    fn rooms(&mut self, rows: &[usize]) -> Vec<()> {
        vec![(); rows.len()]
    }
    fn fill(
        (): &mut (),
        _: usize,
        _: &[Part<'_>],
        _: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)> {
        Ok(())
    }
    fn recode((): &mut (), _: &[u32]) {}
    fn lane<'a>(
        &'a self,
        _: usize,
        _: usize,
        _: &'a mut Buffer,
    ) -> Option<(Lane<'a>, Option<&'a [bool; CHUNK]>)> {
        None
    }
}

impl<A: FieldValue, T: Fields> sealed::Fields for (A, T) {}
impl<A: Column, T: Columns> sealed::Columns for (A, T) {}

impl<A: FieldValue, T: Fields> Fields for (A, T) {
    type Columns = (A::Column, T::Columns);
    fn push(self, columns: &mut Self::Columns, dictionary: &mut Dictionary) {
        // PRIVACY: raw values move into our columns; `store` runs no user code.
        self.0.store(&mut columns.0, dictionary);
        self.1.push(&mut columns.1, dictionary);
    }
}

impl<A: Column, T: Columns> Columns for (A, T) {
    fn pad(&mut self, rows: usize) {
        self.0.pad(rows);
        self.1.pad(rows);
    }
    fn reserve(&mut self, rows: usize) {
        self.0.reserve(rows);
        self.1.reserve(rows);
    }
    #[inline]
    fn parse<'a>(
        &mut self,
        at: usize,
        cell: impl Fn(usize) -> Spelling<'a>,
        nulls: &[String],
        texts: &mut TextCells,
    ) -> Result<(), BadColumn> {
        // PRIVACY: a raw cell; an error says which column, not what is in it.
        self.0
            .parse(cell(at), nulls, texts)
            .map_err(|bad| match bad {
                Bad::Encoding => BadColumn::Encoding(at),
                Bad::Value => BadColumn::Value(at),
            })?;
        self.1
            .parse(at + 1, cell, nulls, texts)
            .inspect_err(|_| self.0.pop())
    }
    fn take(&mut self, other: &mut Self, codes: &[u32]) {
        self.0.take(&mut other.0, codes);
        self.1.take(&mut other.1, codes);
    }
    fn pop(&mut self) {
        self.0.pop();
        self.1.pop();
    }
    fn schema(names: &[&'static str], columns: &mut Vec<SourceColumn>) {
        let Some((name, names)) = names.split_first() else {
            return;
        };
        columns.push(SourceColumn {
            name: (*name).into(),
            kind: A::PLAN,
            nullable: A::Kind::NULLABLE,
            range: A::RANGE,
            keys: A::KEYS.iter().map(|key| (*key).into()).collect(),
        });
        T::schema(names, columns);
    }
    fn shrink(&mut self) {
        self.0.shrink();
        self.1.shrink();
    }
    fn clear(&mut self, at: usize, places: &[usize]) {
        if places.contains(&at) {
            self.0.clear();
        }
        self.1.clear(at + 1, places);
    }
    fn append(
        &mut self,
        at: usize,
        parts: &[(usize, Part<'_>)],
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)> {
        if let Some((_, part)) = parts.iter().find(|(place, _)| *place == at) {
            // PRIVACY: raw values move into our columns.
            self.0
                .append(*part, rows, dictionary)
                .map_err(|misfit| (at, misfit))?;
        }
        self.1.append(at + 1, parts, rows, dictionary)
    }
    type Rooms<'a> = (A::Room<'a>, T::Rooms<'a>);
    fn with_room(rows: usize) -> Option<Self> {
        Some((A::with_room(rows)?, T::with_room(rows)?))
    }
    fn rooms(&mut self, rows: &[usize]) -> Vec<Self::Rooms<'_>> {
        let first = self.0.rooms(rows);
        first.into_iter().zip(self.1.rooms(rows)).collect()
    }
    fn fill(
        rooms: &mut Self::Rooms<'_>,
        at: usize,
        parts: &[Part<'_>],
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), (usize, Misfit)> {
        let (part, parts) = parts.split_first().ok_or((at, Misfit::Length))?;
        // PRIVACY: raw values move into our columns.
        A::fill(&mut rooms.0, *part, rows, dictionary).map_err(|misfit| (at, misfit))?;
        T::fill(&mut rooms.1, at + 1, parts, rows, dictionary)
    }
    fn recode(rooms: &mut Self::Rooms<'_>, codes: &[u32]) {
        A::recode(&mut rooms.0, codes);
        T::recode(&mut rooms.1, codes);
    }
    fn lane<'a>(
        &'a self,
        place: usize,
        chunk: usize,
        buffer: &'a mut Buffer,
    ) -> Option<(Lane<'a>, Option<&'a [bool; CHUNK]>)> {
        match place.checked_sub(1) {
            None => Some((self.0.lane(chunk, buffer)?, self.0.valid(chunk))),
            Some(place) => self.1.lane(place, chunk, buffer),
        }
    }
}

/// The first of a list.
#[derive(Debug)]
pub enum First {}

/// One further than `I`.
#[derive(Debug)]
pub struct Next<I>(PhantomData<I>);

impl sealed::Position for First {}
impl<I: sealed::Position> sealed::Position for Next<I> {}

/// A place in a list of fields. Sealed.
pub trait Position<Fs: Fields>: sealed::Position + 'static {
    /// The value in that place.
    type Value: FieldValue;
    /// The place, counted from 0.
    #[doc(hidden)]
    const INDEX: usize;
    /// Its column.
    #[doc(hidden)]
    fn column(columns: &Fs::Columns) -> &<Self::Value as FieldValue>::Column;
}

impl<A: FieldValue, T: Fields> Position<(A, T)> for First {
    type Value = A;
    const INDEX: usize = 0;
    #[inline(always)]
    fn column(columns: &(A::Column, T::Columns)) -> &A::Column {
        &columns.0
    }
}

impl<A: FieldValue, T: Fields, I: Position<T>> Position<(A, T)> for Next<I> {
    type Value = I::Value;
    const INDEX: usize = I::INDEX + 1;
    #[inline(always)]
    fn column(columns: &(A::Column, T::Columns)) -> &<I::Value as FieldValue>::Column {
        I::column(&columns.1)
    }
}
