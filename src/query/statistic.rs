//! Whole statistics of some rows, each to be released as one mechanism.

use std::sync::Arc;

use super::estimate::{Estimate, Known, Range, Regression, share};
use super::moments::{
    AllProducts, Crosses, Features, Joint, MomentSums, NoisyMoments, Products, Scalars, Squares,
    Sums, units,
};
use super::{Contributions, Histogram, Neighbours, Query, QueryKind, Rows, Selection};
use crate::data::{Domain, Record, Table};
use crate::expr::{Bounded, Expr, IsCondition, Number, Operand};

type SummedOf<R, E> = <<E as Operand<R>>::Expr as Bounded>::Summed;
type ConditionOf<R, E> = <E as Operand<R>>::Expr;

/// A query, and the statistic, with an interval, that is made from its noisy answer.
///
/// Give it noise and a price with `laplace` or `gaussian`, as you would a query.
#[must_use = "a statistic releases nothing; give it noise with `.laplace()` or `.gaussian()`"]
pub struct Statistic<In: Domain, Q: QueryKind<In>, Out> {
    /// What is asked of the data: all sums in one query, at one price.
    pub query: Query<In, Q>,
    confidence: f64,
    finish: Finish<Q::Answer, Out>,
}

/// Makes the statistic from a noisy answer and the reach of its noise, in steps.
pub(crate) type Finish<Answer, Out> = Arc<dyn Fn(Answer, f64) -> Out + Send + Sync>;

impl<In: Domain, Q: QueryKind<In>, Out> Clone for Statistic<In, Q, Out> {
    fn clone(&self) -> Self {
        Statistic {
            query: self.query.clone(),
            confidence: self.confidence,
            finish: Arc::clone(&self.finish),
        }
    }
}

impl<In: Domain, Q: QueryKind<In>, Out> Statistic<In, Q, Out> {
    pub(crate) fn into_parts(self) -> (Query<In, Q>, f64, Finish<Q::Answer, Out>) {
        (self.query, self.confidence, self.finish)
    }
}

/// Some rows, of which a statistic is to be estimated: see [`Rows::estimate`].
#[must_use = "rows alone ask nothing; end with `.mean(..)` or another statistic"]
pub struct Statistics<R, Rel, S> {
    rows: Rows<R, Rel, S>,
    confidence: f64,
}

/// Statistics from the moments of `V`.
type OfMoments<R, Rel, S, V, P, Out = Estimate> =
    Statistic<Table<R, Rel>, MomentSums<S, V, P>, Out>;

impl<R: Record, Rel: Neighbours, S: Selection<R>> Rows<R, Rel, S> {
    /// Whole statistics: each is one mechanism, at one price, and its answer has an interval.
    ///
    /// The interval holds for the exact statistic of the clamped values with probability `confidence`, over the
    /// noise; if `confidence` is not between 0 and 1, it is all that the bounds allow. Rows with a missing value
    /// are left out.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::Estimate;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64, bill: f64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let bill = rows::<Patient>()
    ///     .filter(|p| p.age.ge(18))
    ///     .estimate(0.95)
    ///     .mean(|p| p.bill.grid::<100>().clamp::<0, 1000>())
    ///     .laplace::<Eps<1, 2>>();
    /// let patients = (0..10_000).map(|i| Patient { age: 18 + i % 60, bill: (i % 200) as f64 });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let (bill, vault) = vault.release(bill)?;
    /// assert!(bill.low < bill.value && bill.value < bill.high);
    /// println!("{bill}"); // 99.4 (98.1 to 100.7 with probability 95 %)
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn estimate(self, confidence: f64) -> Statistics<R, Rel, S>
    where
        S: Contributions<Rel>,
    {
        Statistics {
            rows: self,
            confidence,
        }
    }
}

// Only `estimate` makes them, and it asks for bounded contributions.
impl<R: Record, Rel: Neighbours, S: Selection<R>> Statistics<R, Rel, S> {
    fn of_moments<V, P, Out>(
        self,
        values: V,
        finish: impl Fn(Known, f64) -> Out + Send + Sync + 'static,
    ) -> OfMoments<R, Rel, S, V, P, Out>
    where
        V: Scalars<Row = R>,
        P: Products,
    {
        let confidence = self.confidence;
        let finish = move |noisy: NoisyMoments, reach: f64| {
            finish(Known::new(&noisy, reach, units::<V>()), confidence)
        };
        Statistic {
            query: Query::new(MomentSums::new(self.rows.selection(), values)),
            confidence,
            finish: Arc::new(finish),
        }
    }

