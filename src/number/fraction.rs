//! Two fractions on one grid.

use typenum::{B0, B1};

use super::digits::{D1, D5, D7, D9, Truth};
use super::natural::*;
use super::round::{Direction, Down, Fit, Fitting, Up};
use super::table::Numeral;
use super::tiny::{self, Certain, GrownBy, Level, Probability, Trim};
use super::{BelowZero, Fraction};

/// What a verdict decides. (`Fitting` is a supertrait so that every bit has it.)
// Proved: Fraction.on_grid_sound, Natural.grid_spec
pub trait Paths: Sized + Fitting {
    /// `A + B`, if `self` says that the denominators are equal.
    type Sum<A: ?Sized + Fraction, B: ?Sized + Fraction>;
    /// `A - B`, if `self` says that the denominators are equal.
    type Less<A: ?Sized + Fraction, B: ?Sized + Fraction>: Balance;
    /// `A <= B`, if `self` says that the denominators are equal.
    type Le<A: ?Sized + Fraction, B: ?Sized + Fraction>: Truth;
    /// The greatest common divisor of `A` and `B`, if `self` says that `B` is one.
    type GcdOf<A: ?Sized + Natural, B: ?Sized + Natural>: Natural;
    /// `A` and `B` without their greatest common divisor `G`, if `self` says that `G` is one.
    type Reduced<A: ?Sized + Natural, B: ?Sized + Natural, G: ?Sized + Natural>: Grid;
    /// One of the two.
    type Pick<T: ?Sized + Fraction, F: ?Sized + Fraction>: Fraction;
    /// `A / K`, if `self` says that `K` does not divide the numerator.
    type Share<A: ?Sized + Fraction, K: ?Sized + Natural>;
    /// The test of [`Covers`](super::Covers), if `self` says that the denominators are equal.
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, K: ?Sized + Natural>: Truth;
    /// `X * 10^-L`, if `self` says that it fits.
    type FitTiny<X: ?Sized + Natural, L: ?Sized + Level, Dir: ?Sized + Direction>;
    /// `X * 10^-L`, if `self` says that it has too many digits; `S` says whether any was dropped.
    type Trim<X: ?Sized + Natural, L: ?Sized + Level, S: ?Sized + Truth, Dir: ?Sized + Direction>;
    /// `K * e^(T/10) * A`, if `self` says that this is out of reach.
    type Grow<A: ?Sized + Probability, K: ?Sized + Natural, T: ?Sized + Natural>;
}

impl Paths for B1 {
    type Sum<A: ?Sized + Fraction, B: ?Sized + Fraction> = Fit<Plus<A::Num, B::Num>, A::Den, Up>;
    type Less<A: ?Sized + Fraction, B: ?Sized + Fraction> = Owned<Minus<A::Num, B::Num>, A::Den>;
    type Le<A: ?Sized + Fraction, B: ?Sized + Fraction> = AtMost<A::Num, B::Num>;
    type GcdOf<A: ?Sized + Natural, B: ?Sized + Natural> = B;
    type Reduced<A: ?Sized + Natural, B: ?Sized + Natural, G: ?Sized + Natural> = Factors<B, A>;
    type Pick<T: ?Sized + Fraction, F: ?Sized + Fraction> = T;
    type Share<A: ?Sized + Fraction, K: ?Sized + Natural> = Fit<A::Num, Times<K, A::Den>, Down>;
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, K: ?Sized + Natural> =
        <Minus<E::Num, R::Num> as Settle>::Covers<Times<Times<LogTen, K>, Times<R::Num, R::Den>>>;
    type FitTiny<X: ?Sized + Natural, L: ?Sized + Level, Dir: ?Sized + Direction> =
        <X::Read as Numeral>::Tiny<L>;
    type Trim<X: ?Sized + Natural, L: ?Sized + Level, S: ?Sized + Truth, Dir: ?Sized + Direction> =
        L::Drop<X, S, Dir>;
    type Grow<A: ?Sized + Probability, K: ?Sized + Natural, T: ?Sized + Natural> = Certain;
}

