//! Where a query starts: the rows of a table.

use core::marker::PhantomData;
use std::sync::Arc;

use super::column::Selected;
use super::mean::{Averaged, Total};
use super::{
    All, Blocks, Contributions, Count, Cumulative, Distinct, Divisible, Histogram, Kept, KeptAmong,
    Mean, MeanParts, Neighbours, PerPerson, Query, Sample, Samples, Selection, SumBetween,
    Unbounded, Variance, VarianceParts, VectorSum, VectorSums, Where,
};
use crate::data::{AddRemove, Replace, Sampled, Table};
use crate::data::{Col, HasPerson, Record};
use crate::error::Result;
use crate::expr::{
    Bounded, Bounds, Bracketed, Clipped, Expr, IsCondition, Keyed, KindOf, Operand, Over, Sum,
    check_bounds,
};
use crate::number::{Frac, SamplingRate};

/// What [`rows`] can start from: a record, or a table of records under a relation. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a record nor a table of records",
    label = "not a record",
    note = "put `#[derive(Record)]` on the struct, and use `rows::<R>()` or \
            `rows::<Table<R, Replace>>()`"
)]
pub trait RowsOf: sealed::RowsOf {
    /// The record.
    type Record: Record;
    /// When two tables of them are neighbours.
    type Relation: Neighbours;
    /// [`Rows`] of them.
    #[doc(hidden)]
    type Rows: From<Rows<Self::Record, Self::Relation, All>>;
}
mod sealed {
    use super::{Neighbours, Record, Table};
    pub trait RowsOf {}
    impl<R: Record> RowsOf for R {}
    impl<R: Record, Rel: Neighbours> RowsOf for Table<R, Rel> {}
}
impl<R: Record> RowsOf for R {
    type Record = R::As;
    type Relation = AddRemove;
    type Rows = Rows<R::As, AddRemove, All>;
}
impl<R: Record, Rel: Neighbours> RowsOf for Table<R, Rel> {
    type Record = R;
    type Relation = Rel;
    type Rows = Rows<R, Rel, All>;
}

/// The rows of a table, symbolically: the start of every query.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, bill: f64, smoker: bool }
///
/// let older_smokers = rows::<Patient>().filter(|p| p.smoker & p.age.gt(40)).count();
/// assert_eq!(older_smokers.term().to_string(), "count(where(smoker & (age > 40)))");
///
/// let billed = rows::<Table<Patient, Replace>>().sum(|p| p.bill.clamp::<0, 10_000>());
/// // A sum of reals is taken in steps, here of 1/100: the bounds choose them.
/// assert_eq!(billed.term().to_string(), "sum(clamp(grid(bill, 100), 0, 10000))");
/// ```
pub fn rows<T: RowsOf>() -> T::Rows {
    T::Rows::from(Rows(All, PhantomData))
}

/// The rows of `S` on which `E` holds.
pub type Filtered<S, E> = Where<S, <<E as Expr>::Kind as IsCondition>::Condition<E>>;

/// What is summed, counted by, or summed as a vector, where a closure returns `E`.
type SummedOf<R, E> = <<E as Operand<R>>::Expr as Bounded>::Summed;
type KeyOf<R, E> = <<E as Operand<R>>::Expr as Keyed>::Key;
type VectorOf<R, E, const D: usize> = <<E as Operand<R>>::Expr as Clipped<D>>::Vector;

/// Some rows of a table of `R`, symbolically.
#[must_use = "rows alone ask nothing; end with `.count()`, `.sum(..)` or another query"]
pub struct Rows<R, Rel, S>(S, PhantomData<fn() -> (R, Rel)>);

impl<R, Rel, S: Clone> Clone for Rows<R, Rel, S> {
    fn clone(&self) -> Self {
        Rows(self.0.clone(), PhantomData)
    }
}

impl<R, Rel, S> Rows<R, Rel, S> {
    /// Which rows.
    pub(crate) fn selection(self) -> S {
        self.0
    }

    fn with<T>(self, select: impl FnOnce(S) -> T) -> Rows<R, Rel, T> {
        Rows(select(self.0), PhantomData)
    }
}

