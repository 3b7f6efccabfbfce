//! A sum between bounds that are known at run time only.

use std::sync::Arc;

use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed};
use crate::data::{Record, Table, TableQuery};
use crate::expr::{Bounded, Bounds, Bracketed, Expr, Share, SharesOf, Sum, Term};

/// The sum of `E` over the rows of `S`, each value within public bounds that are known at run time.
///
/// # Claim
///
/// What is summed is each value's share of the larger bound, in millionths from -10^6 to 10^6. So the sensitivity is
/// a constant of the type, whatever the bounds are: 10^6 steps for a record added or removed, twice that for one replaced.
/// Multiplying the noisy sum by the larger bound is post-processing.
#[derive(Debug)]
pub struct SumBetween<S, E> {
    shares: Arc<Sum<S, SharesOf<E>>>,
    bounds: Bounds,
}

impl<S, E: Expr<Kind: Bracketed>> SumBetween<S, E>
where
    SharesOf<E>: Bounded,
{
    pub(super) fn new(rows: S, value: E, bounds: Bounds) -> Self {
        SumBetween {
            shares: Arc::new(Sum::new(rows, Share::clamped(value, bounds))),
            bounds,
        }
    }
}

impl<S, E> sealed::QueryKind for SumBetween<S, E> {}

impl<R, Rel, S, E> QueryKind<Table<R, Rel>> for SumBetween<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Expr<Row = R, Kind: Bracketed>,
    Sum<S, SharesOf<E>>: HasL1<Table<R, Rel>, Answer = f64> + TableQuery<R>,
{
    type Answer = f64;
    const INTEGERS: bool = false;
    const L2_SQUARED: Sensitivity = <Sum<S, SharesOf<E>> as QueryKind<Table<R, Rel>>>::L2_SQUARED;
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        Arc::<Sum<S, SharesOf<E>>>::clone(&this.shares)
    }
    fn answer(&self, noisy: Vec<i128>, rows: Option<i128>) -> f64 {
        QueryKind::<Table<R, Rel>>::answer(&*self.shares, noisy, rows) * self.bounds.unit()
    }
    fn shape(&self) -> Option<(usize, i128)> {
        QueryKind::<Table<R, Rel>>::shape(&*self.shares)
    }
    fn unit(&self) -> f64 {
        self.bounds.unit()
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(&*self.shares)
    }
}

impl<R, Rel, S, E> HasL1<Table<R, Rel>> for SumBetween<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Expr<Row = R, Kind: Bracketed>,
    Sum<S, SharesOf<E>>: HasL1<Table<R, Rel>, Answer = f64> + TableQuery<R>,
{
    const L1: Sensitivity = <Sum<S, SharesOf<E>> as HasL1<Table<R, Rel>>>::L1;
}