impl Paths for B0 {
    type Sum<A: ?Sized + Fraction, B: ?Sized + Fraction> = <Common<A, B> as Grid>::Sum<A, B>;
    type Less<A: ?Sized + Fraction, B: ?Sized + Fraction> = <Common<A, B> as Grid>::Less<A, B>;
    type Le<A: ?Sized + Fraction, B: ?Sized + Fraction> =
        AtMost<Times<A::Num, B::Den>, Times<B::Num, A::Den>>;
    type GcdOf<A: ?Sized + Natural, B: ?Sized + Natural> = <Remainder<A, B> as Natural>::GcdOf<B>;
    type Reduced<A: ?Sized + Natural, B: ?Sized + Natural, G: ?Sized + Natural> =
        <MultiplesOf<G> as Divisor>::Reduced<A, B>;
    type Pick<T: ?Sized + Fraction, F: ?Sized + Fraction> = F;
    type Share<A: ?Sized + Fraction, K: ?Sized + Natural> = Fit<Quotient<A::Num, K>, A::Den, Down>;
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, K: ?Sized + Natural> =
        <Minus<Times<E::Num, R::Den>, Times<R::Num, E::Den>> as Settle>::Covers<
            Times<Times<Times<LogTen, K>, Times<R::Num, R::Den>>, Times<E::Den, E::Den>>,
        >;
    type FitTiny<X: ?Sized + Natural, L: ?Sized + Level, Dir: ?Sized + Direction> =
        Trim<X, L, B0, Dir>;
    type Trim<X: ?Sized + Natural, L: ?Sized + Level, S: ?Sized + Truth, Dir: ?Sized + Direction> =
        <<X::Inc<Dir::Bump<S>> as Natural>::Read as Numeral>::Tiny<L>;
    type Grow<A: ?Sized + Probability, K: ?Sized + Natural, T: ?Sized + Natural> = GrownBy<A, K, T>;
}

/// 4 · 175/76 = 175/19, and 175/76 is just above ln 10.
type LogTen = list!(D1 D7 D5);
type Nineteen = list!(D1 D9);

/// Are the denominators equal?
pub type SameGrid<A, B> = <<A as Fraction>::Den as Natural>::Same<<B as Fraction>::Den>;

/// What takes two fractions to their least common denominator.
type Common<A, B> =
    <<<B as Fraction>::Den as Natural>::GcdOf<<A as Fraction>::Den> as Natural>::Reduce<
        <A as Fraction>::Den,
        <B as Fraction>::Den,
    >;

/// What takes two fractions to their least common denominator.
///
/// Each intermediate result is a parameter, so that it is computed, and its bounds are proved, once: an alias that
/// names a result twice would have rustc prove everything beneath it twice.
// Proved: Fraction.on_grid_sound, Natural.grid_spec
pub trait Grid: Sized {
    /// `A + B`.
    type Sum<A: ?Sized + Fraction, B: ?Sized + Fraction>;
    /// `A - B`.
    type Less<A: ?Sized + Fraction, B: ?Sized + Fraction>: Balance;
}

/// `L` is the factor for the left fraction, `R` for the right one.
pub struct Factors<L, R>(L, R);
impl<L: ?Sized + Natural, R: ?Sized + Natural> Grid for Factors<L, R> {
    type Sum<A: ?Sized + Fraction, B: ?Sized + Fraction> =
        Fit<Plus<Times<L, A::Num>, Times<R, B::Num>>, Times<L, A::Den>, Up>;
    type Less<A: ?Sized + Fraction, B: ?Sized + Fraction> =
        Owned<Minus<Times<L, A::Num>, Times<R, B::Num>>, Times<L, A::Den>>;
}

/// What a debit leaves, with its denominator.
// Proved: Fraction.debit_sound
pub trait Balance: Sized {
    /// `B1` unless overspent.
    type Verdict: Truth;
    /// What is left.
    type Left;
}

/// The difference `X` over `Y`.
pub struct Owned<X, Y>(X, Y);
impl<X: ?Sized + Outcome, Y: ?Sized + Natural> Balance for Owned<X, Y> {
    type Verdict = X::Verdict;
    type Left = X::Left<Y>;
}

/// What a difference decides.
// Proved: Fraction.debit_sound, Tiny.tiny_debit_sound, Fraction.covers_sound
pub trait Settle {
    /// What is left of a budget, on the denominator `Y`.
    type Left<Y: ?Sized + Natural>;
    /// What is left of a probability, with `L` places.
    type LeftTiny<L: ?Sized + Level>;
    /// The test of [`Covers`](super::Covers): `19 x^2 >= F` for the difference `x`.
    type Covers<F: ?Sized + Natural>: Truth;
    /// The difference, or zero.
    type Value: Natural;
}

impl<X: ?Sized + Natural> Settle for Within<X> {
    type Left<Y: ?Sized + Natural> = Fit<X, Y, Down>;
    type LeftTiny<L: ?Sized + Level> = tiny::Fit<X, L, Down>;
    type Covers<F: ?Sized + Natural> = AtMost<F, Times<Nineteen, Times<X, X>>>;
    type Value = X;
}

impl Settle for Under {
    type Left<Y: ?Sized + Natural> = BelowZero;
    type LeftTiny<L: ?Sized + Level> = BelowZero;
    type Covers<F: ?Sized + Natural> = B0;
    type Value = Nil;
}
