//! Mean and variance: compositions in general, and single queries where the number of rows is public.

use std::sync::Arc;

use super::sum::span;
use super::{Count, HasL1, Query, QueryKind, Sensitivity, Sum, sealed};
use crate::data::Record;
use crate::data::{Chunk, TableQuery};
use crate::data::{Replace, Table};
use crate::expr::{
    Bounded, Eval, Expr, Fixed, Int, IsNull, Kind, KindOf, Not, Nullable, Operation, Square,
    Summand, Term, Where, check_bounds, check_size,
};

/// Kinds that have a mean. Sealed with [`Kind`].
pub trait Averaged<S, E>: Summand {
    /// The rows of `S` that have a value.
    type Counted;
    fn counted(rows: &Arc<S>, value: &E) -> Self::Counted;
}
impl<S, E> Averaged<S, E> for Int {
    type Counted = Arc<S>;
    fn counted(rows: &Arc<S>, _: &E) -> Arc<S> {
        Arc::clone(rows)
    }
}
impl<S, E> Averaged<S, E> for Fixed {
    type Counted = Arc<S>;
    fn counted(rows: &Arc<S>, _: &E) -> Arc<S> {
        Arc::clone(rows)
    }
}
impl<K, S, E> Averaged<S, E> for Nullable<K>
where
    K: Summand<Value = i64>,
    E: Expr<Kind = Nullable<K>> + Clone,
{
    type Counted = Where<Arc<S>, Not<IsNull<E>>>;
    fn counted(rows: &Arc<S>, value: &E) -> Self::Counted {
        Where::new::<E::Row>(Arc::clone(rows), IsNull::denied(value.clone()))
    }
}

/// The rows of `S` on which `E` has a value.
pub(crate) type Counted<S, E> = <KindOf<E> as Averaged<S, E>>::Counted;

