//! Vectors, clipped to a norm on an integer grid.

use core::marker::PhantomData;

use super::{Eval, Expr, Kind, Operation, Term, Vector, chosen_grid, node};
use crate::data::plan::ValueKind;
use crate::data::vector::{MOST_COORDINATES, MOST_STEPS, Norm, clip};

/// Vectors of `D` whole numbers of steps: what clipping gives.
#[derive(Debug)]
pub enum Steps<const D: usize> {}
impl<const D: usize> crate::data::kind::sealed::Kind for Steps<D> {
    const PLAN: ValueKind = ValueKind::SteppedVector(D as u32);
}
impl<const D: usize> Kind for Steps<D> {
    type Value = [i64; D];
}

/// A vector of `D` coordinates clipped to a public norm: what a vector sum can take. Sealed.
///
/// A coordinate that is NaN counts as 0. The clip is computed in floating point and rounded
/// towards zero; then the norm is enforced in integers: the sensitivity rests on that alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bounded norm, so its sum has no finite sensitivity",
    label = "unbounded",
    note = "clip it first: `.clip_l1::<C>()` or `.clip_l2::<C>()`"
)]
pub trait Clipped<const D: usize>: Expr<Kind = Steps<D>> {
    /// The norm, in steps of the grid.
    #[doc(hidden)]
    const NORM: i128;
    /// The expression itself: see [`Bounded`](super::Bounded).
    #[doc(hidden)]
    type Vector: Clipped<D> + Expr<Row = Self::Row>;
    /// The expression itself.
    #[doc(hidden)]
    fn vector(self) -> Self::Vector;
}

/// A vector clipped in the L1 norm. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not clipped in the L1 norm",
    label = "no L1 norm",
    note = "use `.gaussian()`, or clip the vector with `.clip_l1::<C>()`"
)]
pub trait ClippedL1<const D: usize>: Clipped<D> {}
impl<E: Expr<Kind = Vector<D>>, const C: u32, const D: usize> ClippedL1<D> for ClipL1<E, C> {}

const fn norm(units: u32, grid: i128, dimension: usize) -> i128 {
    let norm = units as i128 * grid;
    assert!(norm > 0, "a norm is positive");
    assert!(norm <= MOST_STEPS, "a norm exceeds 2^26 steps of its grid");
    assert!(
        dimension <= MOST_COORDINATES,
        "vectors have at most 1024 coordinates"
    );
    norm
}

/// Kinds that can be clipped to a norm: vectors. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` have no norm",
    label = "not a vector",
    note = "fields of type `[f64; D]` are vectors; numbers have `.clamp::<LOW, HIGH>()`"
)]
pub trait VectorKind: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    type Steps: Kind;
    const DIMENSION: usize;
    fn clip_l1(value: Self::Value, grid: i64, limit: i64) -> <Self::Steps as Kind>::Value;
    fn clip_l2(value: Self::Value, grid: i64, limit: i64) -> <Self::Steps as Kind>::Value;
}

impl<const D: usize> VectorKind for Vector<D> {
    type Then<T> = T;
    type Steps = Steps<D>;
    const DIMENSION: usize = D;
    #[inline(always)]
    fn clip_l1(v: [f64; D], grid: i64, limit: i64) -> [i64; D] {
        let mut steps = [0; D];
        clip(Norm::L1, &v, grid, limit, &mut steps);
        steps
    }
    #[inline(always)]
    fn clip_l2(v: [f64; D], grid: i64, limit: i64) -> [i64; D] {
        let mut steps = [0; D];
        clip(Norm::L2, &v, grid, limit, &mut steps);
        steps
    }
}

macro_rules! clip {
    ($(#[$doc:meta])* $name:ident, $bound:ident, $call:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<E, const C: u32>(pub(super) E);

        impl<E: Expr<Kind: VectorKind>, const C: u32> $name<E, C> {
            /// Steps of the grid per unit.
            const STEPS: i128 = if E::GRID_IS_GIVEN {
                E::GRID
            } else {
                chosen_grid(C as u64)
            };
            const LIMIT: i128 = norm(C, Self::STEPS, <E::Kind as VectorKind>::DIMENSION);

            /// The vector as plain data, with the grid that was chosen: see `Clamp`.
            fn on_grid(&self) -> Term {
                let value = self.0.term();
                if !E::GRID_IS_GIVEN && Self::STEPS > 1 {
                    let steps = Term::constant(Self::STEPS as i64);
                    Term::Apply(Operation::Grid, vec![value, steps])
                } else {
                    value
                }
            }
        }

        /// One chunk of it.
        #[doc(hidden)]
        pub struct $bound<B, E>(B, PhantomData<fn() -> E>);
        impl<B: Copy, E> Clone for $bound<B, E> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<B: Copy, E> Copy for $bound<B, E> {}
        impl<B, E, const C: u32> Eval for $bound<B, $name<E, C>>
        where
            E: Expr<Kind: VectorKind>,
            B: Eval<Value = <E::Kind as Kind>::Value>,
        {
            type Value = <<E::Kind as VectorKind>::Steps as Kind>::Value;
            #[inline(always)]
            fn at(&self, row: usize) -> Self::Value {
                let (grid, limit) = const { ($name::<E, C>::STEPS as i64, $name::<E, C>::LIMIT as i64) };
                <E::Kind as VectorKind>::$call(self.0.at(row), grid, limit)
            }
        }

        node! {
            [E: Expr<Kind: VectorKind>, const C: u32] $name<E, C> where [];
            row E::Row; kind <E::Kind as VectorKind>::Steps; children [E];
            grid Self::STEPS;
            bound<'a> $bound<E::Bound<'a>, Self>;
            bind |this, chunk| $bound(this.0.bind(chunk), PhantomData);
            term |this| Term::Apply(Operation::$name, vec![this.on_grid(), Term::constant(C)]);
        }

        impl<E: Expr<Kind = Vector<D>>, const C: u32, const D: usize> Clipped<D> for $name<E, C> {
            const NORM: i128 = Self::LIMIT;
            type Vector = Self;
            fn vector(self) -> Self {
                self
            }
        }
    };
}

clip!(
    /// A vector of L1 norm at most `C` units.
    ClipL1,
    BoundL1,
    clip_l1
);
clip!(
    /// A vector of Euclidean norm at most `C` units.
    ClipL2,
    BoundL2,
    clip_l2
);
