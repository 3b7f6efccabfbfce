//! Division of whole numbers by public constants, and what remains.

use core::marker::PhantomData;

use super::{
    Bounded, Eval, Expr, Int, Keyed, KindOf, Nullable, Operation, Summand, Term, ValOf, node,
};

/// Kinds that can be divided: whole numbers. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not whole numbers",
    label = "not a whole number",
    note = "integers can be divided; a real is multiplied instead: `p.bill * 0.1`"
)]
pub trait WholeNumber: Summand {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
}
impl WholeNumber for Int {
    type Then<T> = T;
}
impl WholeNumber for Nullable<Int> {
    type Then<T> = T;
}

macro_rules! by_constant {
    ($(#[$doc:meta])* $name:ident, $bound:ident, $method:ident, |$e:ident, $n:ident| $low:expr, $high:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<$e, const $n: i64>(pub(super) $e);

        /// One chunk of it.
        #[doc(hidden)]
        pub struct $bound<B, K, const N: i64>(B, PhantomData<fn() -> K>);
        impl<B: Copy, K, const N: i64> Clone for $bound<B, K, N> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<B: Copy, K, const N: i64> Copy for $bound<B, K, N> {}
        impl<B: Eval<Value = K::Value>, K: WholeNumber, const N: i64> Eval for $bound<B, K, N> {
            type Value = K::Value;
            #[inline(always)]
            fn at(&self, row: usize) -> K::Value {
                // By a constant of the type, so that it is a multiplication and takes the same time for every
                // row. `N` is positive, so nothing overflows.
                K::map(self.0.at(row), |value| value.$method(const { positive(N) }))
            }
        }

        node! {
            [$e: Expr<Kind: WholeNumber>, const $n: i64] $name<$e, $n> where [];
            row $e::Row; kind $e::Kind; children [$e];
            low $low;
            high $high;
            bound<'a> $bound<$e::Bound<'a>, $e::Kind, $n>;
            bind |this, chunk| $bound(this.0.bind(chunk), PhantomData);
            term |this| Term::Apply(Operation::$name, vec![this.0.term(), Term::constant($n)]);
        }
    };
}

const fn positive(divisor: i64) -> i64 {
    if divisor <= 0 {
        super::refuse(
            "`divide` and `remainder` are by a positive constant, as in `divide::<10>()`",
        );
    }
    divisor
}

by_constant!(
    /// A whole number divided by `N`, rounded down.
    Divide, BoundDivide, div_euclid,
    |E, N| E::LOW.div_euclid(positive(N) as i128), E::HIGH.div_euclid(positive(N) as i128)
);
by_constant!(
    /// What remains of a whole number divided by `N`: 0 to `N` − 1.
    Remainder, BoundRemainder, rem_euclid,
    |E, N| 0, positive(N) as i128 - 1
);

impl<E: Bounded + Expr<Kind: WholeNumber>, const N: i64> Bounded for Divide<E, N>
where
    E::Summed: Expr<Kind: WholeNumber>,
{
    type Summed = Divide<E::Summed, N>;
    fn summed(self) -> Self::Summed {
        Divide(self.0.summed())
    }
}

impl<E: Expr<Kind: WholeNumber>, const N: i64> Bounded for Remainder<E, N> {
    super::sum::bounded!();
}

macro_rules! keyed {
    ($($name:ident $(: $bound:ident)?;)*) => {$(
        impl<E: $($bound +)? Expr<Kind: WholeNumber>, const N: i64> Keyed for $name<E, N> {
            const CELLS: usize = super::keys::cells_of(Self::HIGH - Self::LOW + 1);
            type Key = Self;
            fn key(self) -> Self {
                self
            }
            #[inline(always)]
            fn cell(value: ValOf<Self>) -> (bool, usize) {
                let low = const { Self::LOW as i64 };
                // A missing value reads as 0, which may lie outside the bounds.
                let cell = <KindOf<Self> as Summand>::or_zero(value).wrapping_sub(low) as usize;
                (
                    <KindOf<Self> as Summand>::valid(value),
                    cell.min(Self::CELLS - 1),
                )
            }
        }
    )*};
}
keyed! {
    Divide: Bounded;
    Remainder;
}
