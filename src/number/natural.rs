//! Natural numbers as lists of decimal digits, least significant digit outermost, without leading zeros.

use typenum::{B0, B1};

use super::digits::*;
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
pub trait Natural: Sized {
    /// Is it more than zero?
    type Positive: Truth;
    /// Has it two digits or more?
    type Two: Truth;
    /// Has it three digits or more?
    type Three: Truth;
    /// Has it four digits or more?
    type Four: Truth;
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
    /// Long division of `self` by `M`.
    type DivMod<M: ?Sized + Divisor>: Division;
    /// The greatest common divisor of `A` and `self`, where `A` is positive.
    type GcdOf<A: ?Sized + Natural>: Natural;
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
    type Positive = B0;
    type Two = B0;
    type Three = B0;
    type Four = B0;
    type Read = N<0>;
    type Push<D: ?Sized + Digit> = D::Lead;
    type Init = Nil;
    type Units = D0;
    type Same<B: ?Sized + Natural> = <B::Positive as Truth>::Not;
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
    type DivMod<M: ?Sized + Divisor> = Divided<Nil, Nil>;
    type GcdOf<A: ?Sized + Natural> = A;
}

impl<H: ?Sized + Natural, D: ?Sized + Digit> Natural for Cons<H, D> {
    type Positive = B1;
    type Two = H::Positive;
    type Three = H::Two;
    type Four = H::Three;
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
    type DivMod<M: ?Sized + Divisor> = <H::DivMod<M> as Division>::Bring<D, M>;
    type GcdOf<A: ?Sized + Natural> = <Remainder<A, Self> as Natural>::GcdOf<Self>;
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

/// What a subtraction gives: both the comparison and the difference.
pub trait Outcome: Sized + super::fraction::Settle {
    /// `B1` unless negative.
    type Verdict: Truth;
    /// The difference with one more digit.
    type Then<D: ?Sized + Digit>: Outcome;
    /// Long division: `R` is the remainder so far, `self` is `R - M`.
    type Try<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// `self` is `R - 8 M`.
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// `self` is `R - 4 M`.
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor>: Division;
    /// `self` is `R - 2 M`; `T` is the digit so far.
    type Try2<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor, T: ?Sized + Digit>: Division;
    /// `self` is `R - M`; `T` is the digit so far.
    type Try1<Q: ?Sized + Natural, R: ?Sized + Natural, T: ?Sized + Digit>: Division;
}

impl<X: ?Sized + Natural> Outcome for Within<X> {
    type Verdict = B1;
    type Then<D: ?Sized + Digit> = Within<X::Push<D>>;
    type Try<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<R, M::Eight> as Outcome>::Try8<Q, R, M>;
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<X, M::One> as Outcome>::Try1<Q, X, D8>;
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<X, M::Two> as Outcome>::Try2<Q, X, M, D4>;
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
    type Try8<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<R, M::Four> as Outcome>::Try4<Q, R, M>;
    type Try4<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor> =
        <Minus<R, M::Two> as Outcome>::Try2<Q, R, M, D0>;
    type Try2<Q: ?Sized + Natural, R: ?Sized + Natural, M: ?Sized + Divisor, T: ?Sized + Digit> =
        <Minus<R, M::One> as Outcome>::Try1<Q, R, T>;
    type Try1<Q: ?Sized + Natural, R: ?Sized + Natural, T: ?Sized + Digit> = Divided<Q::Push<T>, R>;
}

/// A divisor with the multiples that long division tries.
pub trait Divisor: Sized {
    /// Once.
    type One: Natural;
    /// Twice.
    type Two: Natural;
    /// Four times.
    type Four: Natural;
    /// Eight times.
    type Eight: Natural;
}

/// A divisor with its multiples.
pub struct Multiples<A, B, C, D>(A, B, C, D);
impl<A: ?Sized + Natural, B: ?Sized + Natural, C: ?Sized + Natural, D: ?Sized + Natural> Divisor
    for Multiples<A, B, C, D>
{
    type One = A;
    type Two = B;
    type Four = C;
    type Eight = D;
}

type Double<A> = Plus<A, A>;
/// `A` as a divisor.
pub type MultiplesOf<A> = Multiples<A, Double<A>, Double<Double<A>>, Double<Double<Double<A>>>>;

/// The state of a long division.
pub trait Division: Sized + super::round::Scan {
    /// The digits found.
    type Quotient: Natural;
    /// What is left.
    type Remainder: Natural;
    /// The quotient, rounded up.
    type Ceiling: Natural;
    /// One digit more.
    type Bring<D: ?Sized + Digit, M: ?Sized + Divisor>: Division;
}

/// A quotient and a remainder.
pub struct Divided<Q, R>(Q, R);
impl<Q: ?Sized + Natural, R: ?Sized + Natural> Division for Divided<Q, R> {
    type Quotient = Q;
    type Remainder = R;
    type Ceiling = Q::Inc<R::Positive>;
    type Bring<D: ?Sized + Digit, M: ?Sized + Divisor> =
        <Minus<R::Push<D>, M::One> as Outcome>::Try<Q, R::Push<D>, M>;
}
