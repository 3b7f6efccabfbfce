//! Comparisons, with constants and between columns.

use core::marker::PhantomData;

use super::{
    Bool, Categorical, Days, Eval, Expr, Int, Kind, KindOf, Moments, Nullable, Operand, Operation,
    Real, RowOf, Term, Text, node,
};
use crate::data::Category;

/// Kinds that can be equal to kind `K`. Sealed by its parameters.
pub trait Equal<K: Kind>: Kind {
    /// Whether they are equal.
    #[doc(hidden)]
    fn equal(a: Self::Value, b: K::Value) -> bool;
}

/// Kinds that are ordered with kind `K`. Sealed by its parameters.
pub trait Order<K: Kind>: Equal<K> {
    /// Whether `a < b`.
    #[doc(hidden)]
    fn less(a: Self::Value, b: K::Value) -> bool;
    /// Whether `a > b`.
    #[doc(hidden)]
    fn greater(a: Self::Value, b: K::Value) -> bool;
}

/// [`Equal`] seen from the other side: what a value of kind `K` can be compared with.
///
/// Methods ask this one. The kind of their argument is not known yet when rustc looks for a method, so that
/// a kind that does not fit is an error about the argument, in the words below.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a value of kind `{K}` cannot be compared with one of kind `{Self}`",
    label = "different kinds",
    note = "compare like with like: numbers with numbers, texts with texts, dates with a `Date`, a category with a variant of its own; \
            a comparison is a condition, so join two of them: `p.age.ge(40) & p.age.le(60)`"
)]
pub trait EqualTo<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
}

/// [`Order`] seen from the other side.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a value of kind `{K}` has no order with one of kind `{Self}`",
    label = "not ordered",
    note = "numbers, dates and times are ordered; texts and categories have `eq_to`, `ne` and `one_of`; \
            a comparison is a condition, so join two of them: `p.age.ge(40) & p.age.le(60)`"
)]
pub trait OrderedWith<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
}

/// The same where one or both may be missing: false, if one is.
///
/// One impl for each pair: a general one sends the compiler from `Nullable<_>` to `Nullable<_>`
/// where kinds do not fit, and the error is about its recursion limit.
macro_rules! with_nulls {
    ($g:tt $trait:ident $mirror:ident, $a:ty, $b:ty, $($method:ident),*) => {
        with_nulls!(@mirror $g $mirror, $a, $b);
        with_nulls!(@mirror $g $mirror, Nullable<$a>, $b);
        with_nulls!(@mirror $g $mirror, $a, Nullable<$b>);
        with_nulls!(@mirror $g $mirror, Nullable<$a>, Nullable<$b>);
        with_nulls!(@one $g $trait, ($a, $b), Nullable<$a>, $b; $($method),*; |x, y| x.valid, x.value, y);
        with_nulls!(@one $g $trait, ($a, $b), $a, Nullable<$b>; $($method),*; |x, y| y.valid, x, y.value);
        with_nulls!(
            @one $g $trait, ($a, $b), Nullable<$a>, Nullable<$b>; $($method),*;
            |x, y| x.valid & y.valid, x.value, y.value
        );
    };
    (@mirror [$($g:tt)*] $mirror:ident, $a:ty, $b:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $mirror<$a> for $b {
            type Then<T> = T;
        }
    };
    (
        @one [$($g:tt)*] $trait:ident, $base:tt, $a:ty, $b:ty; $($method:ident),*;
        |$x:ident, $y:ident| $valid:expr, $left:expr, $right:expr
    ) => {
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $trait<$b> for $a {
            $(with_nulls!(
                @method $trait, $base, $b, $method, |$x, $y| $valid, $left, $right
            );)*
        }
    };
    (
        @method $trait:ident, ($p:ty, $q:ty), $b:ty, $method:ident,
        |$x:ident, $y:ident| $valid:expr, $left:expr, $right:expr
    ) => {
        #[inline(always)]
        fn $method($x: Self::Value, $y: <$b as Kind>::Value) -> bool {
            $valid & <$p as $trait<$q>>::$method($left, $right)
        }
    };
}

/// Pairs of kinds that can be equal, each with nulls on either side. A null is equal to nothing.
macro_rules! equal {
    ($([$($g:tt)*] $a:ty, $b:ty, |$x:ident, $y:ident| $e:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Equal<$b> for $a {
            #[inline(always)]
            fn equal($x: Self::Value, $y: <$b as Kind>::Value) -> bool {
                $e
            }
        }
        with_nulls!([$($g)*] Equal EqualTo, $a, $b, equal);
    )*};
}

/// Pairs of kinds that are ordered, each with nulls on either side. A null has no order.
macro_rules! order {
    ($($a:ty, $b:ty, |$x:ident, $y:ident| $p:expr, $q:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Order<$b> for $a {
            #[inline(always)]
            fn less($x: Self::Value, $y: <$b as Kind>::Value) -> bool {
                $p < $q
            }
            #[inline(always)]
            fn greater($x: Self::Value, $y: <$b as Kind>::Value) -> bool {
                $p > $q
            }
        }
        with_nulls!([] Order OrderedWith, $a, $b, less, greater);
    )*};
}

equal! {
    [] Int, Int, |a, b| a == b;
    [] Real, Real, |a, b| a == b;
    [] Real, Int, |a, b| a == b as f64;
    [] Int, Real, |a, b| a as f64 == b;
    [] Bool, Bool, |a, b| a == b;
    [] Days, Days, |a, b| a == b;
    [] Moments, Moments, |a, b| a == b;
    [] Text, Text, |a, b| a == b;
    [C: Category] Categorical<C>, Categorical<C>, |a, b| a == b;
}

