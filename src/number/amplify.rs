//! The price of a sample: `ln(1 + q (e^x - 1))`, from above.
//!
//! Two functions are replaced by chords, which lie above them since both are convex: `(e^s - 1) / s` and
//! `ln(1 + y) / y`, each between neighbouring tenths of `[0, 1]`. Whole parts of the exponent come from the table of
//! powers of e, and every doubling of `1 + y` adds `ln 2`. The argument is in `proofs/subsampling.md`.

use typenum::{B0, B1};

use super::Fraction;
use super::digits::*;
use super::fraction::Settle;
use super::natural::*;
use super::round::{Fit, Up};
use super::table::{N, Numeral};
use super::tiny::{self, Exp, Level, Probability};

/// A fraction above zero and below one: the part of all rows that a sample has, on average.
#[diagnostic::on_unimplemented(
    message = "this is not a rate of sampling: the part of the rows must be above 0 and below 1",
    label = "not a rate of sampling",
    note = "`.sampled::<1, 100>()` keeps each row with probability 1/100: the first number is 1 to 1024 and less than the second",
    note = "the second number is 2 to 1024, or a power of ten up to 10^9"
)]
// Not proved: not a law; it names a range.
pub trait SamplingRate: Fraction {}

#[diagnostic::do_not_recommend]
impl<F: Fraction> SamplingRate for F
where
    F: Fraction<Num: Natural<NonZero = B1>>,
    Minus<F::Num, F::Den>: Outcome<Verdict = B0>,
{
}

/// `ln(1 + q (e^Self - 1))` for `q = NUM/DEN`, rounded up; `Self` from ten on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no price on a sample",
    label = "no such price",
    note = "the rate of sampling is above 0 and below 1"
)]
// Not proved: `proofs/subsampling.md`; compared with exact rationals in `tests/sampling.rs`.
pub trait Amplify<const NUM: usize, const DEN: usize>: Fraction {
    /// The bound.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, P, const NUM: usize, const DEN: usize> Amplify<NUM, DEN> for A
where
    N<NUM>: Numeral<Top = B1>,
    N<DEN>: Numeral<Bottom = B1>,
    Divide<A::Num, A::Den>: Parts<Price<A, Digits<NUM>, Digits<DEN>> = P>,
    P: Fraction,
{
    type Out = P;
}

/// `q Self` for `q = NUM/DEN`, rounded up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no price on a sample",
    label = "no such price",
    note = "the rate of sampling is above 0 and below 1"
)]
// Not proved: `proofs/subsampling.md`; compared with exact rationals in `tests/sampling.rs`.
pub trait Thinned<const NUM: usize, const DEN: usize>: Probability {
    /// The product.
    type Out: Probability;
}

#[diagnostic::do_not_recommend]
impl<A: Probability, P, const NUM: usize, const DEN: usize> Thinned<NUM, DEN> for A
where
    N<NUM>: Numeral<Top = B1>,
    N<DEN>: Numeral<Bottom = B1>,
    ThinnedBy<A, Digits<NUM>, Digits<DEN>>: Natural,
    tiny::Fit<ThinnedBy<A, Digits<NUM>, Digits<DEN>>, <A::Places as Level>::Nine, Up>:
        IsProbability<Is = P>,
    P: Probability,
{
    type Out = P;
}

/// A probability, named.
// Not proved: not a law; it names a type.
pub trait IsProbability {
    /// Itself.
    type Is: Probability;
}
impl<P: Probability> IsProbability for P {
    type Is = P;
}

/// `10^9 q A`, rounded up.
type ThinnedBy<A, Q, D> =
    <Divide<NineZeros<Times<<A as Probability>::Digits, Q>>, D> as Division>::Ceiling;

type Digits<const K: usize> = <N<K> as Numeral>::Digits;
type ThreeZeros<A> = <<<A as Natural>::Push<D0> as Natural>::Push<D0> as Natural>::Push<D0>;
type SixZeros<A> = ThreeZeros<ThreeZeros<A>>;
type NineZeros<A> = ThreeZeros<SixZeros<A>>;

