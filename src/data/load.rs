//! Where private rows come from, when the data owner opens a vault.

mod blocks;
mod cells;
mod csv;
mod format;
mod in_order;
mod lines;
mod plain;
mod reading;
mod report;

pub use csv::{Csv, Lenient, Multiline, Progress, Strict};
pub use report::{LoadReport, Skipped};

pub use crate::data::calendar::BadDate;
pub use crate::data::decimal::BadDecimal;
pub use crate::error::Fault;

use crate::data::source::Engine;
use crate::data::stream::{Outside, in_memory, schema};
use crate::data::{Domain, Record, Relation, Table, TableData};
use crate::error::Result;

pub(crate) mod sealed {
    pub trait Source {}
}

/// Something a vault can open: rows in memory or in a file. Sealed.
///
/// Rows are split into columns at once. A source is either loaded completely or not at all.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be opened as `{In}`",
    label = "not a source of `{In}`",
    note = "a vault opens from a `Vec` of records, from an iterator in `Stream::new(..)`, from a CSV file or from an engine"
)]
pub trait Source<In: Domain>: sealed::Source {
    /// Reads everything, and notes in the owner's report what was skipped.
    #[doc(hidden)]
    fn load(self, report: &mut LoadReport) -> Result<In::Data>;
}

impl<R: Record> sealed::Source for Vec<R> {}
impl<R: Record, Rel: Relation> Source<Table<R, Rel>> for Vec<R> {
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        Ok(TableData::from_rows(self))
    }
}

#[diagnostic::do_not_recommend]
impl<E: Engine> sealed::Source for E {}
/// Rows that stay where they are.
#[diagnostic::do_not_recommend]
impl<R: Record, Rel: Relation, E: Engine> Source<Table<R, Rel>> for E {
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        let opened = self.open(&schema::<R>())?;
        Ok(TableData::of_engine(Outside::open(opened)?))
    }
}

/// Data of an engine, loaded into memory column by column when the vault opens, instead of being read
/// anew for each release.
#[derive(Debug)]
pub struct InMemory<E>(E);

impl<E: Engine> InMemory<E> {
    /// All rows of an engine that hands over columns.
    pub fn of(engine: E) -> Self {
        InMemory(engine)
    }
}

impl<E> sealed::Source for InMemory<E> {}
impl<R: Record, Rel: Relation, E: Engine> Source<Table<R, Rel>> for InMemory<E> {
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        Ok(in_memory(self.0.open(&schema::<R>())?)?)
    }
}

/// Rows from an iterator, so that they need not all be in memory as records.
#[derive(Debug)]
pub struct Stream<I>(I);

impl<I> Stream<I> {
    /// Rows from an iterator.
    pub fn new(rows: I) -> Self {
        Stream(rows)
    }
}

impl<I> sealed::Source for Stream<I> {}
impl<R: Record, Rel: Relation, I: IntoIterator<Item = R>> Source<Table<R, Rel>> for Stream<I> {
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        Ok(TableData::from_rows(self.0))
    }
}