impl<R: Record, Rel: Neighbours, S: Selection<R>> Rows<R, Rel, S> {
    /// Keeps the rows on which a condition holds.
    ///
    /// The closure runs once, immediately, on symbols. It never sees a row. A plain `bool` is a public
    /// constant: it keeps all rows or none.
    ///
    /// Where the person is the unit, it matters whether this comes before or after
    /// [`bound_contributions`](Rows::bound_contributions): before it, a person keeps K of the rows on
    /// which the condition holds; after it, those among the person's K on which it holds.
    pub fn filter<E>(self, f: impl FnOnce(R::Columns) -> E) -> Rows<R, Rel, Filtered<S, E::Expr>>
    where
        E: Operand<R, Expr: Expr<Kind: IsCondition>>,
    {
        let condition = f(R::columns()).expr();
        self.with(|selection| Where::new::<R>(selection, condition.into()))
    }

    /// Takes one column out of the rows: an expression, to be summed or counted by.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let ages = || rows::<Patient>().select(|p| p.age.clamp::<0, 120>());
    /// assert_eq!(ages().sum().term().to_string(), "sum(clamp(age, 0, 120))");
    /// assert_eq!(ages().histogram().term().to_string(), "histogram(clamp(age, 0, 120))");
    /// ```
    pub fn select<E>(self, f: impl FnOnce(R::Columns) -> E) -> Selected<R, Rel, S, E>
    where
        S: Contributions<Rel>,
        E: Over<R>,
    {
        Selected {
            rows: self,
            value: f(R::columns()),
        }
    }

    /// How many rows.
    pub fn count(self) -> Query<Table<R, Rel>, Count<S>>
    where
        S: Contributions<Rel>,
    {
        Query::new(Count(self.0))
    }

    /// The sum of a bounded expression.
    ///
    /// Sums of integers are `i64`; sums of reals are `f64` on the grid, in units.
    pub fn sum<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, Sum<S, SummedOf<R, E>>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Bounded>,
    {
        const { check_bounds::<SummedOf<R, E>>() };
        Query::new(Sum::new(self.0, f(R::columns()).expr().summed()))
    }

