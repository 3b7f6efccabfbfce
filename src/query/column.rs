//! One column of some rows.

use super::selection::Contributions;
use super::{Cumulative, Distinct, Histogram, Neighbours, Query, Rows, Selection, VectorSum};
use crate::data::Record;
use crate::data::Table;
use crate::expr::{Bounded, Clipped, Keyed, Over, Sum};

/// An expression over some rows, made by [`Rows::select`]. Its queries equal those of [`Rows`] with this
/// expression in place of the closure.
#[must_use = "a column alone asks nothing; end with `.sum()`, `.histogram()` or another query"]
pub struct Selected<R, Rel, S, E> {
    pub(super) rows: Rows<R, Rel, S>,
    pub(super) value: E,
}

impl<R, Rel, S, E> Selected<R, Rel, S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R> + Contributions<Rel>,
    E: Over<R>,
{
    /// The same as [`Rows::sum`].
    pub fn sum(self) -> Query<Table<R, Rel>, Sum<S, E::Summed>>
    where
        E: Bounded,
    {
        self.rows.sum(|_| self.value)
    }

    /// The same as [`Rows::vector_sum`].
    pub fn vector_sum<const D: usize>(self) -> Query<Table<R, Rel>, VectorSum<S, E::Vector, D>>
    where
        E: Clipped<D>,
    {
        self.rows.vector_sum(|_| self.value)
    }

    /// The same as [`Rows::histogram`].
    pub fn histogram(self) -> Query<Table<R, Rel>, Histogram<S, E::Key>>
    where
        E: Keyed,
    {
        self.rows.histogram(|_| self.value)
    }

    /// The same as [`Rows::cumulative`].
    pub fn cumulative(self) -> Query<Table<R, Rel>, Cumulative<S, E::Key>>
    where
        E: Keyed,
    {
        self.rows.cumulative(|_| self.value)
    }

    /// The same as [`Rows::distinct`].
    pub fn distinct(self) -> Query<Table<R, Rel>, Distinct<S, E::Key>>
    where
        E: Keyed,
    {
        self.rows.distinct(|_| self.value)
    }
}
