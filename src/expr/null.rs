//! Values that may be missing.

use core::marker::PhantomData;

use super::{
    Bool, Categorical, Eval, Expr, Int, Kind, KindOf, Not, Nullable, Operation, Real, Term, node,
};
use crate::data::{Category, Null};

mod sealed {
    pub trait Missing {}
}

/// Kinds whose values may be missing. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are never missing",
    label = "not an `Option`"
)]
pub trait Missing: Kind + sealed::Missing {
    type Present: Kind;
    fn valid(value: Self::Value) -> bool;
    fn or(
        value: Self::Value,
        default: <Self::Present as Kind>::Value,
    ) -> <Self::Present as Kind>::Value;
}
impl<K> sealed::Missing for Nullable<K> {}
impl<K: Kind> Missing for Nullable<K> {
    type Present = K;
    #[inline(always)]
    fn valid(value: Null<K::Value>) -> bool {
        value.valid
    }
    #[inline(always)]
    fn or(value: Null<K::Value>, default: K::Value) -> K::Value {
        if value.valid { value.value } else { default }
    }
}

/// Kinds for which a public default can stand in: numbers and categories. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` take no default",
    label = "not an `Option` of a number or a category"
)]
pub trait HasDefault: Missing {}
impl HasDefault for Nullable<Int> {}
impl HasDefault for Nullable<Real> {}
impl HasDefault for Nullable<Bool> {}
impl<C: Category> HasDefault for Nullable<Categorical<C>> {}

/// Whether a value is missing.
#[derive(Clone, Copy, Debug)]
pub struct IsNull<A>(pub(super) A);

impl<A: Expr<Kind: Missing>> IsNull<A> {
    /// Whether a value is there.
    pub(crate) fn denied(value: A) -> Not<IsNull<A>> {
        Not(IsNull(value))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundIsNull<A, K>(A, PhantomData<fn() -> K>);
impl<A: Copy, K> Clone for BoundIsNull<A, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, K> Copy for BoundIsNull<A, K> {}
impl<A: Eval<Value = K::Value>, K: Missing> Eval for BoundIsNull<A, K> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        !K::valid(self.0.at(row))
    }
}

node! {
    [A: Expr<Kind: Missing>] IsNull<A> where [];
    row A::Row; kind Bool; children [A];
    bound<'a> BoundIsNull<A::Bound<'a>, A::Kind>;
    bind |this, chunk| BoundIsNull(this.0.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::IsNull, vec![this.0.term()]);
}

/// A value, or another where it is missing.
#[derive(Clone, Copy, Debug)]
pub struct OrElse<A, B>(pub(super) A, pub(super) B);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundOrElse<A, B, K>(A, B, PhantomData<fn() -> K>);
impl<A: Copy, B: Copy, K> Clone for BoundOrElse<A, B, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, B: Copy, K> Copy for BoundOrElse<A, B, K> {}
impl<A, B, K> Eval for BoundOrElse<A, B, K>
where
    K: Missing,
    A: Eval<Value = K::Value>,
    B: Eval<Value = <K::Present as Kind>::Value>,
{
    type Value = <K::Present as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        K::or(self.0.at(row), self.1.at(row))
    }
}

node! {
    [A: Expr<Kind: Missing>, B: Expr<Row = A::Row, Kind = <KindOf<A> as Missing>::Present>]
    OrElse<A, B> where [];
    row A::Row; kind <A::Kind as Missing>::Present; children [A, B];
    bound<'a> BoundOrElse<A::Bound<'a>, B::Bound<'a>, A::Kind>;
    bind |this, chunk| BoundOrElse(this.0.bind(chunk), this.1.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::OrElse, vec![this.0.term(), this.1.term()]);
}

/// A condition that may be missing, and then does not hold.
#[derive(Clone, Copy, Debug)]
pub struct IsTrue<A>(pub(super) A);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundIsTrue<A>(A);
impl<A: Eval<Value = Null<bool>>> Eval for BoundIsTrue<A> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        let value = self.0.at(row);
        value.valid & value.value
    }
}

node! {
    [A: Expr<Kind = Nullable<Bool>>] IsTrue<A> where [];
    row A::Row; kind Bool; children [A];
    bound<'a> BoundIsTrue<A::Bound<'a>>;
    bind |this, chunk| BoundIsTrue(this.0.bind(chunk));
    term |this| Term::Apply(Operation::IsTrue, vec![this.0.term()]);
}
