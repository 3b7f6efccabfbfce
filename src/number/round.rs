//! What does not fit is rounded, against the spender, to three significant decimal digits.

use typenum::{B0, B1};

use super::digits::{D0, Digit, Truth};
use super::natural::{Divide, Divided, Division, Divisor, MultiplesOf, Natural};
use super::table::Numeral;

/// Which way to round.
pub trait Direction: Sized {
    /// What to add to the last digit, where `S` says whether something is left over.
    type Bump<S: ?Sized + Truth>: Truth;
}

/// Costs are rounded up.
pub struct Up;
impl Direction for Up {
    type Bump<S: ?Sized + Truth> = S;
}

/// Remainders and parts are rounded down.
pub struct Down;
impl Direction for Down {
    type Bump<S: ?Sized + Truth> = B0;
}

/// `X / Y` as a fraction: exact if both fit the table, rounded otherwise.
pub type Fit<X, Y, Dir> = <Fits<X, Y> as Fitting>::Fit<X, Y, Dir>;
type Fits<X, Y> = <<<X as Natural>::Read as Numeral>::Top as Truth>::And<
    <<Y as Natural>::Read as Numeral>::Bottom,
>;

/// `X / Y` at three significant digits.
pub type Round<X, Y, Dir> = <Divide<X, Y> as Scan>::Scan<MultiplesOf<Y>, D0, Dir>;

/// Does the exact result fit?
pub trait Fitting {
    /// `X / Y`.
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction>;
    /// Are there digits enough?
    type Enough<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    >;
}

impl Fitting for B1 {
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        <X::Read as Numeral>::Over<Y::Read>;
    type Enough<S: ?Sized + Division, M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <<<S::Quotient as Natural>::Inc<Dir::Bump<<S::Remainder as Natural>::Positive>> as Natural>::Read as Numeral>::Over<K::Power>;
}

impl Fitting for B0 {
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> = Round<X, Y, Dir>;
    type Enough<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = <S::Bring<D0, M> as Scan>::Scan<M, K::Next, Dir>;
}

/// A long division that goes on behind the point; `K` is the number of places so far.
pub trait Scan {
    /// The rounded fraction.
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction>;
}

impl<Q: ?Sized + Natural, R: ?Sized + Natural> Scan for Divided<Q, R> {
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <Stop<Q, R, K> as Fitting>::Enough<Self, M, K, Dir>;
}

/// Three digits, nine places, or nothing at all.
type Stop<Q, R, K> =
    <<<Q as Natural>::Three as Truth>::Or<<K as Digit>::Last> as Truth>::Or<IsZero<Q, R>>;
type IsZero<Q, R> =
    <<<Q as Natural>::Positive as Truth>::Or<<R as Natural>::Positive> as Truth>::Not;
