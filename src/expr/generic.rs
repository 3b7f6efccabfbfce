//! Bounds for code that is generic over a record and its columns.
//!
//! The methods of a concrete column are inherent. A type parameter has those of its bounds: the traits here
//! repeat the methods that a library needs. Numbers become reals first, so that the kind of every result is
//! known whatever the column's own type is, and all further methods of the crate apply to it.

use core::marker::PhantomData;

use super::boxed::{Boxed, BoxedNullable, BoxedNumber};
use super::{
    Bins, Bounded, Clamp, Compare, Eq, Eval, Expr, Fixed, Ge, Grid, Gt, Int, IsNull, Keyed, Kind,
    KindOf, Le, Lt, Ne, Nullable, Operand, Operation, OrElse, Over, Real, Term, ValOf, node,
};
use crate::data::plan::Constant;
use crate::data::{Null, Record};

/// The columns of `R`: what the closures of [`Rows`](crate::query::Rows) receive. They are `Copy`.
///
/// ```
/// use privet::expr::{Columns, Condition};
/// use privet::prelude::*;
///
/// fn count_where<R, C, E>(condition: impl FnOnce(Columns<R>) -> C) -> Mechanism<Table<R>, i64, E>
/// where
///     R: Record,
///     C: Condition<R>,
///     E: Epsilon,
/// {
///     rows::<R>().filter(condition).count().laplace()
/// }
///
/// #[derive(Record)]
/// struct Patient { age: i64, smoker: bool }
///
/// let older = count_where::<Patient, _, Eps<1, 2>>(|p| p.smoker & p.age.gt(40));
/// ```
pub type Columns<R> = <R as Record>::Columns;

/// The columns of `R` as a value, for functions that take a column and not a closure.
///
/// ```
/// use privet::expr::{self, Numeric};
/// use privet::prelude::*;
///
/// fn total<R: Record, C: Numeric<R>>(column: C) -> Mechanism<Table<R>, f64, Eps<1, 2>> {
///     rows::<R>().sum(|_| column.clamp::<0, 1000>()).laplace()
/// }
///
/// #[derive(Record)]
/// struct Patient { age: i64, bill: f64 }
///
/// let p = expr::columns::<Patient>();
/// let both = total(p.age).and(total(p.bill));
/// ```
#[must_use]
pub fn columns<R: Record>() -> Columns<R> {
    R::columns()
}

/// Kinds that can be read as reals. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not numbers",
    label = "not a number",
    note = "integers and `f64` are; a condition is one as `.number()`"
)]
pub trait ToReal: Kind {
    /// Reals, missing where these are.
    type Out: Kind;
    fn to_real(value: Self::Value, grid: i64) -> <Self::Out as Kind>::Value;
    /// Whether they are reals already, which keep their grid.
    const REAL: bool = false;
    /// The same as plain data.
    fn spell(term: Term) -> Term;
}

/// A whole number as a real, as plain data.
fn spelled(term: Term) -> Term {
    match term {
        Term::Constant(Constant::Integer(value)) => Term::constant(value as f64),
        term => Term::Apply(Operation::Real, vec![term]),
    }
}

impl ToReal for Int {
    type Out = Real;
    #[inline(always)]
    fn to_real(value: i64, _: i64) -> f64 {
        value as f64
    }
    fn spell(term: Term) -> Term {
        spelled(term)
    }
}

impl ToReal for Fixed {
    type Out = Real;
    #[inline(always)]
    fn to_real(value: i64, grid: i64) -> f64 {
        value as f64 / grid as f64
    }
    fn spell(term: Term) -> Term {
        spelled(term)
    }
}

impl ToReal for Real {
    type Out = Real;
    const REAL: bool = true;
    #[inline(always)]
    fn to_real(value: f64, _: i64) -> f64 {
        value
    }
    fn spell(term: Term) -> Term {
        term
    }
}

impl<K: NumericKind> ToReal for Nullable<K> {
    type Out = Nullable<Real>;
    const REAL: bool = K::REAL;
    #[inline(always)]
    fn to_real(value: Null<K::Value>, grid: i64) -> Null<f64> {
        Null {
            valid: value.valid,
            value: K::to_real(value.value, grid),
        }
    }
    fn spell(term: Term) -> Term {
        K::spell(term)
    }
}

