//! How many rows have each key or an earlier one.

use std::sync::Arc;

use super::{HasL1, Histogram, Neighbours, QueryKind, Selection, Sensitivity, sealed, whole};
use crate::data::Record;
use crate::data::Table;
use crate::data::TableQuery;
use crate::expr::{Expr, Keyed, Operation, Term};

/// For each public key of `E`, in order, how many rows of `S` have that key or an earlier one.
///
/// # Claim
///
/// The noise goes to the disjoint counts of a [`Histogram`]; adding them up is post-processing.
#[derive(Debug)]
pub struct Cumulative<S, E>(pub(super) Arc<Histogram<S, E>>);

impl<S, E> sealed::QueryKind for Cumulative<S, E> {}

impl<R, Rel, S, E> QueryKind<Table<R, Rel>> for Cumulative<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    type Answer = Vec<i64>;
    const INTEGERS: bool = true;
    const COUNTS: bool = true;
    const L2_SQUARED: Sensitivity = <Histogram<S, E> as QueryKind<Table<R, Rel>>>::L2_SQUARED;
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        Arc::<Histogram<S, E>>::clone(&this.0)
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> Vec<i64> {
        let add = |total: &mut i128, count: i128| {
            *total = total.saturating_add(count);
            Some(whole(*total))
        };
        noisy.into_iter().scan(0, add).collect()
    }
    fn term(&self) -> Term {
        Term::Apply(Operation::Cumulative, vec![TableQuery::<R>::term(&*self.0)])
    }
}

impl<R, Rel, S, E> HasL1<Table<R, Rel>> for Cumulative<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    const L1: Sensitivity = <Histogram<S, E> as HasL1<Table<R, Rel>>>::L1;
}
