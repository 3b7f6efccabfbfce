//! How many different keys occur.

use std::sync::Arc;

use super::{HasL1, Histogram, Neighbours, QueryKind, Selection, Sensitivity, sealed, whole};
use crate::data::Record;
use crate::data::Table;
use crate::data::TableQuery;
use crate::expr::{Expr, Keyed, Operation, Term};

/// How many of the public keys of `E` occur in the rows of `S`.
///
/// # Claim
///
/// Adding or removing a record makes at most one key appear or vanish. Replacing a record makes at most
/// one key appear and one vanish, so the number moves by at most 1.
#[derive(Debug)]
pub struct Distinct<S, E>(pub(super) Arc<Histogram<S, E>>);

impl<S, E> sealed::QueryKind for Distinct<S, E> {}

impl<R, Rel, S, E> QueryKind<Table<R, Rel>> for Distinct<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    type Answer = i64;
    const INTEGERS: bool = true;
    const L2_SQUARED: Sensitivity = <Self as HasL1<Table<R, Rel>>>::L1.squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        Arc::<Histogram<S, E>>::clone(&this.0)
    }
    fn exact(&self, cells: Vec<i128>) -> (Vec<i128>, Option<i128>) {
        (
            vec![cells.iter().map(|count| i128::from(*count > 0)).sum()],
            None,
        )
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> i64 {
        whole(noisy[0])
    }
    fn term(&self) -> Term {
        Term::Apply(Operation::Distinct, vec![TableQuery::<R>::term(&*self.0)])
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((1, 1))
    }
}

impl<R, Rel, S, E> HasL1<Table<R, Rel>> for Distinct<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    const L1: Sensitivity = Sensitivity::whole(1).times(Rel::STEPS).times(S::ROWS);
}
