//! Arithmetic, with bounds carried along exactly.

use core::marker::PhantomData;

use super::{
    Bounded, Eval, Expr, Fixed, Int, Kind, KindOf, LIMIT, Nullable, Operation, Real, Summand, Term,
    node,
};
use crate::data::Null;
use crate::number::gcd;

/// Kinds that can be added to, subtracted from and multiplied by kind `K`. Sealed by its
/// parameters.
#[diagnostic::on_unimplemented(
    message = "no arithmetic between values of kind `{Self}` and `{K}`",
    label = "different kinds",
    note = "clamp reals to a grid, or turn integers into reals with `.real()`; \
            give missing values a default with `.or(..)`"
)]
pub trait Arithmetic<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    /// The kind of the result.
    #[doc(hidden)]
    type Out: Kind;
    /// `a · x + b · y`, computed by what is known about the two products.
    #[doc(hidden)]
    fn combine(
        a: i64,
        x: Self::Value,
        b: i64,
        y: K::Value,
        sizes: [Size; 2],
    ) -> <Self::Out as Kind>::Value;
    /// The product `x · y`.
    #[doc(hidden)]
    fn product(x: Self::Value, y: K::Value, size: Size) -> <Self::Out as Kind>::Value;
}

/// What the bounds of an expression say about a product in it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The result may exceed 64 bits, and then saturates.
    Any,
    /// The result fits 64 bits.
    Word,
    /// It fits, and the factors lie in 0..2^32. For a constant factor this means its magnitude.
    Half,
}

impl Size {
    const fn new(fits: bool, factors: [(i128, i128); 2]) -> Self {
        let [(a, b), (c, d)] = factors;
        let half = 0 <= a && b < 1 << 32 && 0 <= c && d < 1 << 32;
        match (fits, half) {
            (false, _) => Size::Any,
            (true, false) => Size::Word,
            (true, true) => Size::Half,
        }
    }
}

/// `a · x` for a constant `a`, where the product fits.
#[inline(always)]
fn multiple(a: i64, x: i64, size: Size) -> i64 {
    if size == Size::Half {
        let product = halves(a.unsigned_abs() as i64, x);
        if a < 0 {
            product.wrapping_neg()
        } else {
            product
        }
    } else {
        a.wrapping_mul(x)
    }
}

/// `x · y` for factors in 0..2^32: one instruction for two products, where whole words take ten.
#[inline(always)]
fn halves(x: i64, y: i64) -> i64 {
    (u64::from(x as u32) * u64::from(y as u32)) as i64
}

fn saturate(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

macro_rules! whole {
    ($($a:ty, $b:ty => $out:ty;)*) => {$(
        impl Arithmetic<$b> for $a {
            type Then<T> = T;
            type Out = $out;
            #[inline(always)]
            fn combine(a: i64, x: i64, b: i64, y: i64, sizes: [Size; 2]) -> i64 {
                if sizes == [Size::Any; 2] {
                    saturate(
                        i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y),
                    )
                } else {
                    multiple(a, x, sizes[0]).wrapping_add(multiple(b, y, sizes[1]))
                }
            }
            #[inline(always)]
            fn product(x: i64, y: i64, size: Size) -> i64 {
                match size {
                    Size::Any => saturate(i128::from(x) * i128::from(y)),
                    Size::Word => x.wrapping_mul(y),
                    Size::Half => halves(x, y),
                }
            }
        }
    )*};
}
whole! {
    Int, Int => Int;
    Int, Fixed => Fixed;
    Fixed, Int => Fixed;
    Fixed, Fixed => Fixed;
}

impl Arithmetic<Real> for Real {
    type Then<T> = T;
    type Out = Real;
    #[inline(always)]
    fn combine(_: i64, x: f64, b: i64, y: f64, _: [Size; 2]) -> f64 {
        // Reals are in units whatever their grid, so only the sign of a factor matters.
        if b < 0 { x - y } else { x + y }
    }
    #[inline(always)]
    fn product(x: f64, y: f64, _: Size) -> f64 {
        x * y
    }
}

/// The coarsest grid that holds both.
const fn common(a: i128, b: i128) -> i128 {
    // Grids are positive.
    fine(a / gcd(a as u128, b as u128) as i128 * b)
}

const fn fine(grid: i128) -> i128 {
    assert!(grid <= LIMIT, "this expression's grid is finer than 2^-51");
    grid
}

const fn word(value: i128) -> i128 {
    if value < i64::MIN as i128 {
        i64::MIN as i128
    } else if value > i64::MAX as i128 {
        i64::MAX as i128
    } else {
        value
    }
}

/// Whether values between the bounds fit 64 bits.
const fn fits(low: i128, high: i128) -> bool {
    word(low) == low && word(high) == high
}

