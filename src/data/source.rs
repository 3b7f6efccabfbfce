//! The seam to engines outside of this crate, which hold a vault's rows and move its columns.
//!
//! Two kinds of engine can hold a table. A [`ColumnSource`] hands over its columns, part by part, and
//! this crate computes: all queries work but those that need a person's rows at once, and samples. A
//! [`RemoteEngine`] is sent a [`Task`], runs it where the rows are, with this crate's code, and sends back the
//! exact [`Cells`]: queries that a [plan](crate::plan) can run work. Some engines do both. Either way
//! noise is drawn once, here, after the last row.
//!
//! An engine is trusted: what it promises cannot be checked, so its traits are `unsafe` to implement, and
//! `cargo privet audit` lists the implementations.

mod batch;
mod cells;
mod filled;
mod schema;
mod sweep;
mod task;

pub use batch::{Batch, Bits, Part, Values};
pub(super) use batch::{Put, Room};
pub(super) use batch::{bools, codes, ordinals, reals, seen, vectors, whole};
pub use cells::Cells;
pub(super) use cells::Texts;
pub use schema::{Schema, SourceColumn};
pub use sweep::{Ranks, Sweep};
pub use task::{Task, Worker};

use crate::error::{EngineError, Result};

/// The right to read a vault's rows: one pass over them, for a mechanism that is paid for, or for the
/// owner who opens the vault. Only this crate makes one.
#[derive(Debug)]
pub struct Pass(());

impl Pass {
    /// PRIVACY: for a vault that opens, and for the queries of a mechanism.
    pub(crate) fn new() -> Self {
        Pass(())
    }
}

/// Data that a vault can open without holding it in memory.
///
/// Implement it for what an owner names, such as a list of files. It is safe, since all it
/// does is to make one of the two that are not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not data that an engine opens",
    label = "not an engine's data"
)]
pub trait Engine {
    /// Looks at the data, and compares its columns with those of the record. The vault then reads every
    /// row once, to see that each value fits.
    ///
    /// # Errors
    ///
    /// If the data cannot be read, or a column is missing or of another type.
    fn open(self, schema: &Schema) -> Result<Opened>;
}

/// An engine that holds rows.
#[non_exhaustive]
pub enum Opened {
    /// It hands over columns.
    Columns(Box<dyn ColumnSource>),
    /// It runs plans where the rows are.
    Remote(Box<dyn RemoteEngine>),
    /// It runs plans where the rows are, and hands over columns for queries that no plan can run. Both have the
    /// same rows.
    TasksAndColumns(Box<dyn RemoteEngine>, Box<dyn ColumnSource>),
}

impl core::fmt::Debug for Opened {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Opened::Columns(_) => "Opened::Columns(..)",
            Opened::Remote(_) => "Opened::Remote(..)",
            Opened::TasksAndColumns(_, _) => "Opened::TasksAndColumns(..)",
        })
    }
}

/// What receives the batches of a pass.
pub type Sink<'a> = dyn FnMut(&Batch<'_>) -> Result<(), EngineError> + 'a;

/// Columns that can be read again and again, in parts that several threads can read at once.
///
/// # Safety
///
/// An implementation promises what no type can check, and a vault's privacy rests on it:
///
/// - *The same rows.* Every pass gives each partition the same rows in the same order, or ends in an
///   error. How rows are divided into partitions and batches must not matter to anyone but the engine.
/// - *All of them.* No row is skipped because of its values: no pruning, no predicate, no answer from
///   a summary.
/// - *Nothing else sees them.* No value, and no number of rows, is written to a log, an error or a file
///   that others can read; nothing that analysts wrote runs on them.
/// - *No value ends a pass.* Once a pass over all columns has succeeded, a later one fails only for
///   reasons that have nothing to do with values: a file that was changed, a disk that broke.
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
pub unsafe trait ColumnSource: Send + Sync + 'static {
    /// What messages call the data: a file name, a table's name. Public.
    fn name(&self) -> String;

    /// How many partitions there are. It may depend on the data's size, and on nothing else of it.
    fn partitions(&self) -> usize;

    /// How many rows a partition has, if that is known without reading it: room is then made for all of them, and loading into
    /// memory is faster. [`read`](ColumnSource::read) hands over as many.
    ///
    /// PRIVACY: as private as the rows, so it takes the right to read them.
    fn rows(&self, _pass: &Pass, _partition: usize) -> Option<u64> {
        None
    }

    /// Reads some columns of a partition, by their places in the schema, in the order asked, and hands
    /// them to `sink` batch by batch.
    ///
    /// # Errors
    ///
    /// What `sink` returns, or what keeps the engine from reading.
    fn read(
        &self,
        pass: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError>;
}

/// An engine that runs tasks where its rows are.
///
/// # Safety
///
/// As for [`ColumnSource`]. In addition: each row is counted in the cells exactly once, whatever
/// is retried; cells come from a [`Worker`] and are added up by [`Cells::merge`] and nothing else; and
/// they reach nobody on their way but this engine's own trusted machines. All workers of a task that names a
/// [person](Task::person) have the ranks of their own partition, from one [`Sweep`] over all rows or from sweeps over the same rows in
/// the same order. Of [`Opened::TasksAndColumns`], the columns have
/// the rows of the tasks.
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
pub unsafe trait RemoteEngine: Send + Sync + 'static {
    /// What messages call the data. Public.
    fn name(&self) -> String;

    /// Runs a task over all rows. A task without queries reads all its columns, to see that every value
    /// fits, and counts the rows.
    ///
    /// # Errors
    ///
    /// What keeps the engine from answering. The whole task may be run again before it is given up.
    fn run(&self, pass: &Pass, task: &Task) -> Result<Cells, EngineError>;
}