order! {
    Int, Int, |a, b| a, b;
    Real, Real, |a, b| a, b;
    Real, Int, |a, b| a, b as f64;
    Int, Real, |a, b| a as f64, b;
    Days, Days, |a, b| a, b;
    Moments, Moments, |a, b| a, b;
}

/// A comparison sign. Sealed.
pub trait Comparison<A: Kind, B: Kind>: sealed::Sign + Send + Sync + 'static {
    /// The same sign in a plan.
    #[doc(hidden)]
    const SIGN: Operation;
    /// Whether it holds.
    #[doc(hidden)]
    fn holds(a: A::Value, b: B::Value) -> bool;
}

mod sealed {
    pub trait Sign {}
}

macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident, $sign:ident, $bound:ident, |$a:ident, $b:ident| $e:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
        impl sealed::Sign for $name {}
        impl<A: $bound<B>, B: Kind> Comparison<A, B> for $name {
            const SIGN: Operation = Operation::$sign;
            #[inline(always)]
            fn holds($a: A::Value, $b: B::Value) -> bool {
                $e
            }
        }
    )*};
}
signs! {
    /// Greater than.
    Gt, Greater, Order, |a, b| A::greater(a, b);
    /// At least.
    Ge, AtLeast, Order, |a, b| A::greater(a, b) | A::equal(a, b);
    /// Less than.
    Lt, Less, Order, |a, b| A::less(a, b);
    /// At most.
    Le, AtMost, Order, |a, b| A::less(a, b) | A::equal(a, b);
    /// Equal.
    Eq, Equal, Equal, |a, b| A::equal(a, b);
    /// Not equal.
    Ne, NotEqual, Equal, |a, b| !A::equal(a, b);
}

/// A comparison of two expressions.
pub struct Compare<A, Sign, B>(A, B, PhantomData<fn() -> Sign>);

impl<A, Sign, B> Compare<A, Sign, B> {
    pub(super) fn new(a: A, b: B) -> Self {
        Compare(a, b, PhantomData)
    }
}
impl<A: Clone, Sign, B: Clone> Clone for Compare<A, Sign, B> {
    fn clone(&self) -> Self {
        Compare(self.0.clone(), self.1.clone(), PhantomData)
    }
}

/// One chunk of it.
#[doc(hidden)]
#[allow(clippy::type_complexity)] // the kinds are named so that the comparison is looked up once
pub struct BoundCompare<A, KA, Sign, B, KB>(A, B, PhantomData<fn() -> (KA, Sign, KB)>);
impl<A: Copy, KA, Sign, B: Copy, KB> Clone for BoundCompare<A, KA, Sign, B, KB> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, KA, Sign, B: Copy, KB> Copy for BoundCompare<A, KA, Sign, B, KB> {}
impl<A, KA, Sign, B, KB> Eval for BoundCompare<A, KA, Sign, B, KB>
where
    A: Eval<Value = KA::Value>,
    KA: Kind,
    B: Eval<Value = KB::Value>,
    KB: Kind,
    Sign: Comparison<KA, KB>,
{
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        Sign::holds(self.0.at(row), self.1.at(row))
    }
}

node! {
    [A: Expr, Sign: Comparison<KindOf<A>, KindOf<B>>, B: Expr<Row = A::Row>]
    Compare<A, Sign, B> where [];
    row A::Row; kind Bool; children [A, B];
    bound<'a> BoundCompare<A::Bound<'a>, A::Kind, Sign, B::Bound<'a>, B::Kind>;
    bind |this, chunk| BoundCompare(this.0.bind(chunk), this.1.bind(chunk), PhantomData);
    term |this| Term::Apply(Sign::SIGN, vec![this.0.term(), this.1.term()]);
}

/// Membership in a public list.
#[derive(Clone)]
pub struct OneOf<A, X, const N: usize>(A, [X; N]);

impl<A: Expr, X: Expr<Row = RowOf<A>>, const N: usize> OneOf<A, X, N> {
    pub(super) fn new<T: Operand<RowOf<A>, Expr = X>>(a: A, list: [T; N]) -> Self {
        const { assert!(N <= super::MAX_NODES, "this list has more than 1024 values") };
        OneOf(a, list.map(Operand::expr))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundOneOf<A, KA, X, KX, const N: usize>(A, [X; N], PhantomData<fn() -> (KA, KX)>);
impl<A: Copy, KA, X: Copy, KX, const N: usize> Clone for BoundOneOf<A, KA, X, KX, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, KA, X: Copy, KX, const N: usize> Copy for BoundOneOf<A, KA, X, KX, N> {}
impl<A, KA, X, KX, const N: usize> Eval for BoundOneOf<A, KA, X, KX, N>
where
    A: Eval<Value = KA::Value>,
    KA: Equal<KX>,
    X: Eval<Value = KX::Value>,
    KX: Kind,
{
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        let value = self.0.at(row);
        self.1
            .iter()
            .fold(false, |found, x| found | KA::equal(value, x.at(row)))
    }
}

node! {
    [A: Expr<Kind: Equal<KindOf<X>>>, X: Expr<Row = A::Row>, const N: usize]
    OneOf<A, X, N> where [];
    row A::Row; kind Bool; children [A];
    bound<'a> BoundOneOf<A::Bound<'a>, A::Kind, X::Bound<'a>, X::Kind, N>;
    bind |this, chunk| BoundOneOf(
        this.0.bind(chunk),
        core::array::from_fn(|i| this.1[i].bind(chunk)),
        PhantomData,
    );
    term |this| Term::Apply(Operation::OneOf,
        vec![this.0.term(), Term::List(this.1.iter().map(Expr::term).collect())],
    );
}