    /// The mean of a bounded expression.
    pub fn mean<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> OfMoments<R, Rel, S, SummedOf<R, E>, Sums>
    where
        E: Operand<R, Expr: Bounded>,
    {
        let value = f(R::columns()).expr().summed();
        self.of_moments(value, |known, c| known.mean().estimate(c))
    }

    /// The variance of a bounded expression: its mean squared distance from its mean.
    pub fn variance<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> OfMoments<R, Rel, S, SummedOf<R, E>, Squares>
    where
        E: Operand<R, Expr: Bounded>,
    {
        let value = f(R::columns()).expr().summed();
        self.of_moments(value, |known, c| known.variance().estimate(c))
    }

    /// The covariance of two bounded expressions.
    #[allow(clippy::type_complexity)] // the parts are named through what the closures return
    pub fn covariance<X, Y>(
        self,
        x: impl FnOnce(R::Columns) -> X,
        y: impl FnOnce(R::Columns) -> Y,
    ) -> OfMoments<R, Rel, S, Joint<SummedOf<R, X>, SummedOf<R, Y>>, Crosses>
    where
        X: Operand<R, Expr: Bounded>,
        Y: Operand<R, Expr: Bounded>,
    {
        let (x, y) = (x(R::columns()).expr(), y(R::columns()).expr());
        self.of_moments(Joint(x.summed(), y.summed()), |known, c| {
            known.covariance().estimate(c)
        })
    }

    /// The correlation of two bounded expressions: between −1 and 1.
    #[allow(clippy::type_complexity)] // the parts are named through what the closures return
    pub fn correlation<X, Y>(
        self,
        x: impl FnOnce(R::Columns) -> X,
        y: impl FnOnce(R::Columns) -> Y,
    ) -> OfMoments<R, Rel, S, Joint<SummedOf<R, X>, SummedOf<R, Y>>, AllProducts>
    where
        X: Operand<R, Expr: Bounded>,
        Y: Operand<R, Expr: Bounded>,
    {
        let (x, y) = (x(R::columns()).expr(), y(R::columns()).expr());
        self.of_moments(Joint(x.summed(), y.summed()), |known, c| {
            known.correlation().estimate(c)
        })
    }

    /// The line or plane that fits a bounded expression best, in the sense of least squares, from one to seven
    /// bounded features. All intervals hold together.
    ///
    /// An interval is infinite where the noise leaves it open whether the features determine the answer: for few
    /// rows, or features that hardly vary within their bounds.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::Regression;
    ///
    /// #[derive(Record)]
    /// struct House { rooms: i64, area: f64, price: f64 }
    ///
    /// let fit: Mechanism<Table<House>, Regression<2>, Rho<1, 8>> = rows::<House>()
    ///     .estimate(0.95)
    ///     .linear_regression(
    ///         |h| (h.rooms.clamp::<0, 10>(), h.area.clamp::<0, 300>()),
    ///         |h| h.price.clamp::<0, 1000>(),
    ///     )
    ///     .gaussian();
    /// ```
    #[allow(clippy::type_complexity)] // the parts are named through what the closures return
    pub fn linear_regression<V, Y, const F: usize>(
        self,
        features: impl FnOnce(R::Columns) -> V,
        target: impl FnOnce(R::Columns) -> Y,
    ) -> OfMoments<R, Rel, S, Joint<V::These, SummedOf<R, Y>>, AllProducts, Regression<F>>
    where
        V: Features<F> + Scalars<Row = R>,
        Y: Operand<R, Expr: Bounded>,
    {
        let target = target(R::columns()).expr().summed();
        self.of_moments(Joint(features(R::columns()).these(), target), |known, c| {
            known.regression(c)
        })
    }

    /// The proportion of rows on which a condition holds.
    #[allow(clippy::type_complexity)] // the condition is named through what the closure returns
    pub fn proportion<E>(
        self,
        f: impl FnOnce(R::Columns) -> E,
    ) -> Statistic<Table<R, Rel>, Histogram<S, Number<ConditionOf<R, E>>>, Estimate>
    where
        E: Operand<R, Expr: Expr<Kind: IsCondition>>,
    {
        let confidence = self.confidence;
        // Rows with the condition and rows without it: one record is in one of two cells.
        let key = Number::of(f(R::columns()).expr());
        Statistic {
            query: Query::new(Histogram::new(self.rows.selection(), key)),
            confidence,
            finish: Arc::new(move |counts: Vec<i64>, reach| {
                let count = |i: usize| Range::around(counts[i] as f64, reach);
                share(count(1), count(0)).estimate(confidence)
            }),
        }
    }
}
