//! The fields of a record as a list `(A, (B, ()))`, and their columns as a list alike.

use core::marker::PhantomData;

use super::column::{Bad, Column, Dictionary};
use super::value::FieldValue;

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
    /// Appends another part of the same table.
    #[doc(hidden)]
    fn reserve(&mut self, rows: usize);
    /// Parses one text cell per column; on an error no column keeps the row.
    #[doc(hidden)]
    fn parse(&mut self, cells: &[&str], dictionary: &mut Dictionary) -> Result<(), Bad>;
    /// Takes the last row back.
    #[doc(hidden)]
    fn pop(&mut self);
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
    fn parse(&mut self, _: &[&str], _: &mut Dictionary) -> Result<(), Bad> {
        Ok(())
    }
    fn pop(&mut self) {}
}

impl<A: FieldValue, T: Fields> sealed::Fields for (A, T) {}
impl<A: Column, T: Columns> sealed::Columns for (A, T) {}

impl<A: FieldValue, T: Fields> Fields for (A, T) {
    type Columns = (A::Column, T::Columns);
    fn push(self, columns: &mut Self::Columns, dictionary: &mut Dictionary) {
        // PRIVACY: raw values move into our columns; `store` runs no code of the user's.
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
    fn parse(&mut self, cells: &[&str], dictionary: &mut Dictionary) -> Result<(), Bad> {
        let (cell, rest) = cells.split_first().ok_or(Bad)?;
        self.0.parse(cell, dictionary)?;
        self.1
            .parse(rest, dictionary)
            .inspect_err(|Bad| self.0.pop())
    }
    fn pop(&mut self) {
        self.0.pop();
        self.1.pop();
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
