//! Natural numbers as lists of decimal digits, least significant digit outermost, without leading zeros.

use typenum::{B0, B1};

use super::TooLarge;
use super::amplify::{Halve, Parts};
use super::digits::*;
use super::fraction::{Factors, Grid, Paths};
use super::round::{Direction, FitIn, Fitting, Scan};
use super::table::{N, Numeral};

/// Zero: no digits.
pub struct Nil;

/// Ten times `H`, plus `D`.
pub struct Cons<H, D>(H, D);

/// Digits in reading order, as a list.
macro_rules! list {
    (@ $l:ty,) => { $l };
    (@ $l:ty, $d:ident $($ds:ident)*) => { list!(@ $crate::number::natural::Cons<$l, $d>, $($ds)*) };
    ($($d:ident)*) => { list!(@ $crate::number::natural::Nil, $($d)*) };
}
pub(super) use list;

/// A natural number.
// Proved: Digits.add_spec, Digits.sub_spec, Digits.mul_spec, Digits.divide_spec
pub trait Natural: Sized {
    /// Is it more than zero?
    type NonZero: Truth;
    /// Is it one?
    type Unit: Truth;
    /// Does it have two digits or more?
    type Two: Truth;
    /// Does it have three digits or more?
    type Three: Truth;
    /// Does it have four digits or more?
    type Four: Truth;
    /// Is the number one, if `D` is its last digit and these are the others?
    type UnitIf<D: ?Sized + Digit>: Truth;
    /// Its form in the table.
    type Read: Numeral;
    /// Ten times this, plus `D`.
    type Push<D: ?Sized + Digit>: Natural;
    /// All digits but the last.
    type Init: Natural;
    /// The last digit.
    type Units: Digit;
    /// Is it `B`?
    type Same<B: ?Sized + Natural>: Truth;
    /// Is it `HD`?
    type SameAs<H: ?Sized + Natural, D: ?Sized + Digit>: Truth;
    /// `self + C`.
    type Inc<C: ?Sized + Truth>: Natural;
    /// `self - C`.
    type Dec<C: ?Sized + Truth>: Outcome;
    /// `self + B + C`.
    type Add<B: ?Sized + Natural, C: ?Sized + Truth>: Natural;
    /// `HD + self + C`.
    type AddTo<H: ?Sized + Natural, D: ?Sized + Digit, C: ?Sized + Truth>: Natural;
    /// `self - B - C`.
    type Sub<B: ?Sized + Natural, C: ?Sized + Truth>: Outcome;
    /// `HD - self - C`.
    type SubFrom<H: ?Sized + Natural, D: ?Sized + Digit, C: ?Sized + Truth>: Outcome;
    /// `0 - self - C`.
    type SubFromNil<C: ?Sized + Truth>: Outcome;
    /// `self * D + C`.
    type TimesDigit<D: ?Sized + Digit, C: ?Sized + Digit>: Natural;
    /// `self * B`; give the shorter number as `self`.
    type Mul<B: ?Sized + Natural>: Natural;
    /// `A` as a divisor, where `self` is twice `A`.
    type Multiples<A: ?Sized + Natural>: Divisor;
    /// Long division of `self` by `M`.
    type DivMod<M: ?Sized + Divisor>: Division;
    /// Division of `X` by `self`. Trailing zeros of `self` only cut digits off `X`, which makes the divisor short.
    type Into<X: ?Sized + Natural>: Division;
    /// One digit of a long division, where `self` is the remainder so far.
    type LongDivision<Q: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// The fraction `self / Y`.
    type Fit<Y: ?Sized + Natural, Dir: ?Sized + Direction>;
    /// `X / self * 10^-K`, rounded. Trailing zeros of `self` are moved into `K` first, which makes the divisor short.
    type Round<X: ?Sized + Natural, K: ?Sized + Digit, Dir: ?Sized + Direction>;
    /// `self * 10^-K` as a fraction, where `K` is three if `self` is above 1024.
    type Done<K: ?Sized + Digit>;
    /// The greatest common divisor of `A` and `self`, where `A` is positive.
    type GcdOf<A: ?Sized + Natural>: Natural;
    /// `A` and `B` without their greatest common divisor `self`.
    type Reduce<A: ?Sized + Natural, B: ?Sized + Natural>: Grid;
}