/// A number below 1000 as a digit of hundreds and a rest below 100.
type Hundreds<T> = <<<T as Natural>::Init as Natural>::Init as Natural>::Units;
type Rest<T> = <<Nil as Natural>::Push<<<T as Natural>::Init as Natural>::Units> as Natural>::Push<
    <T as Natural>::Units,
>;

/// An exponent divided into its whole part and what is left of its numerator.
// Not proved: `proofs/subsampling.md`.
pub trait Parts {
    /// The price on a sample of `Q/D`, where `A` is the exponent.
    type Price<A: ?Sized + Fraction, Q: ?Sized + Natural, D: ?Sized + Natural>;
}

impl<W: ?Sized + Natural, R: ?Sized + Natural> Parts for Divided<W, R> {
    // The thousandths of what is left choose a chord.
    type Price<A: ?Sized + Fraction, Q: ?Sized + Natural, D: ?Sized + Natural> =
        <W::Two as Reach>::Price<A, W, R, Quotient<ThreeZeros<R>, A::Den>, Q, D>;
}

/// Whether the exponent is ten or more.
// Not proved: `proofs/subsampling.md`.
pub trait Reach {
    /// The price, where the exponent is `W + R/A::Den`, and `T` the thousandths of its second part.
    type Price<
        A: ?Sized + Fraction,
        W: ?Sized + Natural,
        R: ?Sized + Natural,
        T: ?Sized + Natural,
        Q: ?Sized + Natural,
        D: ?Sized + Natural,
    >;
    /// The price of `e^x - 1` below `X/Y` in millionths, where `self` says that the whole part is not zero.
    type Odds<W: ?Sized + Natural, X: ?Sized + Natural, Y: ?Sized + Natural, Q: ?Sized + Natural, D: ?Sized + Natural>: Odds;
}

impl Reach for B1 {
    type Price<
        A: ?Sized + Fraction,
        W: ?Sized + Natural,
        R: ?Sized + Natural,
        T: ?Sized + Natural,
        Q: ?Sized + Natural,
        D: ?Sized + Natural,
    > = A;
    // e^(w + s) - 1 = (e^w - 1) + e^w (e^s - 1).
    type Odds<
        W: ?Sized + Natural,
        X: ?Sized + Natural,
        Y: ?Sized + Natural,
        Q: ?Sized + Natural,
        D: ?Sized + Natural,
    > = Ratio<
        Times<Q, Plus<Times<LessThousand<Power<W>>, Y>, Times<Power<W>, X>>>,
        Times<D, ThreeZeros<Y>>,
    >;
}

impl Reach for B0 {
    type Price<
        A: ?Sized + Fraction,
        W: ?Sized + Natural,
        R: ?Sized + Natural,
        T: ?Sized + Natural,
        Q: ?Sized + Natural,
        D: ?Sized + Natural,
    > = <<W::NonZero as Reach>::Odds<W, Times<R, Growth<T>>, SixZeros<A::Den>, Q, D> as Odds>::Log;
    type Odds<
        W: ?Sized + Natural,
        X: ?Sized + Natural,
        Y: ?Sized + Natural,
        Q: ?Sized + Natural,
        D: ?Sized + Natural,
    > = Ratio<Times<Q, X>, Times<D, Y>>;
}

/// `1000 e^W`, for a single digit.
type Power<W> =
    <<<W as Natural>::Units as Exp>::OneShift as Level>::Shift<<<W as Natural>::Units as Exp>::One>;
type LessThousand<A> = <Minus<A, list!(D1 D0 D0 D0)> as Settle>::Value;

/// Millionths of `(e^s - 1) / s` where `s` is in `[T, T + 1]` thousandths.
type Growth<T> = Plus<
    <Hundreds<T> as Chords>::Growth,
    Times<<Rest<T> as Natural>::Inc<B1>, <Hundreds<T> as Chords>::Rise>,
>;

/// `X / Y`, at which a logarithm is taken.
pub struct Ratio<X, Y>(X, Y);

/// What `q (e^x - 1)` is at most.
// Not proved: `proofs/subsampling.md`.
pub trait Odds {
    /// `ln(1 + self)`, rounded up.
    type Log;
}

impl<X: ?Sized + Natural, Y: ?Sized + Natural> Odds for Ratio<X, Y> {
    type Log = <Minus<X, Y> as Halve>::Log<X, Y, Nil>;
}

