//! Counts by public keys.

use std::sync::Arc;

use super::selection::described;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed, whole};
use crate::data::Record;
use crate::data::Table;
use crate::data::{CHUNK, Chunk, TableQuery};
use crate::expr::{Eval, Expr, Keyed, Operation, Term, check_size};

/// How many rows of `S` have each key of `E`.
///
/// # Claim
///
/// A record is in one cell: adding or removing it moves the counts by 1 in L1 and in squared L2;
/// replacing it moves two cells by 1 each.
#[derive(Debug)]
pub struct Histogram<S, E> {
    rows: S,
    key: E,
}

impl<S, E: Keyed> Histogram<S, E> {
    pub(super) fn new(rows: S, key: E) -> Self {
        const { check_size::<E>() };
        Histogram { rows, key }
    }
}

impl<S, E: Keyed> Histogram<S, E> {
    fn add(&self, chunk: &Chunk<'_, E::Row>, mask: impl Eval<Value = bool>, cells: &mut [i128])
    where
        S: Selection<E::Row>,
    {
        let keep = self.rows.bind(chunk);
        let key = self.key.bind(chunk);
        // PRIVACY: looks at raw rows; each adds 1 to one cell. Rows left out have a place of
        // their own, past the last cell: the same work for every row.
        let mut places = [0_u32; CHUNK];
        chunk.each(|row| {
            let (valid, cell) = E::cell(key.at(row));
            places[row] = if valid & keep.at(row) & mask.at(row) {
                cell as u32
            } else {
                E::CELLS as u32
            };
        });
        if E::CELLS < SMALL {
            // Four counters per cell, so that equal keys in a row need not wait for each other.
            let mut counts = [[0_u32; SMALL]; 4];
            chunk.each(|row| counts[row % 4][places[row] as usize % SMALL] += 1);
            for (cell, total) in cells.iter_mut().enumerate() {
                *total += counts
                    .iter()
                    .map(|counts| i128::from(counts[cell]))
                    .sum::<i128>();
            }
        } else {
            // A row left out adds 0 to the first cell: no branch on a key.
            chunk.each(|row| {
                let place = places[row] as usize;
                let inside = place < cells.len();
                cells[place & usize::from(inside).wrapping_neg()] += i128::from(inside);
            });
        }
    }
}

/// The largest number of cells that are counted on the stack.
const SMALL: usize = 128;

impl<S, E> sealed::QueryKind for Histogram<S, E> {}

impl<R: Record, S: Selection<R>, E: Keyed + Expr<Row = R>> TableQuery<R> for Histogram<S, E> {
    fn cells(&self) -> usize {
        E::CELLS
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        described(Operation::Histogram, vec![self.key.term()], &self.rows)
    }
}

impl<R, Rel, S, E> QueryKind<Table<R, Rel>> for Histogram<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    type Answer = Vec<i64>;
    const INTEGERS: bool = true;
    const COUNTS: bool = true;
    // All rows of a person may fall into one cell, so their number counts squared.
    const L2_SQUARED: Sensitivity = Sensitivity::whole(if Rel::REPLACE { 2 } else { 1 })
        .times(Rel::STEPS * Rel::STEPS)
        .times(S::ROWS * S::ROWS);
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> Vec<i64> {
        noisy.into_iter().map(whole).collect()
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((E::CELLS, 1))
    }
}

impl<R, Rel, S, E> HasL1<Table<R, Rel>> for Histogram<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    const L1: Sensitivity = Sensitivity::whole(if Rel::REPLACE { 2 } else { 1 })
        .times(Rel::STEPS)
        .times(S::ROWS);
}
