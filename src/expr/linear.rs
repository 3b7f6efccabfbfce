//! Linear models on symbolic rows: a score with public weights, the logistic curve, a gradient.

use super::{Eval, Expr, Grid, Nearest, Operation, Real, Term, Vector, node};
use crate::data::exponential::logistic;
use crate::data::vector::dot;

/// The scalar product of a vector with public weights.
#[derive(Clone, Copy, Debug)]
pub struct Dot<E, const D: usize>(pub(super) E, pub(super) [f64; D]);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundDot<'a, B, const D: usize>(B, &'a [f64; D]);
impl<B: Eval<Value = [f64; D]>, const D: usize> Eval for BoundDot<'_, B, D> {
    type Value = f64;
    #[inline(always)]
    fn at(&self, row: usize) -> f64 {
        dot(&self.0.at(row), self.1)
    }
}

node! {
    [E: Expr<Kind = Vector<D>>, const D: usize] Dot<E, D> where [];
    row E::Row; kind Real; children [E];
    bound<'a> BoundDot<'a, E::Bound<'a>, D>;
    bind |this, chunk| BoundDot(this.0.bind(chunk), &this.1);
    term |this| Term::Apply(Operation::Dot, vec![this.0.term(), Term::list(this.1)]);
}

/// The logistic curve 1/(1 + e^−x) of a real.
#[derive(Clone, Copy, Debug)]
pub struct Logistic<E>(pub(super) E);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundLogistic<B>(B);
impl<B: Eval<Value = f64>> Eval for BoundLogistic<B> {
    type Value = f64;
    #[inline(always)]
    fn at(&self, row: usize) -> f64 {
        logistic(self.0.at(row))
    }
}

node! {
    [E: Expr<Kind = Real>] Logistic<E> where [];
    row E::Row; kind Real; children [E];
    bound<'a> BoundLogistic<E::Bound<'a>>;
    bind |this, chunk| BoundLogistic(this.0.bind(chunk));
    term |this| Term::Apply(Operation::Logistic, vec![this.0.term()]);
}

/// A vector times a real of the same row.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<E, X>(pub(super) E, pub(super) X);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundScaled<B, X>(B, X);
impl<B, X, const D: usize> Eval for BoundScaled<B, X>
where
    B: Eval<Value = [f64; D]>,
    X: Eval<Value = f64>,
{
    type Value = [f64; D];
    #[inline(always)]
    fn at(&self, row: usize) -> [f64; D] {
        let by = self.1.at(row);
        self.0.at(row).map(|x| x * by)
    }
}

node! {
    [E: Expr<Kind: AnyVector>, X: Expr<Row = E::Row, Kind = Real>] Scaled<E, X> where [];
    row E::Row; kind E::Kind; children [E, X];
    bound<'a> <E::Kind as AnyVector>::Scaled<E::Bound<'a>, X::Bound<'a>>;
    bind |this, chunk| E::Kind::scaled(this.0.bind(chunk), this.1.bind(chunk));
    term |this| Term::Apply(Operation::Scaled, vec![this.0.term(), this.1.term()]);
}

/// Vectors, of whatever dimension. Sealed with [`Kind`](super::Kind).
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not vectors",
    label = "not a vector",
    note = "fields of type `[f64; D]` are vectors"
)]
pub trait AnyVector: super::Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    type Scaled<B: Eval<Value = Self::Value>, X: Eval<Value = f64>>: Eval<Value = Self::Value>;
    fn scaled<B: Eval<Value = Self::Value>, X: Eval<Value = f64>>(
        vector: B,
        by: X,
    ) -> Self::Scaled<B, X>;
}
impl<const D: usize> AnyVector for Vector<D> {
    type Then<T> = T;
    type Scaled<B: Eval<Value = [f64; D]>, X: Eval<Value = f64>> = BoundScaled<B, X>;
    #[inline(always)]
    fn scaled<B: Eval<Value = [f64; D]>, X: Eval<Value = f64>>(
        vector: B,
        by: X,
    ) -> BoundScaled<B, X> {
        BoundScaled(vector, by)
    }
}

/// What code can do with a vector expression that it is generic over: the same methods that
/// columns and nodes have by themselves.
///
/// ```
/// use privet::expr::Point;
/// use privet::prelude::*;
///
/// /// How many points of any table lie nearest to each centre.
/// fn sizes<R: Record, X: Point<2> + privet::expr::Over<R>, E: Epsilon>(
///     point: impl FnOnce(R::Columns) -> X,
/// ) -> Mechanism<Table<R>, Vec<i64>, E> {
///     rows::<R>()
///         .histogram(|r| point(r).nearest([[0.0, 0.0], [1.0, 1.0]]))
///         .laplace()
/// }
/// ```
pub trait Point<const D: usize>: Expr<Kind = Vector<D>> + Clone {
    /// The index of the nearest of public centres; the first of equally near ones.
    fn nearest<const K: usize>(self, centres: [[f64; D]; K]) -> Nearest<Self, D, K> {
        Nearest::new(self, centres)
    }
    /// Counts coordinates in steps of `1/STEPS` once the vector is clipped.
    fn grid<const STEPS: u32>(self) -> Grid<Self, STEPS> {
        let () = Grid::<Self, STEPS>::FITS;
        Grid::new(self)
    }
    /// The scalar product with public weights.
    fn dot(self, weights: [f64; D]) -> Dot<Self, D> {
        Dot(self, weights)
    }
}
impl<E: Expr<Kind = Vector<D>> + Clone, const D: usize> Point<D> for E {}
