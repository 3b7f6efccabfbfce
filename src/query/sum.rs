//! The sum of a bounded expression.

use std::sync::Arc;

use super::selection::described;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed};
use crate::data::Record;
use crate::data::Table;
use crate::data::{Chunk, TableQuery};
use crate::expr::{Bounded, Eval, Expr, Kind, KindOf, Operation, Sum, Summand, Term, check_bounds};

const fn max(a: i128, b: i128) -> i128 {
    if a > b { a } else { b }
}

/// How far one record can move a sum of `E`.
pub(super) const fn span<E: Bounded>(replace: bool, whole: bool) -> i128 {
    check_bounds::<E>();
    if !replace {
        max(E::HIGH.abs(), E::LOW.abs())
    } else if whole && !<KindOf<E> as Kind>::NULLABLE {
        E::HIGH - E::LOW
    } else {
        max(E::HIGH, 0) - -max(-E::LOW, 0)
    }
}

impl<S, E> sealed::QueryKind for Sum<S, E> {}

impl<S, E: Bounded> Sum<S, E> {
    fn add(&self, chunk: &Chunk<'_, E::Row>, mask: impl Eval<Value = bool>, cells: &mut [i128])
    where
        S: Selection<E::Row>,
    {
        let keep = self.rows.bind(chunk);
        let value = self.value.bind(chunk);
        // At most 2^10 values of at most 2^51 each: no overflow.
        let mut total = 0_i64;
        // PRIVACY: looks at raw rows; each adds at most its bounds, by the integer clamp.
        chunk.each(|row| {
            let value = E::Kind::or_zero(value.at(row));
            let kept = -i64::from(keep.at(row) & mask.at(row));
            total = total.wrapping_add(kept & value);
        });
        cells[0] += i128::from(total);
    }
}

impl<R: Record, S: Selection<R>, E: Bounded + Expr<Row = R>> TableQuery<R> for Sum<S, E> {
    fn cells(&self) -> usize {
        1
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        described(Operation::Sum, vec![self.value.term()], &self.rows)
    }
}

impl<R, Rel, S, E> QueryKind<Table<R, Rel>> for Sum<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Bounded + Expr<Row = R>,
{
    type Answer = <E::Kind as Summand>::Total;
    const INTEGERS: bool = E::Kind::INTEGER;
    const L2_SQUARED: Sensitivity = <Self as HasL1<Table<R, Rel>>>::L1.squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn answer(&self, noisy: Vec<i128>, _: Option<i128>) -> Self::Answer {
        E::Kind::total(noisy[0], E::GRID)
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        Some((1, E::GRID))
    }
}

impl<R, Rel, S, E> HasL1<Table<R, Rel>> for Sum<S, E>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Bounded + Expr<Row = R>,
{
    const L1: Sensitivity = Sensitivity::whole(span::<E>(Rel::REPLACE, S::WHOLE))
        .times(Rel::STEPS)
        .times(S::ROWS);
}