/// Kinds of number that every row has: integers, decimals and reals. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not numbers that every row has",
    label = "not a number on every row",
    note = "integers and `f64` are; an `Option` of one is with a default, `.or(0)`, and a condition as \
            `.number()`"
)]
pub trait NumericKind: ToReal<Out = Real> {}
impl NumericKind for Int {}
impl NumericKind for Fixed {}
impl NumericKind for Real {}

/// Kinds of number that may be missing. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not numbers that may be missing",
    label = "not an `Option` of a number"
)]
pub trait NullableKind: ToReal<Out = Nullable<Real>> {}
impl<K: NumericKind> NullableKind for Nullable<K> {}

/// A number as a real, whatever its own kind is.
#[derive(Clone, Copy, Debug)]
pub struct AnyReal<A>(A);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundAnyReal<B, A>(B, PhantomData<fn() -> A>);
impl<B, A> BoundAnyReal<B, A> {
    pub(super) fn new(bound: B) -> Self {
        BoundAnyReal(bound, PhantomData)
    }
}
impl<B: Copy, A> Clone for BoundAnyReal<B, A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, A> Copy for BoundAnyReal<B, A> {}
impl<B: Eval<Value = ValOf<A>>, A: Expr<Kind: ToReal>> Eval for BoundAnyReal<B, A> {
    type Value = <<A::Kind as ToReal>::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        A::Kind::to_real(self.0.at(row), const { A::GRID as i64 })
    }
}

node! {
    [A: Expr<Kind: ToReal>] AnyReal<A> where [];
    row A::Row; kind <A::Kind as ToReal>::Out; children [A];
    grid if <A::Kind as ToReal>::REAL { A::GRID } else { 1 };
    given <A::Kind as ToReal>::REAL && A::GRID_IS_GIVEN;
    bound<'a> BoundAnyReal<A::Bound<'a>, A>;
    bind |this, chunk| BoundAnyReal::new(this.0.bind(chunk));
    term |this| <A::Kind as ToReal>::spell(this.0.term());
}

/// Methods that numbers have whether they may be missing or not.
macro_rules! number_methods {
    ($boxed:ident) => {
        /// The number as a real. Operators and all other methods apply to the result:
        /// `a.real() + b.real()`.
        fn real(self) -> AnyReal<Self> {
            AnyReal(self)
        }

        /// The number as a real, in steps of `1/STEPS` once it is clamped.
        fn grid<const STEPS: u32>(self) -> Grid<AnyReal<Self>, STEPS> {
            let () = Grid::<AnyReal<Self>, STEPS>::FITS;
            Grid::new(AnyReal(self))
        }

        /// The number as a real with public bounds, in units.
        fn clamp<const LOW: i64, const HIGH: i64>(self) -> Clamp<AnyReal<Self>, LOW, HIGH> {
            let () = Clamp::<AnyReal<Self>, LOW, HIGH>::FITS;
            Clamp::new(AnyReal(self))
        }

        /// The number without its type, so that one variable can hold different columns.
        ///
        /// # Panics
        ///
        /// If the expression is larger than a query may be; see [`MAX_NODES`](super::MAX_NODES).
        fn boxed(self) -> $boxed<R> {
            Boxed::new(AnyReal(self))
        }

        number_methods! {
            @compare
            /// Greater than another number, or a constant.
            gt Gt;
            /// At least another number, or a constant.
            ge Ge;
            /// Less than another number, or a constant.
            lt Lt;
            /// At most another number, or a constant.
            le Le;
            /// Equal to another number, or a constant.
            eq_to Eq;
            /// Different from another number, or a constant.
            ne Ne;
        }
    };
    (@compare $($(#[$doc:meta])* $method:ident $sign:ident;)*) => {$(
        $(#[$doc])*
        fn $method<O>(self, other: O) -> Compare<AnyReal<Self>, $sign, AnyReal<O::Expr>>
        where
            O: Operand<R>,
            KindOf<O::Expr>: NumericKind,
        {
            Compare::new(AnyReal(self), AnyReal(other.expr()))
        }
    )*};
}

/// A number of every row of `R`: an integer or real column, or an expression of them. Sealed.
///
/// It has those methods of a column that do not depend on which kind of number it is; numbers become reals
/// first. For exact integers the bound is [`Expr<Row = R, Kind = Int>`](Expr).
///
/// ```
/// use privet::expr::Numeric;
/// use privet::prelude::*;
///
/// /// How many rows reach a limit, and what their total is.
/// fn summary<R, C, E>(column: C, limit: f64) -> Mechanism<Table<R>, (i64, f64), E>
/// where
///     R: Record,
///     C: Numeric<R>,
///     E: Split<2>,
/// {
///     let reached = rows::<R>().filter(|_| column.clone().ge(limit));
///     let total = reached.clone().sum(|_| column.clone().grid::<100>().clamp::<0, 1000>());
///     Mechanism::all((reached.count().laplace(), total.laplace::<E::Part>())).at_most()
/// }
///
/// #[derive(Record)]
/// struct Patient { age: i64, bill: f64 }
///
/// let p = privet::expr::columns::<Patient>();
/// let _: Mechanism<Table<Patient>, _, Eps<1, 2>> = summary(p.age, 65.0);
/// let _: Mechanism<Table<Patient>, _, Eps<1, 2>> = summary(p.bill, 99.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that every row of `{R}` has",
    label = "not a number of `{R}`",
    note = "integers and `f64` are; an `Option` of one is with a default, `.or(0)`, and a condition as \
            `.number()`"
)]
pub trait Numeric<R: Record>: Over<R> + Expr<Kind: NumericKind> + Clone {
    number_methods!(BoxedNumber);

