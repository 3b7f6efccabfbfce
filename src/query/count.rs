//! How many rows.

use std::sync::Arc;

use super::selection::described;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed, whole};
use crate::data::Record;
use crate::data::Table;
use crate::data::{Chunk, TableQuery};
use crate::expr::{Eval, Operation, Term};

/// How many rows of `S`.
///
/// # Claim
///
/// A record contributes at most 1, whether it is added, removed or replaced.
#[derive(Debug)]
pub struct Count<S>(pub(super) S);

impl<S> sealed::QueryKind for Count<S> {}

impl<S> Count<S> {
    fn add<R: Record>(
        &self,
        chunk: &Chunk<'_, R>,
        mask: impl Eval<Value = bool>,
        cells: &mut [i128],
    ) where
        S: Selection<R>,
    {
        let keep = self.0.bind(chunk);
        let mut count = 0_i64;
        // PRIVACY: looks at raw rows.
        chunk.each(|row| count = count.wrapping_add(i64::from(keep.at(row) & mask.at(row))));
        cells[0] += i128::from(count);
    }
}

impl<R: Record, S: Selection<R>> TableQuery<R> for Count<S> {
    fn cells(&self) -> usize {
        1
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        described(Operation::Count, vec![], &self.0)
    }
}

impl<R: Record, Rel: Neighbours, S: Selection<R>> QueryKind<Table<R, Rel>> for Count<S> {
    type Answer = i64;
    const INTEGERS: bool = true;
    const L2_SQUARED: Sensitivity = <Self as HasL1<Table<R, Rel>>>::L1.squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> i64 {
        whole(noisy[0])
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((1, 1))
    }
}

impl<R: Record, Rel: Neighbours, S: Selection<R>> HasL1<Table<R, Rel>> for Count<S> {
    const L1: Sensitivity = Sensitivity::whole(1).times(Rel::STEPS).times(S::ROWS);
}
