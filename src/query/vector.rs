//! The sum of vectors clipped to a norm.

use std::sync::Arc;

use super::selection::described;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed};
use crate::data::Record;
use crate::data::Table;
use crate::data::{Chunk, TableQuery};
use crate::expr::{Clipped, ClippedL1, Eval, Expr, Operation, Term, check_size};

/// The sum of vectors `E` of `D` coordinates over the rows of `S`.
///
/// # Claim
///
/// With norm C on the grid: a record added or removed moves the sum by a vector of norm at most C,
/// a record replaced by at most 2C. Vectors clipped in L1 have both norms bounded by C. Vectors
/// clipped in L2 have an irrational L1 norm in general, and so no L1 sensitivity here.
#[derive(Debug)]
pub struct VectorSum<S, E, const D: usize> {
    rows: S,
    vector: E,
}

impl<S, E: Clipped<D>, const D: usize> VectorSum<S, E, D> {
    pub(super) fn new(rows: S, vector: E) -> Self {
        const { check_size::<E>() };
        VectorSum { rows, vector }
    }
}

pub(super) const fn span(norm: i128, replace: bool) -> Sensitivity {
    Sensitivity::whole(if replace { 2 * norm } else { norm })
}

impl<S, E, const D: usize> sealed::QueryKind for VectorSum<S, E, D> {}

impl<R, S, E, const D: usize> VectorSum<S, E, D>
where
    R: Record,
    S: Selection<R>,
    E: Clipped<D> + Expr<Row = R>,
{
    fn add(&self, chunk: &Chunk<'_, R>, mask: impl Eval<Value = bool>, cells: &mut [i128]) {
        let keep = self.rows.bind(chunk);
        let vector = self.vector.bind(chunk);
        // At most 2^10 values of at most 2^26 each: no overflow.
        let mut total = [0_i64; D];
        // PRIVACY: looks at raw rows; each adds a vector within the norm, by integer arithmetic.
        chunk.each(|row| {
            let kept = -i64::from(keep.at(row) & mask.at(row));
            let vector = vector.at(row);
            for (total, value) in total.iter_mut().zip(vector) {
                *total = total.wrapping_add(kept & value);
            }
        });
        for (cell, total) in cells.iter_mut().zip(total) {
            *cell += i128::from(total);
        }
    }
}

impl<R, S, E, const D: usize> TableQuery<R> for VectorSum<S, E, D>
where
    R: Record,
    S: Selection<R>,
    E: Clipped<D> + Expr<Row = R>,
{
    fn cells(&self) -> usize {
        D
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        described(Operation::VectorSum, vec![self.vector.term()], &self.rows)
    }
}

impl<R, Rel, S, E, const D: usize> QueryKind<Table<R, Rel>> for VectorSum<S, E, D>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Clipped<D> + Expr<Row = R>,
{
    type Answer = [f64; D];
    const INTEGERS: bool = false;
    const L2_SQUARED: Sensitivity = span(E::NORM, Rel::REPLACE)
        .times(Rel::STEPS)
        .times(S::ROWS)
        .squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> [f64; D] {
        core::array::from_fn(|i| noisy[i] as f64 / E::GRID as f64)
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((D, E::GRID))
    }
}

impl<R, Rel, S, E, const D: usize> HasL1<Table<R, Rel>> for VectorSum<S, E, D>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: ClippedL1<D> + Expr<Row = R>,
{
    const L1: Sensitivity = span(E::NORM, Rel::REPLACE).times(Rel::STEPS).times(S::ROWS);
}