    /// The bin between public edges: how many of the edges are at or below the number.
    fn bins<const LEN: usize>(self, edges: [f64; LEN]) -> Bins<AnyReal<Self>, f64, LEN> {
        Bins::new(AnyReal(self), edges)
    }
}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Over<R> + Expr<Kind: NumericKind> + Clone> Numeric<R> for E {}

/// A number that some rows of `R` may lack: an `Option` of an integer or a real. Sealed.
///
/// Comparisons with a missing number are false, and rows without one are left out of a sum or a mean.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that rows of `{R}` may lack",
    label = "not an `Option` of a number",
    note = "a number that every row has is `Numeric<{R}>`"
)]
pub trait NullableNumeric<R: Record>: Over<R> + Expr<Kind: NullableKind> + Clone {
    number_methods!(BoxedNullable);

    /// The number, or `default` where it is missing.
    fn or<O>(self, default: O) -> OrElse<AnyReal<Self>, AnyReal<O::Expr>>
    where
        O: Operand<R>,
        KindOf<O::Expr>: NumericKind,
    {
        OrElse(AnyReal(self), AnyReal(default.expr()))
    }

    /// Whether the number is missing.
    #[allow(clippy::wrong_self_convention)] // as the method of columns
    fn is_null(self) -> IsNull<AnyReal<Self>> {
        IsNull(AnyReal(self))
    }
}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Over<R> + Expr<Kind: NullableKind> + Clone> NullableNumeric<R> for E {}

/// A public key of the rows of `R`: what a histogram can count by. Sealed.
///
/// ```
/// use privet::expr::{Columns, Key};
/// use privet::prelude::*;
///
/// fn shares<R, K, E>(key: impl FnOnce(Columns<R>) -> K) -> Mechanism<Table<R>, Vec<f64>, E>
/// where
///     R: Record,
///     K: Key<R>,
///     E: Epsilon,
/// {
///     rows::<R>().histogram(key).laplace().map(|counts| {
///         let all = counts.iter().sum::<i64>().max(1) as f64;
///         counts.iter().map(|&n| n as f64 / all).collect()
///     })
/// }
/// # #[derive(Record)] struct Patient { age: i64, smoker: bool }
/// let _ = shares::<Patient, _, Eps<1, 2>>(|p| (p.smoker, p.age.bins([18, 65])));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a public key of the rows of `{R}`",
    label = "not a public key of `{R}`",
    note = "use a category, a `bool`, `.bins([..])`, `.keys([..])` or a clamped integer"
)]
pub trait Key<R: Record>: Over<R> + Keyed {}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Over<R> + Keyed> Key<R> for E {}

/// A number of the rows of `R` with public bounds: what a sum or a mean can take. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of `{R}` with public bounds",
    label = "no bounds",
    note = "clamp it first: `.clamp::<LOW, HIGH>()`"
)]
pub trait BoundedNumber<R: Record>: Over<R> + Bounded {}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Over<R> + Bounded> BoundedNumber<R> for E {}
