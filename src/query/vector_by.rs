//! The sums of clipped vectors, by public keys.

use std::sync::Arc;

use super::selection::described;
use super::vector::span;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed};
use crate::data::Record;
use crate::data::Table;
use crate::data::{Chunk, TableQuery};
use crate::expr::{Clipped, ClippedL1, Eval, Expr, Keyed, Operation, Term, check_size};

/// For each key of `E`, the sum of vectors `V` of `D` coordinates over the rows of `S` that have it.
///
/// # Claim
///
/// A record is in the sum of one key at most, with a vector of norm at most C on the grid: adding
/// or removing it moves all cells together by a vector of norm at most C. Replacing it moves the
/// sum of one key by at most 2C, or two of them by at most C each: by at most 2C in both norms.
#[derive(Debug)]
pub struct VectorSums<S, E, V, const D: usize> {
    rows: S,
    key: E,
    vector: V,
}

impl<S, E: Keyed, V: Clipped<D>, const D: usize> VectorSums<S, E, V, D> {
    pub(super) fn new(rows: S, key: E, vector: V) -> Self {
        const { check_size::<E>() };
        const { check_size::<V>() };
        const {
            assert!(
                E::CELLS.saturating_mul(D) <= 1 << 20,
                "sums of vectors have at most 2^20 cells"
            );
        }
        VectorSums { rows, key, vector }
    }
}

impl<S, E, V, const D: usize> sealed::QueryKind for VectorSums<S, E, V, D> {}

impl<R, S, E, V, const D: usize> VectorSums<S, E, V, D>
where
    R: Record,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
    V: Clipped<D> + Expr<Row = R>,
{
    fn add(&self, chunk: &Chunk<'_, R>, mask: impl Eval<Value = bool>, cells: &mut [i128]) {
        let keep = self.rows.bind(chunk);
        let key = self.key.bind(chunk);
        let vector = self.vector.bind(chunk);
        // PRIVACY: looks at raw rows; each adds a vector within the norm, by integer arithmetic, to
        // the cells of one key. A row left out adds zeros: the same work for every row.
        chunk.each(|row| {
            let (valid, cell) = E::cell(key.at(row));
            let kept = -i64::from(valid & keep.at(row) & mask.at(row));
            let cell = cell.min(E::CELLS - 1);
            for (total, value) in cells[cell * D..][..D].iter_mut().zip(vector.at(row)) {
                *total += i128::from(kept & value);
            }
        });
    }
}

impl<R, S, E, V, const D: usize> TableQuery<R> for VectorSums<S, E, V, D>
where
    R: Record,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
    V: Clipped<D> + Expr<Row = R>,
{
    fn cells(&self) -> usize {
        E::CELLS * D
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        let parts = vec![self.key.term(), self.vector.term()];
        described(Operation::VectorSums, parts, &self.rows)
    }
}

impl<R, Rel, S, E, V, const D: usize> QueryKind<Table<R, Rel>> for VectorSums<S, E, V, D>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
    V: Clipped<D> + Expr<Row = R>,
{
    type Answer = Vec<[f64; D]>;
    const INTEGERS: bool = false;
    const L2_SQUARED: Sensitivity = span(V::NORM, Rel::REPLACE)
        .times(Rel::STEPS)
        .times(S::ROWS)
        .squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> Vec<[f64; D]> {
        let one = |cells: &[i128; D]| cells.map(|cell| cell as f64 / V::GRID as f64);
        noisy.as_chunks::<D>().0.iter().map(one).collect()
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((E::CELLS * D, V::GRID))
    }
}

impl<R, Rel, S, E, V, const D: usize> HasL1<Table<R, Rel>> for VectorSums<S, E, V, D>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
    V: ClippedL1<D> + Expr<Row = R>,
{
    const L1: Sensitivity = span(V::NORM, Rel::REPLACE).times(Rel::STEPS).times(S::ROWS);
}