/// Kinds with a value on every row, so that under `Replace` the number of values is public. Sealed
/// with [`Kind`].
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` may be missing, so their number is private",
    label = "may be missing",
    note = "leave out rows without a value with `.filter(|p| !p.bill.is_null())`, or give them a \
            default with `.or(..)`"
)]
pub trait Total: Summand<Value = i64> {}
impl Total for Int {}
impl Total for Fixed {}

/// The queries behind a mean: release both, and divide.
#[must_use = "these are queries; release them and `combine` the answers"]
pub struct MeanParts<In, S, E: Expr<Kind: Averaged<S, E>>> {
    /// The sum.
    pub sum: Query<In, Sum<Arc<S>, E>>,
    /// The number of rows that have a value.
    pub count: Query<In, Count<Counted<S, E>>>,
}

impl<In, S, E: Bounded + Expr<Kind: Averaged<S, E>>> MeanParts<In, S, E> {
    pub(super) fn new(rows: S, value: E) -> Self {
        let rows = Arc::new(rows);
        let counted = KindOf::<E>::counted(&rows, &value);
        MeanParts {
            sum: Query::new(Sum::new(rows, value)),
            count: Query::new(Count(counted)),
        }
    }

    /// The mean, from released answers: post-processing. A count below 1 counts as 1.
    pub fn combine(sum: <KindOf<E> as Summand>::Total, count: i64) -> f64 {
        <KindOf<E> as Summand>::as_real(sum) / count.max(1) as f64
    }
}

/// The queries behind a variance: release the three, and combine.
#[must_use = "these are queries; release them and `combine` the answers"]
pub struct VarianceParts<In, S, E: Expr<Kind: Averaged<S, E>>> {
    /// The sum.
    pub sum: Query<In, Sum<Arc<S>, E>>,
    /// The sum of squares.
    pub squares: Query<In, Sum<Arc<S>, Square<E>>>,
    /// The number of rows that have a value.
    pub count: Query<In, Count<Counted<S, E>>>,
}

impl<In, S, E: Bounded + Expr<Kind: Averaged<S, E>>> VarianceParts<In, S, E> {
    pub(super) fn new(rows: S, value: E) -> Self
    where
        E: Clone,
    {
        let rows = Arc::new(rows);
        let counted = KindOf::<E>::counted(&rows, &value);
        VarianceParts {
            sum: Query::new(Sum::new(Arc::clone(&rows), value.clone())),
            squares: Query::new(Sum::new(rows, Square::of(value))),
            count: Query::new(Count(counted)),
        }
    }

    /// The variance, from released answers: post-processing. Never negative.
    pub fn combine(
        sum: <KindOf<E> as Summand>::Total,
        squares: <KindOf<E> as Summand>::Total,
        count: i64,
    ) -> f64 {
        let n = count.max(1) as f64;
        let mean = <KindOf<E> as Summand>::as_real(sum) / n;
        (<KindOf<E> as Summand>::as_real(squares) / n - mean * mean).max(0.0)
    }
}

/// Whether every row has a value, so that the number of rows is public under `Replace`.
const fn check_total<E: Bounded>() {
    assert!(
        !<KindOf<E> as Kind>::NULLABLE,
        "a direct mean needs a value on every row: give missing ones a default with `.or(..)`"
    );
}

/// The mean of `E` over a whole table of public size.
///
/// # Claim
///
/// Under `Replace` the number of rows n is public. One record moves the sum by at most U - L; the
/// mean is the noisy sum divided by n, as post-processing.
#[derive(Debug)]
pub struct Mean<E>(E);

impl<E: Bounded> Mean<E> {
    pub(super) fn new(value: E) -> Self {
        const { check_size::<E>() };
        const { check_total::<E>() };
        Mean(value)
    }
}

impl<E> sealed::QueryKind for Mean<E> {}

impl<R: Record, E: Bounded + Expr<Row = R>> QueryKind<Table<R, Replace>> for Mean<E> {
    type Answer = f64;
    const INTEGERS: bool = false;
    const L2_SQUARED: Sensitivity = <Self as HasL1<Table<R, Replace>>>::L1.squared();
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn exact(&self, cells: Vec<i128>) -> (Vec<i128>, Option<i128>) {
        (vec![cells[0]], Some(cells[1]))
    }
    fn answer(&self, noisy: Vec<i128>, rows: Option<i128>) -> f64 {
        let n = rows.unwrap_or(1).max(1);
        noisy[0] as f64 / (n as f64 * E::GRID as f64)
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
}

impl<R: Record, E: Bounded + Expr<Row = R>> HasL1<Table<R, Replace>> for Mean<E> {
    const L1: Sensitivity = {
        check_total::<E>();
        Sensitivity::whole(span::<E>(true, true))
    };
}

impl<R: Record, E: Bounded + Expr<Row = R>> TableQuery<R> for Mean<E> {
    fn cells(&self) -> usize {
        2
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        let value = self.0.bind(chunk);
        let mut total = 0_i64;
        // PRIVACY: looks at raw rows; the second cell is their number, public under `Replace`.
        chunk.each(|row| total = total.wrapping_add(E::Kind::or_zero(value.at(row))));
        cells[0] += i128::from(total);
        cells[1] += chunk.len() as i128;
    }
    fn term(&self) -> Term {
        Term::Apply(Operation::Mean, vec![self.0.term()])
    }
}

/// The variance of `E` over a whole table of public size.
///
/// # Claim
///
/// Under `Replace` the number of rows n is public. One record moves the sum by at most U - L and
/// the sum of squares by at most the spread of squares on \[L, U\]; the rest is post-processing.
#[derive(Debug)]
pub struct Variance<E>(E);

impl<E: Bounded> Variance<E>
where
    KindOf<E>: Summand<Value = i64>,
{
    const SUM: i128 = span::<E>(true, true);
    const SQUARES: i128 = span::<Square<E>>(true, true);

    pub(super) fn new(value: E) -> Self {
        const { check_size::<E>() };
        const { check_bounds::<Square<E>>() };
        Variance(value)
    }
}

impl<E> sealed::QueryKind for Variance<E> {}

impl<R, E> QueryKind<Table<R, Replace>> for Variance<E>
where
    R: Record,
    E: Bounded + Expr<Row = R, Kind: Summand<Value = i64>>,
{
    type Answer = f64;
    const INTEGERS: bool = false;
    const L2_SQUARED: Sensitivity = Sensitivity::whole(Self::SUM)
        .squared()
        .plus(Sensitivity::whole(Self::SQUARES).squared());
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn exact(&self, cells: Vec<i128>) -> (Vec<i128>, Option<i128>) {
        (vec![cells[0], cells[1]], Some(cells[2]))
    }
    fn answer(&self, noisy: Vec<i128>, rows: Option<i128>) -> f64 {
        let n = rows.unwrap_or(1).max(1) as f64;
        let grid = E::GRID as f64;
        let mean = noisy[0] as f64 / (n * grid);
        (noisy[1] as f64 / (n * grid * grid) - mean * mean).max(0.0)
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
}

impl<R, E> HasL1<Table<R, Replace>> for Variance<E>
where
    R: Record,
    E: Bounded + Expr<Row = R, Kind: Summand<Value = i64>>,
{
    const L1: Sensitivity = Sensitivity::whole(Self::SUM).plus(Sensitivity::whole(Self::SQUARES));
}

impl<R, E> TableQuery<R> for Variance<E>
where
    R: Record,
    E: Bounded + Expr<Row = R, Kind: Summand<Value = i64>>,
{
    fn cells(&self) -> usize {
        3
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        let value = self.0.bind(chunk);
        let (mut total, mut squares) = (0_i64, 0_i64);
        // PRIVACY: looks at raw rows; the last cell is their number, public under `Replace`.
        chunk.each(|row| {
            let value = value.at(row);
            total = total.wrapping_add(value);
            squares = squares.wrapping_add(value.wrapping_mul(value));
        });
        cells[0] += i128::from(total);
        cells[1] += i128::from(squares);
        cells[2] += chunk.len() as i128;
    }
    fn term(&self) -> Term {
        Term::Apply(Operation::Variance, vec![self.0.term()])
    }
}
