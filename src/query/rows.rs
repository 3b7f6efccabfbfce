//! Where a query starts: the rows of a table.

use core::marker::PhantomData;

use super::{All, Count, Histogram, Neighbours, Query, Selection, Sum, Where};
use crate::domain::{AddRemove, Table};
use crate::expr::{Bounded, Condition, Expr, Keyed};
use crate::record::Record;

/// What [`rows`] can start from: a record, or a table of records under a relation. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a record nor a table of records",
    label = "not a record",
    note = "put `#[derive(Record)]` on the struct, and use `rows::<R>()` or \
            `rows::<Table<R, Replace>>()`"
)]
pub trait RowsOf: sealed::RowsOf {
    /// The record.
    type Record: Record;
    /// When two tables of them are neighbours.
    type Relation: Neighbours;
}
mod sealed {
    use super::{Neighbours, Record, Table};
    pub trait RowsOf {}
    impl<R: Record> RowsOf for R {}
    impl<R: Record, Rel: Neighbours> RowsOf for Table<R, Rel> {}
}
impl<R: Record> RowsOf for R {
    type Record = R;
    type Relation = AddRemove;
}
impl<R: Record, Rel: Neighbours> RowsOf for Table<R, Rel> {
    type Record = R;
    type Relation = Rel;
}

/// The rows of a table, symbolically: the start of every query.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, bill: f64, smoker: bool }
///
/// let older_smokers = rows::<Patient>().filter(|p| p.smoker & p.age.gt(40)).count();
/// assert_eq!(older_smokers.term().to_string(), "count(where(smoker & (age > 40)))");
///
/// let billed = rows::<Table<Patient, Replace>>().sum(|p| p.bill.clamp::<0, 10_000>());
/// assert_eq!(billed.term().to_string(), "sum(clamp(bill, 0, 10000))");
/// ```
pub fn rows<T: RowsOf>() -> Rows<T::Record, T::Relation, All> {
    Rows(All, PhantomData)
}

/// Some rows of a table of `R`, symbolically.
#[must_use = "rows alone ask nothing; end with `.count()`, `.sum(..)` or another query"]
pub struct Rows<R, Rel, S>(S, PhantomData<fn() -> (R, Rel)>);

impl<R: Record, Rel: Neighbours, S: Selection<R>> Rows<R, Rel, S> {
    pub(crate) fn select<T>(self, select: impl FnOnce(S) -> T) -> Rows<R, Rel, T> {
        Rows(select(self.0), PhantomData)
    }

    pub(crate) fn selection(self) -> S {
        self.0
    }

    /// Keeps the rows on which a condition holds.
    ///
    /// The closure runs once, now, on symbols: it never sees a row.
    pub fn filter<E>(self, f: impl FnOnce(R::Columns) -> E) -> Rows<R, Rel, Where<S, E>>
    where
        E: Condition<R>,
    {
        let condition = f(R::columns());
        self.select(|selection| Where::new::<R>(selection, condition))
    }

    /// How many rows.
    pub fn count(self) -> Query<Table<R, Rel>, Count<S>> {
        Query::new(Count(self.0))
    }

    /// The sum of a bounded expression.
    pub fn sum<E>(self, f: impl FnOnce(R::Columns) -> E) -> Query<Table<R, Rel>, Sum<S, E>>
    where
        E: Bounded + Expr<Row = R>,
    {
        Query::new(Sum::new(self.0, f(R::columns())))
    }

    /// How many rows have each of the public keys, in their order.
    pub fn histogram<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, Histogram<S, E>>
    where
        E: Keyed + Expr<Row = R>,
    {
        Query::new(Histogram::new(self.0, f(R::columns())))
    }
}