/// `A + B`.
pub type Plus<A, B> = <A as Natural>::Add<B, B0>;
/// `A - B`.
pub type Minus<A, B> = <A as Natural>::Sub<B, B0>;
/// `A * B`.
pub type Times<A, B> = <A as Natural>::Mul<B>;
/// `B1` if `A <= B`.
pub type AtMost<A, B> = <Minus<B, A> as Outcome>::Verdict;
/// The quotient and remainder of `A` by `B`.
pub type Divide<A, B> = <A as Natural>::DivMod<MultiplesOf<B>>;
/// `A / B`, rounded down.
pub type Quotient<A, B> = <Divide<A, B> as Division>::Quotient;
/// `A % B`.
pub type Remainder<A, B> = <Divide<A, B> as Division>::Remainder;

impl Natural for Nil {
    type NonZero = B0;
    type Unit = B0;
    type Two = B0;
    type Three = B0;
    type Four = B0;
    type UnitIf<D: ?Sized + Digit> = D::Is1;
    type Read = N<0>;
    type Push<D: ?Sized + Digit> = D::Lead;
    type Init = Nil;
    type Units = D0;
    type Same<B: ?Sized + Natural> = <B::NonZero as Truth>::Not;
    type SameAs<H: ?Sized + Natural, D: ?Sized + Digit> = B0;
    type Inc<C: ?Sized + Truth> = C::Alone;
    type Dec<C: ?Sized + Truth> = C::Owed;
    type Add<B: ?Sized + Natural, C: ?Sized + Truth> = B::Inc<C>;
    type AddTo<H: ?Sized + Natural, D: ?Sized + Digit, C: ?Sized + Truth> = C::Bump<H, D>;
    type Sub<B: ?Sized + Natural, C: ?Sized + Truth> = B::SubFromNil<C>;
    type SubFrom<H: ?Sized + Natural, D: ?Sized + Digit, C: ?Sized + Truth> = C::Drop<H, D>;
    type SubFromNil<C: ?Sized + Truth> = C::Owed;
    type TimesDigit<D: ?Sized + Digit, C: ?Sized + Digit> = C::Lead;
    type Mul<B: ?Sized + Natural> = Nil;
    type Multiples<A: ?Sized + Natural> = Multiples<A, Nil, Nil>;
    type DivMod<M: ?Sized + Divisor> = Divided<Nil, Nil>;
    type Into<X: ?Sized + Natural> = Divided<Nil, Nil>;
    type LongDivision<Q: ?Sized + Natural, M: ?Sized + Divisor> = Divided<Q::Push<D0>, Nil>;
    type Fit<Y: ?Sized + Natural, Dir: ?Sized + Direction> = FitIn<Nil, Y, Dir>;
    type Round<X: ?Sized + Natural, K: ?Sized + Digit, Dir: ?Sized + Direction> = TooLarge;
    type Done<K: ?Sized + Digit> = <B1 as Fitting>::Done<Nil, K>;
    type GcdOf<A: ?Sized + Natural> = A;
    type Reduce<A: ?Sized + Natural, B: ?Sized + Natural> = Factors<B, A>;
}