    /// The sum of a number between public bounds that are known at run time only, as from a request.
    ///
    /// Values outside become the nearer bound, NaN the lower. They are summed in millionths of the larger bound, so that
    /// the sensitivity, and with it the price, does not depend on the bounds. Choose them before you look at the
    /// data, or from answers that were paid for.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: f64 }
    /// # fn main() -> privet::Result<()> {
    /// let (low, high) = (0.0, 12_500.0); // from a request
    /// let billed: Mechanism<Table<Patient>, f64, Eps<1, 4>> =
    ///     rows::<Patient>().sum_between(low, high, |p| p.bill)?.laplace();
    /// assert!(rows::<Patient>().sum_between(1.0, 0.0, |p| p.bill).is_err());
    /// # let _ = billed; Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Bounds`](crate::Error::Bounds) unless both are finite, `low` is at most `high`, and the larger of them in
    /// absolute value is between 10^-100 and 10^100.
    #[allow(clippy::type_complexity)] // the query is named through what the closure returns
    pub fn sum_between<E>(
        self,
        low: f64,
        high: f64,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Result<Query<Table<R, Rel>, SumBetween<S, E::Expr>>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Expr<Kind: Bracketed>>,
    {
        let bounds = Bounds::new(low, high)?;
        let value = f(R::columns()).expr();
        Ok(Query::new(SumBetween::new(self.0, value, bounds)))
    }

    /// The sum of vectors clipped to a norm.
    pub fn vector_sum<E, const D: usize>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, VectorSum<S, VectorOf<R, E, D>, D>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Clipped<D>>,
    {
        Query::new(VectorSum::new(self.0, f(R::columns()).expr().vector()))
    }

    /// For each of the public keys, in their order, the sum of vectors clipped to a norm.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Shop { open: bool, place: [f64; 2] }
    /// let places: Mechanism<Table<Shop>, Vec<[f64; 2]>, Eps<1, 2>> = rows::<Shop>()
    ///     .vector_sums(|s| s.open, |s| s.place.grid::<1000>().clip_l1::<1>())
    ///     .laplace();
    /// ```
    #[allow(clippy::type_complexity)] // the parts are named through what the closures return
    pub fn vector_sums<E, V, const D: usize>(
        self,
        key: impl FnOnce(R::Columns) -> E,
        vector: impl FnOnce(R::Columns) -> V,
    ) -> Query<Table<R, Rel>, VectorSums<S, KeyOf<R, E>, VectorOf<R, V, D>, D>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Keyed>,
        V: Operand<R, Expr: Clipped<D>>,
    {
        let (key, vector) = (
            key(R::columns()).expr().key(),
            vector(R::columns()).expr().vector(),
        );
        Query::new(VectorSums::new(self.0, key, vector))
    }

    /// How many rows have each of the public keys, in their order.
    ///
    /// A tuple of keys is a key, here and wherever keys are asked for. Its cells are ordered as in nested
    /// loops: the last key moves fastest. A row without a value in any part is left out.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Category)] enum Origin { Ewr, Jfk, Lga }
    /// # #[derive(Record)] struct Flight { month: i64, origin: Origin }
    /// let by_month_and_origin: Mechanism<Table<Flight>, Vec<i64>, Eps<1, 2>> = rows::<Flight>()
    ///     .histogram(|f| (f.month.clamp::<1, 12>(), f.origin)) // 36 cells
    ///     .laplace();
    /// ```
    pub fn histogram<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, Histogram<S, KeyOf<R, E>>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Keyed>,
    {
        let _ = <KeyOf<R, E> as Keyed>::CELLS;
        Query::new(Histogram::new(self.0, f(R::columns()).expr().key()))
    }

    /// For each of the public keys, in their order, how many rows have it or an earlier one.
    pub fn cumulative<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, Cumulative<S, KeyOf<R, E>>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Keyed>,
    {
        let _ = <KeyOf<R, E> as Keyed>::CELLS;
        Query::new(Cumulative(Arc::new(Histogram::new(
            self.0,
            f(R::columns()).expr().key(),
        ))))
    }

    /// How many of the public keys occur.
    pub fn distinct<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Rel>, Distinct<S, KeyOf<R, E>>>
    where
        S: Contributions<Rel>,
        E: Operand<R, Expr: Keyed>,
    {
        let _ = <KeyOf<R, E> as Keyed>::CELLS;
        Query::new(Distinct(Arc::new(Histogram::new(
            self.0,
            f(R::columns()).expr().key(),
        ))))
    }

    /// Divides the rows into blocks, one for each of the public keys.
    ///
    /// Each block is a table of its own under [`AddRemove`]: block sizes are private, and a record
    /// that is replaced may leave one block and enter another
    /// ([T15](crate::guide::theory#t15-parallel-composition)).
    pub fn group_by<E>(self, f: impl FnOnce(R::Columns) -> E) -> Blocks<R, Rel, S, KeyOf<R, E>>
    where
        E: Operand<R, Expr: Keyed>,
        Rel: Divisible,
    {
        let _ = <KeyOf<R, E> as Keyed>::CELLS;
        Blocks::new(self.0, f(R::columns()).expr().key())
    }

    /// A sample of these rows: each is in it with probability `NUM`/`DEN`, independently of the others.
    ///
    /// [`once`](Sample::once) runs a mechanism on it, and costs less than the mechanism would on all rows
    /// ([T26](crate::guide::theory#t26-samples)).
    pub fn sampled<const NUM: usize, const DEN: usize>(self) -> Sample<R, S, NUM, DEN>
    where
        Rel: Samples,
        Frac<NUM, DEN>: SamplingRate,
    {
        Sample::new(self.0)
    }
}

macro_rules! parts {
    ($([$($g:tt)*] $rel:ty, $s:ty, $r:ident;)*) => {$(
        impl<$($g)*> Rows<$r, $rel, $s> {
            /// The queries behind the mean of a bounded expression: a sum and a count, of the rows
            /// that have a value.
            pub fn mean<E>(
                self,
                f: impl FnOnce($r::Columns) -> E,
            ) -> MeanParts<Table<$r, $rel>, $s, SummedOf<$r, E>>
            where
                E: Operand<$r, Expr: Bounded>,
                KindOf<SummedOf<$r, E>>: Averaged<$s, SummedOf<$r, E>>,
            {
                const { check_bounds::<SummedOf<$r, E>>() };
                MeanParts::new(self.0, f($r::columns()).expr().summed())
            }

            /// The queries behind the variance of a bounded expression: a sum, a sum of squares
            /// and a count, of the rows that have a value.
            pub fn variance<E>(
                self,
                f: impl FnOnce($r::Columns) -> E,
            ) -> VarianceParts<Table<$r, $rel>, $s, SummedOf<$r, E>>
            where
                E: Operand<$r, Expr: Bounded<Summed: Clone>>,
                KindOf<SummedOf<$r, E>>: Averaged<$s, SummedOf<$r, E>>,
            {
                const { check_bounds::<SummedOf<$r, E>>() };
                VarianceParts::new(self.0, f($r::columns()).expr().summed())
            }
        }
    )*};
}
parts! {
    [R: Record, S: Selection<R> + Contributions<AddRemove>] AddRemove, S, R;
    [R: Record, S: Selection<R> + Contributions<PerPerson>] PerPerson, S, R;
    [R: Record, S: Selection<R> + Contributions<Sampled<NUM, DEN>>, const NUM: usize, const DEN: usize]
        Sampled<NUM, DEN>, S, R;
    [R: Record, S: Selection<R> + Contributions<Replace>, C: Expr<Row = R, Kind: IsCondition>] Replace, Where<S, C>, R;
}

impl<R: Record, const NUM: usize, const DEN: usize> Rows<R, Sampled<NUM, DEN>, All> {
    /// The rows of a sample, symbolically.
    pub(crate) fn of_sample() -> Self {
        Rows(All, PhantomData)
    }
}

impl<R: Record> Rows<R, Replace, All> {
    /// The mean of a bounded expression, where the number of rows is public.
    pub fn mean<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Replace>, Mean<SummedOf<R, E>>>
    where
        E: Operand<R, Expr: Bounded<Summed: Expr<Kind: Total>>>,
    {
        const { check_bounds::<SummedOf<R, E>>() };
        Query::new(Mean::new(f(R::columns()).expr().summed()))
    }

