//! Rounds what does not fit, against the spender: to thousandths, or to three significant digits where those are finer.

use typenum::{B0, B1};

use super::digits::{D0, D1, Digit, Truth};
use super::natural::{Cons, Divided, Division, Divisor, MultiplesOf, Natural, list};
use super::table::{N, Numeral, Short, Written};

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

/// `X / Y` as a fraction: exact if both fit the table, or a whole part and what is beside it; rounded otherwise.
pub type Fit<X, Y, Dir> = <X as Natural>::Fit<Y, Dir>;
/// [`Fit`], for a body in which `X` and `Y` are parameters.
pub type FitIn<X, Y, Dir> = <Fits<X, Y> as Fitting>::Fit<X, Y, Dir>;
type Fits<X, Y> = <<<X as Natural>::Read as Numeral>::Top as Truth>::And<
    <<Y as Natural>::Read as Numeral>::Bottom,
>;

/// Does the exact result fit?
// Proved: Fraction.fit_sound, Natural.fit_digits_spec
pub trait Fitting {
    /// `X / Y`, if `self` says that both fit the table.
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction>;
    /// `X / Y`, if `self` says that `Y` is at most 1024.
    type Mixed<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction>;
    /// `X` divided by `HD`, if `self` says that `D` is positive; if not, `D` is zero.
    type Into<X: ?Sized + Natural, H: ?Sized + Natural, D: ?Sized + Digit>: Division;
    /// `Q + R / Y`, if `self` says that `R` is positive.
    type Beside<Q: ?Sized + Natural, R: ?Sized + Natural, Y: ?Sized + Natural>;
    /// `X * 10^-K`, if `self` says that `X` fits the table; if not, `K` is three.
    type Done<X: ?Sized + Natural, K: ?Sized + Digit>;
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
        <X::Read as Written>::Over<Y::Read>;
    type Mixed<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        <Y::Into<X> as Division>::Mixed<Y>;
    type Into<X: ?Sized + Natural, H: ?Sized + Natural, D: ?Sized + Digit> =
        X::DivMod<MultiplesOf<Cons<H, D>>>;
    type Beside<Q: ?Sized + Natural, R: ?Sized + Natural, Y: ?Sized + Natural> =
        <Q::Read as Written>::Beside<R::Read, Y::Read>;
    type Done<X: ?Sized + Natural, K: ?Sized + Digit> = <X::Read as Written>::Over<K::Power>;
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
        <<S::Quotient as Natural>::Inc<Dir::Bump<<S::Remainder as Natural>::NonZero>> as Natural>::Done<K>;
}

impl Fitting for B0 {
    type Fit<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        <Short<Y::Read> as Fitting>::Mixed<X, Y, Dir>;
    type Mixed<X: ?Sized + Natural, Y: ?Sized + Natural, Dir: ?Sized + Direction> =
        Y::Round<X, D0, Dir>;
    type Into<X: ?Sized + Natural, H: ?Sized + Natural, D: ?Sized + Digit> =
        <H::Into<X::Init> as Division>::Before<X::Units>;
    type Beside<Q: ?Sized + Natural, R: ?Sized + Natural, Y: ?Sized + Natural> =
        <Q::Read as Written>::Over<N<1>>;
    type Done<X: ?Sized + Natural, K: ?Sized + Digit> =
        <<LastThree<X> as Natural>::NonZero as Fitting>::Beside<
            <<X::Init as Natural>::Init as Natural>::Init,
            LastThree<X>,
            list!(D1 D0 D0 D0),
        >;
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

/// The last three digits of a number.
type LastThree<X> =
    <<<<<<X as Natural>::Init as Natural>::Init as Natural>::Units as Digit>::Lead as Natural>::Push<
        <<X as Natural>::Init as Natural>::Units,
    > as Natural>::Push<<X as Natural>::Units>;

/// A long division with `K` decimal places. It is continued up to three places and three digits, or nine places; digits
/// from the fourth on are dropped again as long as there are more than three places.
// Proved: Fraction.scan_sound, Natural.scan_spec
pub trait Scan {
    /// The rounded fraction.
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction>;
}

impl<Q: ?Sized + Natural, R: ?Sized + Natural> Scan for Divided<Q, R> {
    type Scan<M: ?Sized + Divisor, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <<Q::Four as Truth>::And<K::Beyond> as Fitting>::Long<Self, M, K, Dir>;
}
