//! Values that may be missing.

use core::marker::PhantomData;

use super::{
    Bool, Categorical, Days, Eval, Expr, Int, Kind, KindOf, Moments, Not, Nullable, Operation,
    Real, Term, node,
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
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    type Present: Kind;
    fn valid(value: Self::Value) -> bool;
    fn or(
        value: Self::Value,
        default: <Self::Present as Kind>::Value,
    ) -> <Self::Present as Kind>::Value;
}
impl<K> sealed::Missing for Nullable<K> {}
impl<K: Kind> Missing for Nullable<K> {
    type Then<T> = T;
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
pub trait HasDefault<K: Kind>: Missing {
    /// The value that stands in.
    fn default(value: K::Value) -> <Self::Present as Kind>::Value;
}

/// [`HasDefault`] seen from the other side: see `EqualTo`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{K}` take no default of kind `{Self}`",
    label = "not an `Option` of this kind",
    note = "a default is for an `Option` of a number, a `bool` or a category, and is one: \
            `.or(70.0)`, `.or(0)`, `.or(false)`"
)]
pub trait DefaultOf<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
}

macro_rules! default {
    ($([$($g:tt)*] $kind:ty, $k:ty, |$x:ident| $e:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> DefaultOf<Nullable<$kind>> for $k {
            type Then<T> = T;
        }
        impl<$($g)*> HasDefault<$k> for Nullable<$kind> {
            #[inline(always)]
            fn default($x: <$k as Kind>::Value) -> <$kind as Kind>::Value {
                $e
            }
        }
    )*};
}
default! {
    [] Int, Int, |x| x;
    [] Real, Real, |x| x;
    [] Real, Int, |x| x as f64;
    [] Bool, Bool, |x| x;
    [] Days, Days, |x| x;
    [] Moments, Moments, |x| x;
    [C: Category] Categorical<C>, Categorical<C>, |x| x;
}

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
pub struct BoundOrElse<A, B, K, D>(A, B, PhantomData<fn() -> (K, D)>);
impl<A: Copy, B: Copy, K, D> Clone for BoundOrElse<A, B, K, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, B: Copy, K, D> Copy for BoundOrElse<A, B, K, D> {}
impl<A, B, K, D> Eval for BoundOrElse<A, B, K, D>
where
    K: HasDefault<D>,
    D: Kind,
    A: Eval<Value = K::Value>,
    B: Eval<Value = D::Value>,
{
    type Value = <K::Present as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        K::or(self.0.at(row), K::default(self.1.at(row)))
    }
}

node! {
    [A: Expr<Kind: HasDefault<KindOf<B>>>, B: Expr<Row = A::Row>]
    OrElse<A, B> where [];
    row A::Row; kind <A::Kind as Missing>::Present; children [A, B];
    bound<'a> BoundOrElse<A::Bound<'a>, B::Bound<'a>, A::Kind, B::Kind>;
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