impl<H: ?Sized + Natural, D: ?Sized + Digit> Natural for Cons<H, D> {
    type NonZero = B1;
    type Unit = H::UnitIf<D>;
    type Two = H::NonZero;
    type Three = H::Two;
    type Four = H::Three;
    type UnitIf<E: ?Sized + Digit> = B0;
    type Read = <H::Read as Numeral>::Child<D>;
    type Push<E: ?Sized + Digit> = Cons<Self, E>;
    type Init = H;
    type Units = D;
    type Same<B: ?Sized + Natural> = B::SameAs<H, D>;
    type SameAs<H2: ?Sized + Natural, D2: ?Sized + Digit> = <D::Is<D2> as Truth>::Same<H, H2>;
    type Inc<C: ?Sized + Truth> = C::Bump<H, D>;
    type Dec<C: ?Sized + Truth> = C::Drop<H, D>;
    type Add<B: ?Sized + Natural, C: ?Sized + Truth> = B::AddTo<H, D, C>;
    type AddTo<H2: ?Sized + Natural, D2: ?Sized + Digit, C: ?Sized + Truth> =
        <C::Plus<D2, D> as Place>::Add<H2, H>;
    type Sub<B: ?Sized + Natural, C: ?Sized + Truth> = B::SubFrom<H, D, C>;
    type SubFrom<H2: ?Sized + Natural, D2: ?Sized + Digit, C: ?Sized + Truth> =
        <C::Minus<D2, D> as Place>::Sub<H2, H>;
    type SubFromNil<C: ?Sized + Truth> = Under;
    type TimesDigit<E: ?Sized + Digit, C: ?Sized + Digit> =
        <H::TimesDigit<E, Tens<D, E, C>> as Natural>::Push<Units<D, E, C>>;
    type Mul<B: ?Sized + Natural> = Plus<<H::Mul<B> as Natural>::Push<D0>, D::Times<B>>;
    type Multiples<A: ?Sized + Natural> = Multiples<A, Self, Plus<Self, Self>>;
    type DivMod<M: ?Sized + Divisor> = <H::DivMod<M> as Division>::Bring<D, M>;
    type Into<X: ?Sized + Natural> = <D::NonZero as Fitting>::Into<X, H, D>;
    type LongDivision<Q: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<Self, M::One> as Outcome>::Try<Q, Self, M>;
    type Fit<Y: ?Sized + Natural, Dir: ?Sized + Direction> = FitIn<Self, Y, Dir>;
    type Round<X: ?Sized + Natural, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <<D::NonZero as Truth>::Or<K::Last> as Fitting>::Round<X, H, D, K, Dir>;
    type Done<K: ?Sized + Digit> = <<Self::Read as Numeral>::Top as Fitting>::Done<Self, K>;
    type GcdOf<A: ?Sized + Natural> = <Self::Unit as Paths>::GcdOf<A, Self>;
    type Reduce<A: ?Sized + Natural, B: ?Sized + Natural> =
        <Self::Unit as Paths>::Reduced<A, B, Self>;
}

/// The units of `A * B + C`.
type Units<A, B, C> = Sum<B0, <<A as Digit>::Mul<B> as Pair>::Lo, C>;
/// The tens of `A * B + C`.
type Tens<A, B, C> =
    Sum<Carry<B0, <<A as Digit>::Mul<B> as Pair>::Lo, C>, <<A as Digit>::Mul<B> as Pair>::Hi, D0>;

/// A difference that is not negative.
pub struct Within<X>(X);

/// A difference that is negative.
pub struct Under;

/// The result of a subtraction: both the comparison and the difference.
// Proved: Digits.sub_spec, Digits.quote_spec
pub trait Outcome: Sized + super::fraction::Settle + Halve {
    /// `B1` unless negative.
    type Verdict: Truth;
    /// The difference with one more digit.
    type Then<D: ?Sized + Digit>: Outcome;
    /// Long division: `R` is the remainder so far, `self` is `R - M`.
    type Try<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// The digit is 1 or more, and `self` is `R - 4 M`.
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// The digit is 5 or more, and `self` is `R - 4 M`.
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// The digit is `T` or more, and `self` is `R - 2 M`.
    type Try2<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor, T: ?Sized + Digit>: Division;
    /// The digit is `T` or more, and `self` is `R - M`.
    type Try1<Q: ?Sized + Natural, R: ?Sized + Natural, T: ?Sized + Digit>: Division;
}

impl<X: ?Sized + Natural> Outcome for Within<X> {
    type Verdict = B1;
    type Then<D: ?Sized + Digit> = Within<X::Push<D>>;
    type Try<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<X, M::Four> as Outcome>::Try4<Q, X, M>;
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<X, M::Four> as Outcome>::Try8<Q, X, M>;
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        Divided<Q::Push<D9>, X>;
    type Try2<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor, T: ?Sized + Digit> =
        <Minus<X, M::One> as Outcome>::Try1<Q, X, Sum<B0, T, D2>>;
    type Try1<Q: ?Sized + Natural, R: ?Sized + Natural, T: ?Sized + Digit> =
        Divided<Q::Push<Sum<B1, T, D0>>, X>;
}