/// Whether the odds are one or more: `self` is `X - Y`.
// Not proved: `proofs/subsampling.md`.
pub trait Halve {
    /// `C ln 2 + ln(1 + X/Y)`, rounded up.
    type Log<X: ?Sized + Natural, Y: ?Sized + Natural, C: ?Sized + Natural>;
}

impl<Z: ?Sized + Natural> Halve for Within<Z> {
    // 1 + x = 2 (1 + (x - 1)/2).
    type Log<X: ?Sized + Natural, Y: ?Sized + Natural, C: ?Sized + Natural> =
        <Minus<Z, Plus<Y, Y>> as Halve>::Log<Z, Plus<Y, Y>, C::Inc<B1>>;
}

impl Halve for Under {
    type Log<X: ?Sized + Natural, Y: ?Sized + Natural, C: ?Sized + Natural> = Fit<
        Plus<Times<X, Decline<Quotient<ThreeZeros<X>, Y>>>, Times<Times<C, LogTwo>, Y>>,
        SixZeros<Y>,
        Up,
    >;
}

/// Just above a million times ln 2.
type LogTwo = list!(D6 D9 D3 D1 D4 D8);

/// Millionths of `ln(1 + y) / y` where `y` is at least `T` thousandths.
type Decline<T> = <Minus<
    <Hundreds<T> as Chords>::Decline,
    Times<Rest<T>, <Hundreds<T> as Chords>::Fall>,
> as Settle>::Value;

/// For the tenth that a digit names: a chord of `(e^s - 1) / s` and one of `ln(1 + y) / y`, in millionths.
// Not proved: a table; `tests/sampling.rs` compares each chord with its function.
pub trait Chords {
    /// `(e^s - 1) / s` at the lower end, rounded up.
    type Growth: Natural;
    /// How much it rises in a thousandth, rounded up.
    type Rise: Natural;
    /// `ln(1 + y) / y` at the lower end, rounded up.
    type Decline: Natural;
    /// How much it falls in a thousandth, rounded down.
    type Fall: Natural;
}

macro_rules! chords {
    ($($d:ident: ($($growth:ident)*) ($($rise:ident)*) ($($decline:ident)*) ($($fall:ident)*);)*) => { $(
        impl Chords for $d {
            type Growth = list!($($growth)*);
            type Rise = list!($($rise)*);
            type Decline = list!($($decline)*);
            type Fall = list!($($fall)*);
        }
    )* };
}

chords! {
    D0: (D1 D0 D0 D0 D0 D0 D0) (D5 D1 D8) (D1 D0 D0 D0 D0 D0 D0) (D4 D6 D8);
    D1: (D1 D0 D5 D1 D7 D1 D0) (D5 D5 D4) (D9 D5 D3 D1 D0 D2) (D4 D1 D4);
    D2: (D1 D1 D0 D7 D0 D1 D4) (D5 D9 D2) (D9 D1 D1 D6 D0 D8) (D3 D7 D0);
    D3: (D1 D1 D6 D6 D1 D9 D7) (D6 D3 D4) (D8 D7 D4 D5 D4 D8) (D3 D3 D3);
    D4: (D1 D2 D2 D9 D5 D6 D2) (D6 D7 D9) (D8 D4 D1 D1 D8 D1) (D3 D0 D2);
    D5: (D1 D2 D9 D7 D4 D4 D3) (D7 D2 D8) (D8 D1 D0 D9 D3 D1) (D2 D7 D5);
    D6: (D1 D3 D7 D0 D1 D9 D9) (D7 D8 D1) (D7 D8 D3 D3 D4 D0) (D2 D5 D2);
    D7: (D1 D4 D4 D8 D2 D1 D9) (D8 D3 D8) (D7 D5 D8 D0 D4 D1) (D2 D3 D3);
    D8: (D1 D5 D3 D1 D9 D2 D7) (D8 D9 D9) (D7 D3 D4 D7 D3 D4) (D2 D1 D5);
    D9: (D1 D6 D2 D1 D7 D8 D2) (D9 D6 D5) (D7 D1 D3 D1 D7 D1) (D2 D0 D0);
}
