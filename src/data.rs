//! Private data: records taken apart into columns, the relations between neighbours, and loading.

pub(crate) mod calendar;
mod decimal;
pub(crate) mod domain;
mod engine;
pub(crate) mod exponential;
mod keep;
pub(crate) mod kind;
pub mod load;
mod pair;
mod person;
pub mod plan;
pub(crate) mod rank;
mod record;
mod scan;
mod sequence;
pub mod source;
mod stream;
mod table;
pub(crate) mod vector;

use std::sync::Arc;

use crate::error::Result;

pub use calendar::{Date, Timestamp};
pub use decimal::Decimal;
pub use domain::{
    AddRemove, Domain, Groups, NamesData, NoData, PerPerson, Relation, Replace, Sampled, Table,
};
pub(crate) use keep::Most;
pub use kind::{Bool, Categorical, Days, Fixed, Int, Kind, Moments, Nullable, Real, Text, Vector};
pub use pair::{Both, Disjoint, MayShare, Pair, Sharing};
pub use person::{Choice, Hashed, Held, One, Person, PersonData, PersonQuery};
pub use plan::Term;
pub use rank::OrderKey;
pub use record::{
    BadColumn, Category, Col, Column, Columns, Derived, Dictionary, Eval, Field, FieldValue,
    Fields, First, HasPerson, Head, Next, Null, Position, Record, RecordWithoutDrop, Spelling,
    TextCells,
};
pub(crate) use record::{ValueOf, check_place};
pub(crate) use scan::Scan;
pub(crate) use stream::Division;
pub(crate) use table::{Building, CHUNK, ColumnsOf, LEFT_OUT, Places};
pub use table::{Chunk, TableData, TableQuery};

/// Private data that can answer exact queries. Only this crate implements it.
///
/// PRIVACY: `scan` returns exact answers. Only [`Run`], which never leaves the crate, calls it on data
/// that a vault holds; [`testing`](crate::testing) calls it on rows of the caller's own.
pub trait Data: Send + Sync + 'static {
    /// An exact query: a fixed number of integer cells, each a sum over the records.
    type Query: ?Sized + Send + Sync + 'static;

    /// Answers all queries in one pass, each by its cells, in the order asked.
    ///
    /// # Errors
    ///
    /// If an engine has the rows, and does not answer.
    fn scan(&self, queries: &[Arc<Self::Query>]) -> Result<Vec<Vec<i128>>>;

    /// Whether these queries can be asked at all: a public matter, settled before anything is charged.
    ///
    /// # Errors
    ///
    /// If an engine has the rows, and cannot answer one of them.
    fn check(&self, _queries: &[Arc<Self::Query>]) -> Result<()> {
        Ok(())
    }

    /// The same data, where the order of each person's rows is made from `key`.
    #[must_use]
    fn ordered_by(self, _key: OrderKey) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// The query in words, to tell it from others; it says nothing of the data.
    fn describe(query: &Self::Query) -> String;
}