impl Outcome for Under {
    type Verdict = B0;
    type Then<D: ?Sized + Digit> = Under;
    type Try<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        Divided<Q::Push<D0>, R>;
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<R, M::Two> as Outcome>::Try2<Q, R, M, D1>;
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<R, M::Two> as Outcome>::Try2<Q, R, M, D5>;
    type Try2<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor, T: ?Sized + Digit> =
        <Minus<R, M::One> as Outcome>::Try1<Q, R, T>;
    type Try1<Q: ?Sized + Natural, R: ?Sized + Natural, T: ?Sized + Digit> = Divided<Q::Push<T>, R>;
}

/// A divisor with the multiples that long division tries.
// Proved: Digits.quote_spec
pub trait Divisor: Sized {
    /// Once.
    type One: Natural;
    /// Twice.
    type Two: Natural;
    /// Four times.
    type Four: Natural;
    /// `A` and `B`, both divided by this.
    type Reduced<A: ?Sized + Natural, B: ?Sized + Natural>: Grid;
    /// `X / self * 10^-K`, rounded.
    type Round<X: ?Sized + Natural, K: ?Sized + Digit, Dir: ?Sized + Direction>;
}

/// A divisor with its multiples.
pub struct Multiples<A, B, C>(A, B, C);
impl<A: ?Sized + Natural, B: ?Sized + Natural, C: ?Sized + Natural> Divisor for Multiples<A, B, C> {
    type One = A;
    type Two = B;
    type Four = C;
    type Reduced<X: ?Sized + Natural, Y: ?Sized + Natural> =
        Factors<<Y::DivMod<Self> as Division>::Quotient, <X::DivMod<Self> as Division>::Quotient>;
    type Round<X: ?Sized + Natural, K: ?Sized + Digit, Dir: ?Sized + Direction> =
        <X::DivMod<Self> as Scan>::Scan<Self, K, Dir>;
}

/// `A` as a divisor.
pub type MultiplesOf<A> = <Plus<A, A> as Natural>::Multiples<A>;

/// The state of a long division.
// Proved: Digits.divide_spec, Fraction.scan_sound
pub trait Division: Sized + Scan + Parts {
    /// The digits found.
    type Quotient: Natural;
    /// What is left.
    type Remainder: Natural;
    /// The quotient, rounded up.
    type Ceiling: Natural;
    /// One digit less. Afterwards the remainder only says whether anything was dropped.
    type Shorter: Division;
    /// Three places and three digits, nine places, or nothing at all?
    type Stop<K: ?Sized + Digit>: Truth;
    /// The same, if both numbers have one more digit: zero in the divisor, `D` in the other.
    type Before<D: ?Sized + Digit>: Division;
    /// `Q + R / Y`, where `Y` was divided by.
    type Mixed<Y: ?Sized + Natural>;
    /// One digit more.
    type Bring<D: ?Sized + Digit, M: ?Sized + Divisor>: Division;
}

/// A quotient and a remainder.
pub struct Divided<Q, R>(Q, R);
impl<Q: ?Sized + Natural, R: ?Sized + Natural> Division for Divided<Q, R> {
    type Quotient = Q;
    type Remainder = R;
    type Ceiling = Q::Inc<R::NonZero>;
    type Shorter = Divided<Q::Init, R::Push<Q::Units>>;
    type Stop<K: ?Sized + Digit> =
        <<<Q::Three as Truth>::And<K::Places> as Truth>::Or<K::Last> as Truth>::Or<
            <<Q::NonZero as Truth>::Or<R::NonZero> as Truth>::Not,
        >;
    type Before<D: ?Sized + Digit> = Divided<Q, R::Push<D>>;
    type Mixed<Y: ?Sized + Natural> = <R::NonZero as Fitting>::Beside<Q, R, Y>;
    type Bring<D: ?Sized + Digit, M: ?Sized + Divisor> =
        <R::Push<D> as Natural>::LongDivision<Q, M>;
}