const fn least(values: [i128; 4]) -> i128 {
    let [a, b, c, d] = values;
    let x = if a < b { a } else { b };
    let y = if c < d { c } else { d };
    if x < y { x } else { y }
}

const fn greatest(values: [i128; 4]) -> i128 {
    let [a, b, c, d] = values;
    -least([-a, -b, -c, -d])
}

const fn plus(factor: i128) -> i128 {
    factor
}

const fn minus(factor: i128) -> i128 {
    -factor
}

macro_rules! linear {
    ($(#[$doc:meta])* $name:ident, $bound:ident, $sign:ident, $sign_of:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<A, B>(pub(super) A, pub(super) B);

        impl<A: Expr, B: Expr> $name<A, B> {
            const STEPS: i128 = common(A::GRID, B::GRID);
            const LEFT: i128 = Self::STEPS / A::GRID;
            const RIGHT: i128 = $sign_of(Self::STEPS / B::GRID);
            const BOTH: (i128, i128) = {
                let (p, q) = (Self::RIGHT * B::LOW, Self::RIGHT * B::HIGH);
                let (p, q) = if p < q { (p, q) } else { (q, p) };
                (Self::LEFT * A::LOW + p, Self::LEFT * A::HIGH + q)
            };
        }

        /// One chunk of it.
        #[doc(hidden)]
        pub struct $bound<X, Y, A, B>(X, Y, PhantomData<fn() -> (A, B)>);
        impl<X: Copy, Y: Copy, A, B> Clone for $bound<X, Y, A, B> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<X: Copy, Y: Copy, A, B> Copy for $bound<X, Y, A, B> {}
        impl<X, Y, A, B> Eval for $bound<X, Y, A, B>
        where
            A: Expr<Kind: Arithmetic<KindOf<B>>>,
            B: Expr,
            X: Eval<Value = <A::Kind as Kind>::Value>,
            Y: Eval<Value = <B::Kind as Kind>::Value>,
        {
            type Value = <<A::Kind as Arithmetic<B::Kind>>::Out as Kind>::Value;
            #[inline(always)]
            fn at(&self, row: usize) -> Self::Value {
                let (left, right, sizes) = const {
                    let (low, high) = $name::<A, B>::BOTH;
                    let (left, right) = ($name::<A, B>::LEFT, $name::<A, B>::RIGHT);
                    let fits = fits(low, high);
                    let sizes = [
                        Size::new(fits, [(left.abs(), left.abs()), (A::LOW, A::HIGH)]),
                        Size::new(fits, [(right.abs(), right.abs()), (B::LOW, B::HIGH)]),
                    ];
                    (left as i64, right as i64, sizes)
                };
                A::Kind::combine(left, self.0.at(row), right, self.1.at(row), sizes)
            }
        }

        node! {
            [A: Expr<Kind: Arithmetic<KindOf<B>>>, B: Expr<Row = A::Row>] $name<A, B> where [];
            row A::Row; kind <A::Kind as Arithmetic<B::Kind>>::Out; children [A, B];
            low word(Self::BOTH.0);
            high word(Self::BOTH.1);
            grid Self::STEPS;
            given A::GRID_IS_GIVEN || B::GRID_IS_GIVEN;
            bound<'a> $bound<A::Bound<'a>, B::Bound<'a>, A, B>;
            bind |this, chunk| $bound(this.0.bind(chunk), this.1.bind(chunk), PhantomData);
            term |this| Term::Apply(Operation::$sign, vec![this.0.term(), this.1.term()]);
        }

        impl<A, B> Bounded for $name<A, B>
        where
            A: Bounded + Expr<Kind: Arithmetic<KindOf<B>, Out: Summand>>,
            B: Bounded + Expr<Row = A::Row>,
        {
            type Summed = $name<A::Summed, B::Summed>;
            fn summed(self) -> Self::Summed {
                $name(self.0.summed(), self.1.summed())
            }
        }
    };
}

linear!(
    /// A sum of two expressions, on their common grid.
    Add, BoundAdd, Add, plus
);
linear!(
    /// A difference of two expressions, on their common grid.
    Sub, BoundSub, Subtract, minus
);

/// A product of two expressions; its grid is the product of theirs.
#[derive(Clone, Copy, Debug)]
pub struct Mul<A, B>(pub(super) A, pub(super) B);

impl<A: Expr, B: Expr> Mul<A, B> {
    const CORNERS: [i128; 4] = [
        A::LOW * B::LOW,
        A::LOW * B::HIGH,
        A::HIGH * B::LOW,
        A::HIGH * B::HIGH,
    ];
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundMul<X, Y, A, B>(X, Y, PhantomData<fn() -> (A, B)>);
impl<X: Copy, Y: Copy, A, B> Clone for BoundMul<X, Y, A, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<X: Copy, Y: Copy, A, B> Copy for BoundMul<X, Y, A, B> {}
impl<X, Y, A, B> Eval for BoundMul<X, Y, A, B>
where
    A: Expr<Kind: Arithmetic<KindOf<B>>>,
    B: Expr,
    X: Eval<Value = <A::Kind as Kind>::Value>,
    Y: Eval<Value = <B::Kind as Kind>::Value>,
{
    type Value = <<A::Kind as Arithmetic<B::Kind>>::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let size = const {
            let fits = fits(least(Mul::<A, B>::CORNERS), greatest(Mul::<A, B>::CORNERS));
            Size::new(fits, [(A::LOW, A::HIGH), (B::LOW, B::HIGH)])
        };
        A::Kind::product(self.0.at(row), self.1.at(row), size)
    }
}

node! {
    [A: Expr<Kind: Arithmetic<KindOf<B>>>, B: Expr<Row = A::Row>] Mul<A, B> where [];
    row A::Row; kind <A::Kind as Arithmetic<B::Kind>>::Out; children [A, B];
    low word(least(Self::CORNERS));
    high word(greatest(Self::CORNERS));
    grid fine(A::GRID * B::GRID);
    given A::GRID_IS_GIVEN || B::GRID_IS_GIVEN;
    bound<'a> BoundMul<A::Bound<'a>, B::Bound<'a>, A, B>;
    bind |this, chunk| BoundMul(this.0.bind(chunk), this.1.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::Multiply, vec![this.0.term(), this.1.term()]);
}

impl<A, B> Bounded for Mul<A, B>
where
    A: Bounded + Expr<Kind: Arithmetic<KindOf<B>, Out: Summand>>,
    B: Bounded + Expr<Row = A::Row>,
{
    type Summed = Mul<A::Summed, B::Summed>;
    fn summed(self) -> Self::Summed {
        Mul(self.0.summed(), self.1.summed())
    }
}

macro_rules! unary {
    (
        $(#[$doc:meta])* $name:ident $([$n:ident])?, $bound:ident,
        low |$e:ident| $low:expr, high $high:expr, grid $grid:expr,
        by ($least:expr, $most:expr), |$x:ident, $size:ident| $value:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<$e $(, const $n: i64)?>(pub(super) $e);

        impl<$e: Expr $(, const $n: i64)?> $name<$e $(, $n)?> {
            const BOTH: (i128, i128) = ($low, $high);
        }

        /// One chunk of it.
        #[doc(hidden)]
        pub struct $bound<X, A>(X, PhantomData<fn() -> A>);
        impl<X: Copy, A> Clone for $bound<X, A> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<X: Copy, A> Copy for $bound<X, A> {}
        impl<X, $e $(, const $n: i64)?> Eval for $bound<X, $name<$e $(, $n)?>>
        where
            $e: Expr<Kind: Summand>,
            X: Eval<Value = <$e::Kind as Kind>::Value>,
        {
            type Value = X::Value;
            #[inline(always)]
            fn at(&self, row: usize) -> X::Value {
                let $size = const {
                    let (low, high) = $name::<$e $(, $n)?>::BOTH;
                    Size::new(fits(low, high), [($e::LOW, $e::HIGH), ($least, $most)])
                };
                $e::Kind::map(self.0.at(row), |$x| $value)
            }
        }

        node! {
            [$e: Expr<Kind: Summand> $(, const $n: i64)?] $name<$e $(, $n)?> where [];
            row $e::Row; kind $e::Kind; children [$e];
            low word(Self::BOTH.0);
            high word(Self::BOTH.1);
            grid $grid;
            bound<'a> $bound<$e::Bound<'a>, Self>;
            bind |this, chunk| $bound(this.0.bind(chunk), PhantomData);
            term |this| Term::Apply(Operation::$name, vec![this.0.term() $(, Term::constant($n))?]);
        }

        impl<$e $(, const $n: i64)?> Bounded for $name<$e $(, $n)?> where
            $e: Bounded
        {
            type Summed = $name<$e::Summed $(, $n)?>;
            fn summed(self) -> Self::Summed {
                $name(self.0.summed())
            }
        }
    };
}

const fn square(value: i128) -> i128 {
    value * value
}

unary!(
    /// A square; its grid is the square of the expression's.
    Square, BoundSquare,
    low |E| if E::LOW <= 0 && E::HIGH >= 0 {
        0
    } else {
        least([square(E::LOW), square(E::HIGH), square(E::LOW), square(E::HIGH)])
    },
    high greatest([square(E::LOW), square(E::HIGH), square(E::LOW), square(E::HIGH)]),
    grid fine(E::GRID * E::GRID),
    by (E::LOW, E::HIGH), |x, size| <Int as Arithmetic<Int>>::product(x, x, size)
);

impl<E: Expr<Kind: Summand>> Square<E> {
    pub(crate) fn of(value: E) -> Self {
        Square(value)
    }
}

unary!(
    /// An expression plus `N` units.
    Plus[N], BoundPlus,
    low |E| E::LOW + N as i128 * E::GRID, high E::HIGH + N as i128 * E::GRID,
    grid E::GRID,
    by (1, 1), |x, size| {
        let steps = const { shift::<N>(E::GRID) };
        match size {
            Size::Any => x.saturating_add(steps),
            Size::Word | Size::Half => x.wrapping_add(steps),
        }
    }
);

/// `N` units as steps of a grid.
const fn shift<const N: i64>(grid: i128) -> i64 {
    let steps = N as i128 * grid;
    assert!(
        -LIMIT <= steps && steps <= LIMIT,
        "`plus` exceeds 2^51 steps of its grid"
    );
    steps as i64
}

unary!(
    /// An expression times `N`.
    Times[N], BoundTimes,
    low |E| least([
        E::LOW * N as i128, E::HIGH * N as i128, E::LOW * N as i128, E::HIGH * N as i128
    ]),
    high greatest([
        E::LOW * N as i128, E::HIGH * N as i128, E::LOW * N as i128, E::HIGH * N as i128
    ]),
    grid E::GRID,
    by (N as i128, N as i128), |x, size| <Int as Arithmetic<Int>>::product(x, N, size)
);

/// Kinds that can be read as reals: whole numbers, and numbers on a grid. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not whole numbers",
    label = "not a whole number"
)]
pub trait AsReal: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
    type Out: Kind;
    fn real(value: Self::Value, grid: i64) -> <Self::Out as Kind>::Value;
}
impl AsReal for Int {
    type Then<T> = T;
    type Out = Real;
    #[inline(always)]
    fn real(value: i64, _: i64) -> f64 {
        value as f64
    }
}
impl AsReal for Fixed {
    type Then<T> = T;
    type Out = Real;
    #[inline(always)]
    fn real(value: i64, grid: i64) -> f64 {
        value as f64 / grid as f64
    }
}
impl<K: AsReal> AsReal for Nullable<K> {
    type Then<T> = K::Then<T>;
    type Out = Nullable<K::Out>;
    #[inline(always)]
    fn real(value: Null<K::Value>, grid: i64) -> Null<<K::Out as Kind>::Value> {
        Null {
            valid: value.valid,
            value: K::real(value.value, grid),
        }
    }
}

