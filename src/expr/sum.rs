//! What can be summed: kinds of number, expressions with bounds, and one of these with its rows.
//!
//! A sum lives beside the expressions, below the queries: the bounds of an expression decide what its
//! sum is, so that a sum without bounds is one error and not three.

use super::{Expr, Fixed, Int, Kind, Nullable, check_size, refuse};
use crate::data::Null;

/// The greatest bound on the grid.
pub(crate) const LIMIT: i128 = 1 << 51;

/// An expression with public bounds: what a sum can take. Sealed.
///
/// [`Clamp`](super::Clamp) gives bounds; arithmetic on bounded expressions carries them along exactly.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bounds, so its sum has no finite sensitivity",
    label = "unbounded",
    note = "clamp it first: `.clamp::<LOW, HIGH>()`"
)]
pub trait Bounded: Expr<Kind: Summand> {
    /// The expression itself. Queries name it instead of `Self`, so that errors end here where
    /// there are no bounds.
    #[doc(hidden)]
    type Summed: Bounded + Expr<Row = Self::Row, Kind = Self::Kind>;
    /// The expression itself.
    #[doc(hidden)]
    fn summed(self) -> Self::Summed;
}

/// An expression that has bounds whatever it is made of.
macro_rules! bounded {
    () => {
        type Summed = Self;
        fn summed(self) -> Self {
            self
        }
    };
}
pub(crate) use bounded;

/// Kinds that can be summed: whole numbers, and reals on a grid. Sealed with [`Kind`].
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` cannot be summed",
    label = "not a number on a grid",
    note = "clamp it first: `.clamp::<LOW, HIGH>()`"
)]
pub trait Summand: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    /// What a sum of them is.
    type Total: 'static;
    /// Whether a total is an `i64`.
    #[doc(hidden)]
    const INTEGER: bool;
    /// The value, or 0 where there is none.
    #[doc(hidden)]
    fn or_zero(value: Self::Value) -> i64;
    /// Whether there is a value.
    #[doc(hidden)]
    fn valid(value: Self::Value) -> bool;
    /// The number that a value becomes; a missing one stays missing.
    #[doc(hidden)]
    fn map(value: Self::Value, f: impl FnOnce(i64) -> i64) -> Self::Value;
    /// A released total as a real.
    #[doc(hidden)]
    fn as_real(total: Self::Total) -> f64;
    /// A released total, from steps of the grid to units.
    #[doc(hidden)]
    fn total(steps: i128, grid: i128) -> Self::Total;
}

impl Summand for Int {
    type Then<T> = T;
    type Total = i64;
    const INTEGER: bool = true;
    #[inline(always)]
    fn or_zero(value: i64) -> i64 {
        value
    }
    #[inline(always)]
    fn valid(_: i64) -> bool {
        true
    }
    #[inline(always)]
    fn map(value: i64, f: impl FnOnce(i64) -> i64) -> i64 {
        f(value)
    }
    fn as_real(total: i64) -> f64 {
        total as f64
    }
    fn total(steps: i128, _: i128) -> i64 {
        steps.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

impl Summand for Fixed {
    type Then<T> = T;
    type Total = f64;
    const INTEGER: bool = false;
    #[inline(always)]
    fn or_zero(value: i64) -> i64 {
        value
    }
    #[inline(always)]
    fn valid(_: i64) -> bool {
        true
    }
    #[inline(always)]
    fn map(value: i64, f: impl FnOnce(i64) -> i64) -> i64 {
        f(value)
    }
    fn as_real(total: f64) -> f64 {
        total
    }
    fn total(steps: i128, grid: i128) -> f64 {
        steps as f64 / grid as f64
    }
}

impl<K: Summand<Value = i64>> Summand for Nullable<K> {
    type Then<T> = K::Then<T>;
    type Total = K::Total;
    const INTEGER: bool = K::INTEGER;
    #[inline(always)]
    fn or_zero(value: Null<i64>) -> i64 {
        -i64::from(value.valid) & value.value
    }
    #[inline(always)]
    fn valid(value: Null<i64>) -> bool {
        value.valid
    }
    #[inline(always)]
    fn map(value: Null<i64>, f: impl FnOnce(i64) -> i64) -> Null<i64> {
        Null {
            valid: value.valid,
            value: f(value.value),
        }
    }
    fn as_real(total: K::Total) -> f64 {
        K::as_real(total)
    }
    fn total(steps: i128, grid: i128) -> K::Total {
        K::total(steps, grid)
    }
}

/// The sum of `E` over the rows of `S`.
///
/// # Claim
///
/// With bounds L and U on the grid: a record added or removed moves the sum by at most
/// max(|L|, |U|). A record replaced moves it by at most U - L if every record is in the sum; if a
/// record can drop out (a filter, a null, a truncation), by at most max(U, 0) - min(L, 0).
#[derive(Debug)]
pub struct Sum<S, E> {
    pub(crate) rows: S,
    pub(crate) value: E,
}

impl<S, E: Bounded> Sum<S, E> {
    pub(crate) fn new(rows: S, value: E) -> Self {
        const { check_size::<E>() };
        const { check_bounds::<E>() };
        Sum { rows, value }
    }
}

/// Stops the compilation of a sum whose bounds are too large for exact arithmetic.
pub(crate) const fn check_bounds<E: Bounded>() {
    Checked::<E>::BOUNDS
}

/// One constant for each expression, so that it is one error however often it is asked for.
struct Checked<E>(E);

impl<E: Bounded> Checked<E> {
    const BOUNDS: () = {
        if E::LOW < -LIMIT || E::HIGH > LIMIT {
            refuse(
                "the bounds of what is summed exceed 2^51 steps: clamp to smaller bounds, or use a coarser grid",
            );
        }
        if E::LOW > E::HIGH {
            refuse("the bounds of what is summed are in the wrong order");
        }
    };
}