    /// The variance of a bounded expression, where the number of rows is public.
    pub fn variance<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Query<Table<R, Replace>, Variance<SummedOf<R, E>>>
    where
        E: Operand<R, Expr: Bounded<Summed: Expr<Kind: Total>>>,
    {
        const { check_bounds::<SummedOf<R, E>>() };
        Query::new(Variance::new(f(R::columns()).expr().summed()))
    }
}

impl<R: HasPerson> Rows<R, PerPerson, All> {
    /// Keeps `K` rows of each person, or all if there are no more.
    ///
    /// Each of a person's rows is as likely as any other to be kept, so that a mean of the rows that are
    /// kept is not drawn towards those that come first. The choice is made once, when the vault opens:
    /// all its queries with one `K` look at the same rows, and those with a larger `K` at the same rows and more.
    /// It depends on that person's rows alone.
    ///
    /// From here on, one person moves a query by at most `K` rows, and the price reflects that.
    pub fn bound_contributions<const K: usize>(
        self,
        f: impl FnOnce(R::Columns) -> Col<R::Person>,
    ) -> Rows<R, PerPerson, Kept<K>> {
        let _ = f(R::columns());
        Rows(Kept(()), PhantomData)
    }
}

impl<R: HasPerson, S, E> Rows<R, PerPerson, Where<S, E>> {
    /// Keeps `K` rows of each person among those that match, or all if there are no more.
    ///
    /// The choice is that of [`bound_contributions`](Rows::bound_contributions) on all rows, among those
    /// on which the filters before it hold. It depends on that person's rows alone.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::PerPerson;
    ///
    /// #[derive(Record)]
    /// struct Visit { #[privet(person)] patient: u32, days: i64, urgent: bool }
    ///
    /// // Two urgent visits of each patient, where two of all visits may have none.
    /// let urgent: Mechanism<Table<Visit, PerPerson>, i64, Eps<1, 2>> =
    ///     rows::<Table<Visit, PerPerson>>()
    ///         .filter(|v| v.urgent)
    ///         .bound_contributions::<2>(|v| v.patient)
    ///         .count()
    ///         .laplace();
    /// ```
    pub fn bound_contributions<const K: usize>(
        self,
        f: impl FnOnce(R::Columns) -> Col<R::Person>,
    ) -> Rows<R, PerPerson, KeptAmong<K, Where<S, E>>>
    where
        S: Unbounded,
    {
        let _ = f(R::columns());
        self.with(KeptAmong)
    }
}
