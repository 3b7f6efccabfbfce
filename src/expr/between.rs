//! Bounds that are known at run time only.

use core::marker::PhantomData;

use super::{
    AsReal, Clamp, Clampable, Eval, Expr, Fixed, Int, Kind, Nullable, Operation, Real, Summand,
    Term, node,
};
use crate::data::Null;
use crate::error::{Error, Result};

/// Public bounds of a sum, known at run time only: finite, and the lower one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    low: f64,
    high: f64,
    /// The larger one in absolute value.
    unit: f64,
}

impl Bounds {
    /// From `low` to `high`.
    ///
    /// # Errors
    ///
    /// [`Error::Bounds`] unless both are finite, `low` is at most `high`, and the larger of them in absolute value is between
    /// 10^-100 and 10^100.
    pub(crate) fn new(low: f64, high: f64) -> Result<Self> {
        let unit = low.abs().max(high.abs());
        // A NaN is in no range, and neither comparison below takes one.
        if low <= high && low.is_finite() && high.is_finite() && (1e-100..=1e100).contains(&unit) {
            Ok(Bounds { low, high, unit })
        } else {
            Err(Error::Bounds { low, high })
        }
    }

    /// One unit of what is summed.
    pub(crate) fn unit(self) -> f64 {
        self.unit
    }

    /// The value within the bounds, in units: from -1 to 1. NaN becomes the lower bound.
    #[inline(always)]
    fn share(self, value: f64) -> f64 {
        let above = if value > self.low { value } else { self.low };
        let within = if above < self.high { above } else { self.high };
        within / self.unit
    }
}

/// Kinds of number that can be summed between bounds that are known at run time. Sealed with [`Kind`].
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` cannot be summed between bounds",
    label = "not a number",
    note = "integers, `f64`, decimals and `Option`s of these can; a condition becomes a number with `.number()`"
)]
pub trait Bracketed: Kind {
    /// A real, or one that may be missing.
    #[doc(hidden)]
    type Out: Clampable<Out: Summand>;
    #[doc(hidden)]
    fn share(value: Self::Value, grid: i64, bounds: Bounds) -> <Self::Out as Kind>::Value;
}
impl Bracketed for Real {
    type Out = Real;
    #[inline(always)]
    fn share(value: f64, _: i64, bounds: Bounds) -> f64 {
        bounds.share(value)
    }
}
macro_rules! read_as_real {
    ($($kind:ty),*) => {$(
        impl Bracketed for $kind {
            type Out = Real;
            #[inline(always)]
            fn share(value: i64, grid: i64, bounds: Bounds) -> f64 {
                bounds.share(<$kind as AsReal>::real(value, grid))
            }
        }
    )*};
}
read_as_real!(Int, Fixed);
impl<K: Bracketed<Out = Real>> Bracketed for Nullable<K> {
    type Out = Nullable<Real>;
    #[inline(always)]
    fn share(value: Null<K::Value>, grid: i64, bounds: Bounds) -> Null<f64> {
        Null {
            valid: value.valid,
            value: K::share(value.value, grid, bounds),
        }
    }
}

/// A number within public bounds, as a share of the larger one: from -1 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Share<E>(E, Bounds);

/// What a sum between bounds adds up: whole millionths of the larger bound.
///
/// PRIVACY: the bounds of the type are -1 and 1 whatever those named at run time are, and the integer clamp of [`Clamp`]
/// keeps every value within them.
pub(crate) type SharesOf<E> = Clamp<Share<E>, -1, 1>;

impl<E: Expr<Kind: Bracketed>> Share<E> {
    pub(crate) fn clamped(value: E, bounds: Bounds) -> SharesOf<E> {
        Clamp::new(Share(value, bounds))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundShare<B, E>(B, Bounds, PhantomData<fn() -> E>);
impl<B: Copy, E> Clone for BoundShare<B, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, E> Copy for BoundShare<B, E> {}
impl<B, E> Eval for BoundShare<B, E>
where
    B: Eval<Value = <E::Kind as Kind>::Value>,
    E: Expr<Kind: Bracketed>,
{
    type Value = <<E::Kind as Bracketed>::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        E::Kind::share(self.0.at(row), const { E::GRID as i64 }, self.1)
    }
}

node! {
    [E: Expr<Kind: Bracketed>] Share<E> where [];
    row E::Row; kind <E::Kind as Bracketed>::Out; children [E];
    bound<'a> BoundShare<E::Bound<'a>, E>;
    bind |this, chunk| BoundShare(this.0.bind(chunk), this.1, PhantomData);
    term |this| Term::Apply(Operation::Between,
        vec![this.0.term(), Term::constant(this.1.low), Term::constant(this.1.high)],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_finite_and_in_order() {
        let inf = f64::INFINITY;
        for (low, high) in [
            (1.0, 0.0),
            (0.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::NAN),
            (-inf, 1.0),
            (0.0, inf),
            (0.0, 1e-101),
            (0.0, 1e101),
        ] {
            assert!(
                matches!(Bounds::new(low, high), Err(Error::Bounds { .. })),
                "{low} {high}"
            );
        }
        for (low, high) in [
            (0.0, 1.0),
            (-3.0, -2.0),
            (5.0, 5.0),
            (-1e100, 0.0),
            (0.0, 1e-100),
        ] {
            let bounds = Bounds::new(low, high).unwrap();
            for value in [f64::NAN, -inf, f64::MIN, -2.5, 0.0, 0.25, f64::MAX, inf] {
                let share = bounds.share(value);
                assert!(
                    (low / bounds.unit..=high / bounds.unit).contains(&share),
                    "{share}"
                );
            }
            assert_eq!(bounds.share(f64::NAN), low / bounds.unit);
        }
    }
}
