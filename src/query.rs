//! Queries: exact functions of the data, each with its sensitivity as a constant of its type.
//!
//! A program starts at [`rows`] and rarely names the types here. You need this page for the methods of
//! [`Rows`], [`Blocks`] and [`Sample`], for the numbers in an [`Estimate`], and when a signature names a query.

mod blocks;
mod column;
mod count;
mod cumulative;
mod distinct;
mod estimate;
mod histogram;
mod mean;
mod moments;
mod persons;
mod rows;
mod sample;
mod selection;
mod sensitivity;
mod statistic;
mod sum;
mod sum_between;
mod vector;
mod vector_by;

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

pub use blocks::Blocks;
pub use column::Selected;
pub use count::Count;
pub use cumulative::Cumulative;
pub use distinct::Distinct;
pub use estimate::{Estimate, Regression};
pub use histogram::Histogram;
pub(crate) use mean::{Averaged, Counted};
pub use mean::{Mean, MeanParts, Variance, VarianceParts};
pub use moments::{Features, MomentSums, NoisyMoments, Scalars};
pub use persons::{ForPersons, KeptAmong, KeptInEach, Unbounded};
pub use rows::{Filtered, Rows, RowsOf, rows};
pub use sample::Sample;
pub use selection::{All, Contributions, Kept, Selection};
pub use sensitivity::{Divisible, Neighbours, OneRow, Samples, Sensitivity};
pub use statistic::{Statistic, Statistics};
pub use sum_between::SumBetween;
pub use vector::VectorSum;
pub use vector_by::VectorSums;

use crate::data::Data;
use crate::data::Domain;
pub use crate::data::PerPerson;
use crate::expr::Term;
pub use crate::expr::{Sum, Where};

pub(crate) mod sealed {
    pub trait QueryKind {}
}

/// What a query asks of `In`. Sealed.
///
/// # Claim
///
/// On neighbours of `In` the cells that [`exact`](QueryKind::exact) returns differ by a vector of
/// squared Euclidean norm at most `L2_SQUARED`, on the integer grid of the answer.
pub trait QueryKind<In: Domain>: sealed::QueryKind + Send + Sync + Sized + 'static {
    /// What a release of it returns.
    type Answer: 'static;
    /// Whether answers are `i64`, which the noise must not overflow: see `laplace_fits` beside the scales.
    #[doc(hidden)]
    const INTEGERS: bool;
    /// Whether every cell is a count of rows, far below 2^63.
    #[doc(hidden)]
    const COUNTS: bool = false;
    /// Squared L2 sensitivity of the cells.
    const L2_SQUARED: Sensitivity;

    /// The query to the data.
    #[doc(hidden)]
    fn exact_query(this: Arc<Self>) -> Arc<<In::Data as Data>::Query>;

    /// Turns sums over rows into the cells that get noise, and a public number of rows if there is one.
    /// PRIVACY: runs on exact values, before the noise.
    #[doc(hidden)]
    fn exact(&self, cells: Vec<i128>) -> (Vec<i128>, Option<i128>) {
        (cells, None)
    }

    /// Turns noisy cells into the answer, by post-processing.
    #[doc(hidden)]
    fn answer(&self, noisy: Vec<i128>, rows: Option<i128>) -> Self::Answer;

    /// The query as plain data.
    #[doc(hidden)]
    fn term(&self) -> Term;

    /// Where the answer is the noisy cells, each over a grid: how many, and steps per unit.
    #[doc(hidden)]
    fn shape(&self) -> Option<(usize, i128)> {
        None
    }

    /// What the answer is multiplied by, where bounds that are known at run time say so.
    #[doc(hidden)]
    fn unit(&self) -> f64 {
        1.0
    }

    /// For `explain`: what a step of noise is, where cells differ in that.
    #[doc(hidden)]
    fn steps(&self) -> Option<String> {
        None
    }
}

/// A query whose L1 sensitivity is a known rational, as Laplace noise needs. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rational L1 sensitivity, so Laplace noise has no scale for it",
    label = "no L1 sensitivity",
    note = "use `.gaussian()`, or clip the vector with `.clip_l1::<C>()`"
)]
pub trait HasL1<In: Domain>: QueryKind<In> {
    /// L1 sensitivity of the cells, on the integer grid of the answer.
    const L1: Sensitivity;
}

/// An exact query to private data `In`. It has no answer until it is given noise and a price.
#[must_use = "a query releases nothing; give it noise with `.laplace()` or `.gaussian()`"]
pub struct Query<In, Q> {
    kind: Arc<Q>,
    input: PhantomData<fn() -> In>,
}

impl<In, Q> Query<In, Q> {
    fn new(kind: Q) -> Self {
        Query {
            kind: Arc::new(kind),
            input: PhantomData,
        }
    }
}

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// The query to the data.
    pub(crate) fn exact_query(&self) -> Arc<<In::Data as Data>::Query> {
        Q::exact_query(Arc::clone(&self.kind))
    }

    /// Turns the exact cells of [`exact_query`](Self::exact_query) into the answer with `noise`, which must
    /// add noise of the calibrated scale to *every* cell it is given.
    ///
    /// PRIVACY: the caller argues that `noise` is calibrated to `HasL1::L1` or `L2_SQUARED`.
    pub(crate) fn finish(
        &self,
        exact: Vec<i128>,
        noise: impl FnOnce(&mut [i128]) -> crate::error::Result<()>,
    ) -> crate::error::Result<Q::Answer> {
        let (mut cells, rows) = self.kind.exact(exact);
        noise(&mut cells)?;
        Ok(self.kind.answer(cells, rows))
    }

    /// Where the answer is the noisy cells, each over a grid: how many, and steps per unit.
    pub(crate) fn shape(&self) -> Option<(usize, i128)> {
        self.kind.shape()
    }

    /// What the answer is multiplied by.
    pub(crate) fn unit(&self) -> f64 {
        self.kind.unit()
    }

    /// What a step of noise is, in words, where cells differ in that.
    pub(crate) fn steps(&self) -> Option<String> {
        self.kind.steps()
    }

    /// The exact cells that get noise, for tests on the caller's own rows.
    pub(crate) fn exact_cells(&self, cells: Vec<i128>) -> Vec<i128> {
        self.kind.exact(cells).0
    }

    /// The query as plain data.
    #[must_use]
    pub fn term(&self) -> Term {
        self.kind.term()
    }
}

impl<In, Q> Clone for Query<In, Q> {
    fn clone(&self) -> Self {
        Query {
            kind: Arc::clone(&self.kind),
            input: PhantomData,
        }
    }
}

impl<In: Domain, Q: QueryKind<In>> fmt::Debug for Query<In, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Query({})", self.term())
    }
}

/// Runs a query's loop, with the rows of a block only if the chunk belongs to a block. There are two
/// loops, so that whole tables are not slowed down.
macro_rules! masked {
    ($this:ident . $add:ident ($chunk:ident, $cells:ident)) => {
        match $chunk.mask() {
            None => $this.$add($chunk, $crate::query::selection::Yes, $cells),
            Some(mask) => $this.$add($chunk, mask, $cells),
        }
    };
}
pub(crate) use masked;

/// A noisy cell as an answer.
pub(crate) fn whole(cell: i128) -> i64 {
    cell.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
