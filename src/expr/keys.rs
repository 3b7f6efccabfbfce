//! Public keys: what a histogram counts by.

use core::marker::PhantomData;

use super::sum::bounded;
use super::{
    Bool, Bounded, Categorical, Clamp, Clampable, Days, Equal, Eval, Expr, Int, IsCondition, Kind,
    KindOf, Moments, Nullable, Number, Operand, Operation, Real, RowOf, Summand, Term, ValOf, node,
};
use crate::data::plan::Constant;
use crate::data::vector;
use crate::data::{Category, Col, Date, Field, Null, Timestamp};

/// An expression whose values are a public list of keys: what a histogram can count by. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no public keys, and keys taken from the data would not be private",
    label = "keys not public",
    note = "use a category, a `bool`, `.bins([..])`, `.keys([..])` or a clamped integer"
)]
pub trait Keyed: Expr {
    /// How many keys.
    #[doc(hidden)]
    const CELLS: usize;
    /// The key's place, if the row has one; the place is below `CELLS`.
    #[doc(hidden)]
    fn cell(value: ValOf<Self>) -> (bool, usize);
    /// The expression itself: see [`Bounded`].
    #[doc(hidden)]
    type Key: Keyed + Expr<Row = Self::Row>;
    /// The expression itself.
    #[doc(hidden)]
    fn key(self) -> Self::Key;
}

/// Kinds that are keys by themselves. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not public keys, and keys taken from the data would \
               not be private",
    label = "keys not public",
    note = "use a category, a `bool`, `.bins([..])`, `.keys([..])` or a clamped integer"
)]
pub trait KeyKind: Kind {
    const CELLS: usize;
    type Key<E: Keyed>: Keyed + Expr<Row = E::Row> + From<E>;
    fn cell(value: Self::Value) -> (bool, usize);
}