/// A whole number, or a number on a grid, as a real in units.
#[derive(Clone, Copy, Debug)]
pub struct RealOf<A>(pub(super) A);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundReal<B, A>(B, PhantomData<fn() -> A>);
impl<B: Copy, A> Clone for BoundReal<B, A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, A> Copy for BoundReal<B, A> {}
impl<B: Eval<Value = <A::Kind as Kind>::Value>, A: Expr<Kind: AsReal>> Eval for BoundReal<B, A> {
    type Value = <<A::Kind as AsReal>::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        A::Kind::real(self.0.at(row), const { A::GRID as i64 })
    }
}

node! {
    [A: Expr<Kind: AsReal>] RealOf<A> where [];
    row A::Row; kind <A::Kind as AsReal>::Out; children [A];
    bound<'a> BoundReal<A::Bound<'a>, A>;
    bind |this, chunk| BoundReal(this.0.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::Real, vec![this.0.term()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i64; 8] = [0, 1, 2, 3, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1];

    #[test]
    fn short_factors_give_the_same_products() {
        for x in EDGES {
            for y in EDGES {
                let exact = i128::from(x) * i128::from(y);
                if fits(exact, exact) {
                    for size in [Size::Any, Size::Word, Size::Half] {
                        let product = <Int as Arithmetic<Int>>::product(x, y, size);
                        assert_eq!(i128::from(product), exact);
                    }
                }
                for (a, b) in [(x, 1), (-x, 3), (1, -y), (100, -7)] {
                    let exact = i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y);
                    if fits(exact, exact) {
                        let combine = <Int as Arithmetic<Int>>::combine;
                        for sizes in [[Size::Any; 2], [Size::Word; 2], [Size::Half; 2]] {
                            assert_eq!(i128::from(combine(a, x, b, y, sizes)), exact);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn factors_are_short_only_where_their_bounds_say_so() {
        let most = (1 << 32) - 1;
        let size = |fits, low, high| Size::new(fits, [(low, high), (0, 9)]);
        assert_eq!(size(true, 0, most), Size::Half);
        assert_eq!(size(true, 0, most + 1), Size::Word);
        assert_eq!(size(true, -1, most), Size::Word);
        assert_eq!(size(false, 0, most), Size::Any);
        let other = |low, high| Size::new(true, [(0, 9), (low, high)]);
        assert_eq!(other(0, most), Size::Half);
        assert_eq!(other(-1, 0), Size::Word);
        assert_eq!(other(0, most + 1), Size::Word);
    }
}
