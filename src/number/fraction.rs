//! Two fractions on one grid.

use typenum::{B0, B1};

use super::convert::{Chosen, Entry, Level10, Owing, Spare, Walk};
use super::digits::Truth;
use super::natural::*;
use super::round::{Direction, Down, Fit, Fitting, Up};
use super::table::Written;
use super::tiny::{self, Certain, GrownBy, Level, Probability, Trim};
use super::{BelowZero, Fraction};

/// What a verdict decides. (`Fitting` and `Walk` are supertraits so that every bit has them.)
// Proved: Fraction.on_grid_sound, Natural.grid_spec
pub trait Paths: Sized + Fitting + Walk {
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
    type FitTiny<X: ?Sized + Natural, L: ?Sized + Level, Dir: ?Sized + Direction> =
        <X::Read as Written>::Tiny<L>;
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
    type FitTiny<X: ?Sized + Natural, L: ?Sized + Level, Dir: ?Sized + Direction> =
        Trim<X, L, B0, Dir>;
    type Trim<X: ?Sized + Natural, L: ?Sized + Level, S: ?Sized + Truth, Dir: ?Sized + Direction> =
        <<X::Inc<Dir::Bump<S>> as Natural>::Read as Written>::Tiny<L>;
    type Grow<A: ?Sized + Probability, K: ?Sized + Natural, T: ?Sized + Natural> = GrownBy<A, K, T>;
}

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
// Proved: Fraction.debit_sound, Tiny.tiny_debit_sound
pub trait Settle {
    /// What is left of a budget, on the denominator `Y`.
    type Left<Y: ?Sized + Natural>;
    /// What is left of a probability, with `L` places.
    type LeftTiny<L: ?Sized + Level>;
    /// The test of [`Covers`](super::Covers) at the order `O`, for the difference ln(1/δ) - h, where ln(1/δ) is `L`.
    type Judge<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, L: ?Sized + Natural>: Truth;
    /// The test of [`Covers`](super::Covers) with δ = X·10^-(J+2), for the difference 20 lg(1/ρ) + 80.
    type Choose<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, J: ?Sized + Level10>: Truth;
    /// The difference, or zero.
    type Value: Natural;
}

impl<X: ?Sized + Natural> Settle for Within<X> {
    type Left<Y: ?Sized + Natural> = Fit<X, Y, Down>;
    type LeftTiny<L: ?Sized + Level> = tiny::Fit<X, L, Down>;
    type Judge<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, L: ?Sized + Natural> =
        Owing<O, E, R, X>;
    type Choose<
        E: ?Sized + Fraction,
        R: ?Sized + Fraction,
        Y: ?Sized + Natural,
        J: ?Sized + Level10,
    > = Chosen<E, R, X, Y, J>;
    type Value = X;
}

impl Settle for Under {
    type Left<Y: ?Sized + Natural> = BelowZero;
    type LeftTiny<L: ?Sized + Level> = BelowZero;
    type Judge<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, L: ?Sized + Natural> =
        Spare<O, E, R, L>;
    type Choose<
        E: ?Sized + Fraction,
        R: ?Sized + Fraction,
        X: ?Sized + Natural,
        J: ?Sized + Level10,
    > = B0;
    type Value = Nil;
}