impl KeyKind for Bool {
    type Key<E: Keyed> = E;
    const CELLS: usize = 2;
    #[inline(always)]
    fn cell(value: bool) -> (bool, usize) {
        (true, usize::from(value))
    }
}
impl<C: Category> KeyKind for Categorical<C> {
    type Key<E: Keyed> = E;
    const CELLS: usize = C::NAMES.len();
    #[inline(always)]
    fn cell(value: u32) -> (bool, usize) {
        (true, value as usize)
    }
}
impl<K: KeyKind> KeyKind for Nullable<K> {
    type Key<E: Keyed> = K::Key<E>;
    const CELLS: usize = K::CELLS;
    #[inline(always)]
    fn cell(value: Null<K::Value>) -> (bool, usize) {
        let (valid, cell) = K::cell(value.value);
        (valid & value.valid, cell)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Field> Keyed for Col<F>
where
    KindOf<Col<F>>: KeyKind,
{
    const CELLS: usize = <KindOf<Self> as KeyKind>::CELLS;
    type Key = <KindOf<Self> as KeyKind>::Key<Self>;
    fn key(self) -> Self::Key {
        self.into()
    }
    #[inline(always)]
    fn cell(value: ValOf<Self>) -> (bool, usize) {
        <KindOf<Self> as KeyKind>::cell(value)
    }
}

/// A number of cells, if it is not too large.
pub(super) const fn cells_of(cells: i128) -> usize {
    if cells > 1 << 20 {
        super::refuse(
            "these keys have more than 2^20 cells: clamp to smaller bounds, `divide` first, or use `bins`",
        );
    }
    cells as usize
}

impl<E, const L: i64, const H: i64, const KEY: bool> Keyed for Clamp<E, L, H, KEY>
where
    E: Expr<Kind: Clampable<Out: Summand>>,
{
    const CELLS: usize = cells_of(Self::HIGH - Self::LOW + 1);
    type Key = Clamp<E, L, H, true>;
    fn key(self) -> Self::Key {
        self.into_key()
    }
    #[inline(always)]
    fn cell(value: ValOf<Self>) -> (bool, usize) {
        let low = const { Self::LOW as i64 };
        // A missing value reads as 0, which may lie outside the bounds.
        let cell = (<KindOf<Self> as Summand>::or_zero(value) - low) as usize;
        (
            <KindOf<Self> as Summand>::valid(value),
            cell.min(Self::CELLS - 1),
        )
    }
}

/// Kinds that edges of type `X` can divide into bins. Sealed with [`Kind`].
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` cannot be divided by edges of type `{X}`",
    label = "wrong type of edge",
    note = "edges are `i64` for integers, `f64` for reals, `Date` for dates and `Timestamp` for times"
)]
pub trait Edge<X>: Kind + sealed::Edge<X> {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    /// Whether the value is at or above the edge.
    #[doc(hidden)]
    fn reaches(value: Self::Value, edge: X) -> bool;
    /// An edge as plain data.
    #[doc(hidden)]
    fn constant(edge: X) -> Constant;
    /// Sorts edges into the order that [`bin`](Edge::bin) relies on.
    #[doc(hidden)]
    fn sort(_edges: &mut [X]) {}
    /// How many of the edges, sorted by [`sort`](Edge::sort), the value reaches.
    #[doc(hidden)]
    #[inline(always)]
    fn bin<const N: usize>(value: Self::Value, edges: &[X; N]) -> i64
    where
        X: Copy,
    {
        edges
            .iter()
            .fold(0, |bin, edge| bin + i64::from(Self::reaches(value, *edge)))
    }
}
mod sealed {
    pub trait Edge<X> {}
    impl Edge<i64> for super::Int {}
    impl Edge<f64> for super::Real {}
    impl Edge<super::Date> for super::Days {}
    impl Edge<super::Timestamp> for super::Moments {}
}
impl Edge<i64> for Int {
    type Then<T> = T;
    fn constant(edge: i64) -> Constant {
        edge.into()
    }
    #[inline(always)]
    fn reaches(value: i64, edge: i64) -> bool {
        value >= edge
    }
    fn sort(edges: &mut [i64]) {
        edges.sort_unstable();
    }
    /// The last edge reached, by one select each: compilers turn a count of 64-bit comparisons
    /// into code that takes twice as long.
    #[inline(always)]
    fn bin<const N: usize>(value: i64, edges: &[i64; N]) -> i64 {
        let mut bin = 0;
        for (index, &edge) in edges.iter().enumerate() {
            bin = if value >= edge { index as i64 + 1 } else { bin };
        }
        bin
    }
}
impl Edge<f64> for Real {
    type Then<T> = T;
    fn constant(edge: f64) -> Constant {
        edge.into()
    }
    #[inline(always)]
    fn reaches(value: f64, edge: f64) -> bool {
        value >= edge
    }
}

impl Edge<Date> for Days {
    type Then<T> = T;
    fn constant(edge: Date) -> Constant {
        edge.into()
    }
    #[inline(always)]
    fn reaches(value: i64, edge: Date) -> bool {
        value >= edge.days()
    }
}
impl Edge<Timestamp> for Moments {
    type Then<T> = T;
    fn constant(edge: Timestamp) -> Constant {
        edge.into()
    }
    #[inline(always)]
    fn reaches(value: i64, edge: Timestamp) -> bool {
        value >= edge.micros()
    }
}

const fn check_list(n: usize) {
    assert!(n <= super::MAX_NODES, "this list has more than 1024 values");
}

/// The index of a bin between public edges.
#[derive(Clone, Copy, Debug)]
pub struct Bins<E, X, const N: usize>(E, [X; N]);

impl<E, X, const N: usize> Bins<E, X, N> {
    pub(super) fn new(e: E, mut edges: [X; N]) -> Self
    where
        E: Expr<Kind: Edge<X>>,
    {
        const { check_list(N) };
        KindOf::<E>::sort(&mut edges);
        Bins(e, edges)
    }

    /// The last edge is repeated: a value that reaches it reaches all.
    #[track_caller]
    pub(super) fn up_to(e: E, edges: impl IntoIterator<Item = X>) -> Self
    where
        E: Expr<Kind: Edge<X>>,
        X: Copy,
    {
        const { check_list(N) };
        let mut edges: Vec<X> = edges.into_iter().take(N + 1).collect();
        assert!(
            edges.len() <= N,
            "`bins_up_to::<{N}, _>` was given more than {N} edges"
        );
        KindOf::<E>::sort(&mut edges);
        let Some(last) = edges.last() else {
            panic!("`bins_up_to::<{N}, _>` was given no edges");
        };
        Bins(e, core::array::from_fn(|i| *edges.get(i).unwrap_or(last)))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundBins<'a, B, K, X, const N: usize>(B, &'a [X; N], PhantomData<fn() -> K>);
impl<B: Copy, K, X, const N: usize> Clone for BoundBins<'_, B, K, X, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K, X, const N: usize> Copy for BoundBins<'_, B, K, X, N> {}
impl<B, K, X, const N: usize> Eval for BoundBins<'_, B, K, X, N>
where
    K: Edge<X>,
    B: Eval<Value = K::Value>,
    X: Copy,
{
    type Value = i64;
    #[inline(always)]
    fn at(&self, row: usize) -> i64 {
        K::bin(self.0.at(row), self.1)
    }
}

node! {
    [
        E: Expr<Kind: Edge<X>>,
        X: Copy + core::fmt::Debug + Send + Sync + 'static,
        const N: usize
    ] Bins<E, X, N> where [];
    row E::Row; kind Int; children [E];
    low 0; high N as i128;
    bound<'a> BoundBins<'a, E::Bound<'a>, E::Kind, X, N>;
    bind |this, chunk| BoundBins(this.0.bind(chunk), &this.1, PhantomData);
    term |this| Term::Apply(Operation::Bins, vec![this.0.term(), Term::list(this.1.map(E::Kind::constant))]);
}

/// The index in a public list.
#[derive(Clone)]
pub struct Keys<E, X, const N: usize>(E, [X; N]);

impl<E: Expr, X: Expr<Row = RowOf<E>>, const N: usize> Keys<E, X, N> {
    pub(super) fn new<T: Operand<RowOf<E>, Expr = X>>(e: E, list: [T; N]) -> Self {
        const { check_list(N) };
        Keys(e, list.map(Operand::expr))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundKeys<A, KA, X, KX, const N: usize>(A, [X; N], PhantomData<fn() -> (KA, KX)>);
impl<A: Copy, KA, X: Copy, KX, const N: usize> Clone for BoundKeys<A, KA, X, KX, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, KA, X: Copy, KX, const N: usize> Copy for BoundKeys<A, KA, X, KX, N> {}
impl<A, KA, X, KX, const N: usize> Eval for BoundKeys<A, KA, X, KX, N>
where
    A: Eval<Value = KA::Value>,
    KA: Equal<KX>,
    X: Eval<Value = KX::Value>,
    KX: Kind,
{
    type Value = i64;
    #[inline(always)]
    fn at(&self, row: usize) -> i64 {
        let value = self.0.at(row);
        // From the last to the first, so that the first of equal keys wins.
        let mut found = N as i64;
        for key in (0..N).rev() {
            found = if KA::equal(value, self.1[key].at(row)) {
                key as i64
            } else {
                found
            };
        }
        found
    }
}

node! {
    [E: Expr<Kind: Equal<KindOf<X>>>, X: Expr<Row = E::Row>, const N: usize]
    Keys<E, X, N> where [];
    row E::Row; kind Int; children [E];
    low 0; high N as i128;
    bound<'a> BoundKeys<E::Bound<'a>, E::Kind, X::Bound<'a>, X::Kind, N>;
    bind |this, chunk| BoundKeys(
        this.0.bind(chunk),
        core::array::from_fn(|i| this.1[i].bind(chunk)),
        PhantomData,
    );
    term |this| Term::Apply(Operation::Keys,
        vec![this.0.term(), Term::List(this.1.iter().map(Expr::term).collect())],
    );
}

/// The index of the nearest of public centres.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<E, const D: usize, const K: usize>(E, [[f64; D]; K]);

impl<E, const D: usize, const K: usize> Nearest<E, D, K> {
    pub(super) fn new(e: E, centres: [[f64; D]; K]) -> Self {
        const { check_list(K) };
        const { assert!(K > 0, "`nearest` needs at least one centre") };
        Nearest(e, centres)
    }
}

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundNearest<'a, B, const D: usize, const K: usize>(B, &'a [[f64; D]; K]);
impl<B: Eval<Value = [f64; D]>, const D: usize, const K: usize> Eval for BoundNearest<'_, B, D, K> {
    type Value = i64;
    #[inline(always)]
    fn at(&self, row: usize) -> i64 {
        let centres = self.1.iter().map(|centre| &centre[..]);
        vector::nearest(&self.0.at(row), centres)
    }
}

node! {
    [E: Expr<Kind = super::Vector<D>>, const D: usize, const K: usize] Nearest<E, D, K> where [];
    row E::Row; kind Int; children [E];
    low 0; high K as i128 - 1;
    bound<'a> BoundNearest<'a, E::Bound<'a>, D, K>;
    bind |this, chunk| BoundNearest(this.0.bind(chunk), &this.1);
    term |this| Term::Apply(Operation::Nearest, vec![this.0.term(), Term::List(this.1.iter().map(|c| Term::list(*c)).collect())]);
}

macro_rules! keyed {
    ($([$($g:tt)*] $t:ty, $cells:expr;)*) => {$(
        impl<$($g)*> Bounded for $t {
            bounded!();
        }
        impl<$($g)*> Keyed for $t {
            const CELLS: usize = $cells;
            type Key = Self;
            fn key(self) -> Self {
                self
            }
            #[inline(always)]
            fn cell(value: i64) -> (bool, usize) {
                (true, value as usize)
            }
        }
    )*};
}
keyed! {
    [A: Expr<Kind: IsCondition>] Number<A>, 2;
    [
        E: Expr<Kind: Edge<X>>,
        X: Copy + core::fmt::Debug + Send + Sync + 'static,
        const N: usize
    ] Bins<E, X, N>, N + 1;
    [E: Expr<Kind: Equal<KindOf<X>>>, X: Expr<Row = E::Row>, const N: usize]
    Keys<E, X, N>, N + 1;
    [E: Expr<Kind = super::Vector<D>>, const D: usize, const K: usize] Nearest<E, D, K>, K;
}
