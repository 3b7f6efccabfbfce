//! Rounds what does not fit to three significant decimal digits, against the spender.

use typenum::{B0, B1};

use super::digits::{D0, Digit, Truth};
use super::natural::{Cons, Divided, Division, Divisor, MultiplesOf, Natural};
use super::table::Numeral;

/// Which way to round.
// Proved: Fraction.fit_sound
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
pub type Fit<X, Y, Dir> = <X as Natural>::Fit<Y, Dir>;
/// [`Fit`], for a body in which `X` and `Y` are parameters.
pub type FitIn<X, Y, Dir> = <Fits<X, Y> as Fitting>::Fit<X, Y, Dir>;
type Fits<X, Y> = <<<X as Natural>::Read as Numeral>::Top as Truth>::And<
    <<Y as Natural>::Read as Numeral>::Bottom,
>;

/// Does the exact result fit?
// Proved: Fraction.fit_sound, Natural.fit_digits_spec
pub trait Fitting {
    /// `X / Y`.
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction>;
    /// `X / HD * 10^-K`, if `self` says that `HD` is as short as can be.
    type Round<
        X: ?Sized + Natural,
        H: ?Sized + Natural,
        D: ?Sized + Digit,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    >;
    /// Does the quotient have enough digits?
    type Enough<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    >;
    /// Does the quotient have too many digits?
    type Long<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    >;
}

impl Fitting for B1 {
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        <X::Read as Numeral>::Over<Y::Read>;
    type Round<
        X: ?Sized + Natural,
        H: ?Sized + Natural,
        D: ?Sized + Digit,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = <MultiplesOf<Cons<H, D>> as Divisor>::Round<X, K, Dir>;
    type Long<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = <S::Shorter as Scan>::Scan<M, K::Prev, Dir>;
    type Enough<S: ?Sized + Division, M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <<<S::Quotient as Natural>::Inc<Dir::Bump<<S::Remainder as Natural>::NonZero>> as Natural>::Read as Numeral>::Over<K::Power>;
}

impl Fitting for B0 {
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        Y::Round<X, D0, Dir>;
    type Round<
        X: ?Sized + Natural,
        H: ?Sized + Natural,
        D: ?Sized + Digit,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = H::Round<X, K::Next, Dir>;
    type Long<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = <S::Stop<K> as Fitting>::Enough<S, M, K, Dir>;
    type Enough<
        S: ?Sized + Division,
        M: ?Sized + Divisor,
        K: ?Sized + Digit,
        Dir: ?Sized + Direction,
    > = <S::Bring<D0, M> as Scan>::Scan<M, K::Next, Dir>;
}

/// A long division with `K` decimal places, which is continued or cut back to three digits.
// Proved: Fraction.scan_sound, Natural.scan_spec
pub trait Scan {
    /// The rounded fraction.
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction>;
}

impl<Q: ?Sized + Natural, R: ?Sized + Natural> Scan for Divided<Q, R> {
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <<Q::Four as Truth>::And<K::NonZero> as Fitting>::Long<Self, M, K, Dir>;
}
