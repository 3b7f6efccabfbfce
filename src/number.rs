//! Rational numbers in types: `Frac<3, 4>` is three quarters.
//!
//! A number is written with constants and computed with digits. Inwards, a table gives each constant its decimal
//! digits; digits are added, subtracted, multiplied and divided as on paper; outwards, a decimal tree gives the constant
//! back. What has a numerator above 1024 is written as a whole part and a fraction beside it: `Frac<2, 3, 341>` is
//! 341 + 2/3. The digits are decimal because what does not fit either is rounded to thousandths, or to three significant
//! decimal digits where these are finer. Rounding goes against the spender: sums up, remainders and parts down. A rounding
//! moves a result by less than a thousandth, and by less than one unit of its third digit.
//!
//! | file | idea |
//! |---|---|
//! | `digits` | bits and digits: the tables of sums, differences and products |
//! | `natural` | natural numbers: lists of digits, long division, greatest common divisors |
//! | `table` | the constants, inwards and outwards |
//! | `round` | whole parts, thousandths, three significant digits |
//! | `fraction` | two fractions on one grid |
//! | `tiny` | A · 10^-K, for failure probabilities |
//! | `convert` | ρ as (ε, δ), by a search for an order |
//! | `covered` | the same for values, for tests and reports |
//! | `orders` | the table of orders, and of logarithms |
//! | `amplify` | ln(1 + q (e^x - 1)), for samples |
//! | `euclid` | greatest common divisors of values |
//!
//! Operations are generic associated types with bounds on their results rather than traits with where clauses. So they
//! are total, which the compiler checks once, here, and a user's program has only `X: Natural` to prove.

// A trait whose supertrait is `Sized` implies it; without `?Sized` every parameter would also have to prove it, in every
// step of every computation. That would be a quarter of the compile time, as measured.
#![allow(clippy::needless_maybe_sized)]

mod amplify;
mod bit;
mod convert;
mod covered;
mod digits;
mod euclid;
mod fraction;
mod natural;
mod orders;
mod round;
mod table;
mod tiny;

pub use amplify::{Amplify, SamplingRate, Thinned};
pub use bit::{And, Bit, No, Yes};
pub use convert::Covers;
// `tests/arithmetic` includes this module's source.
#[allow(unused_imports)]
pub use covered::covers;
pub(crate) use euclid::gcd;
pub(crate) use orders::ORDERS;
use typenum::B1;

use digits::{D0, D2, Truth};
use fraction::{Balance, Paths, SameGrid};
use natural::{Natural, Plus, Remainder, Times, list};
use round::{Down, Fit, Up};
use table::{N, Numeral};
pub use tiny::{Group, Probability, Tiny, TinyCompare, TinyDebit, TinySum};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// The number `WHOLE + NUM / DEN`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frac<const NUM: usize, const DEN: usize, const WHOLE: usize = 0>;

/// A result above 1024: not a fraction, and nothing can be done with it.
pub struct TooLarge;

/// What is left of a budget that was overspent: not a fraction, and nothing can be done with it.
pub struct BelowZero;

/// A number that can be written as `Frac<NUM, DEN>`, NUM from 0 to 1024, DEN from 1 to 1024 or a power of ten up to 10^9; or
/// as `Frac<NUM, DEN, WHOLE>`, DEN from 1 to 1024, WHOLE up to 1023.
#[diagnostic::on_unimplemented(
    message = "this number is not a privacy cost",
    label = "not a fraction of this range",
    note = "the numerator is 0 to 1024, the denominator 1 to 1024 or a power of ten up to 10^9"
)]
// Not proved: not a law; its range is Fraction.is_fraction, and its numerator is Natural.numerator_spec.
pub trait Fraction: Sealed + Sized + 'static {
    /// The numerator's digits, of all together.
    type Num: Natural;
    /// The denominator's digits.
    type Den: Natural;
    /// The numerator of all together.
    const NUM: u64;
    /// The denominator.
    const DEN: u64;
}

impl<const NUM: usize, const DEN: usize, const WHOLE: usize> Sealed for Frac<NUM, DEN, WHOLE> {}

#[diagnostic::do_not_recommend]
impl<const NUM: usize, const DEN: usize, const WHOLE: usize> Fraction for Frac<NUM, DEN, WHOLE>
where
    N<NUM>: Numeral<Top = B1>,
    N<DEN>: Numeral,
    N<WHOLE>: Numeral<Carries<N<DEN>> = B1>,
{
    type Num = Plus<Times<Digits<WHOLE>, Digits<DEN>>, Digits<NUM>>;
    type Den = Digits<DEN>;
    const NUM: u64 = (WHOLE * DEN + NUM) as u64;
    const DEN: u64 = DEN as u64;
}

/// `Self + B`: exact on the least common denominator if that fits, otherwise rounded up.
#[diagnostic::on_unimplemented(
    message = "the sum of `{Self}` and `{B}` is above 1024",
    label = "does not fit",
    note = "costs go up to 1024"
)]
// Proved: Fraction.sum_sound, Natural.sum_digits_spec
pub trait Sum<B: Fraction>: Fraction {
    /// The sum.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, B: Fraction> Sum<B> for A
where
    <SameGrid<A, B> as Paths>::Sum<A, B>: Fraction,
{
    type Out = <SameGrid<A, B> as Paths>::Sum<A, B>;
}

/// `Self - C`, for every two fractions.
// Proved: Fraction.debit_sound, Natural.debit_digits_spec
pub trait Debit<C: Fraction>: Fraction {
    /// `Yes` if `C` is at most `Self`, never rounded.
    type Verdict: Bit;
    /// What is left. It is exact on the least common denominator if that fits, otherwise rounded down. [`BelowZero`] if
    /// `C` is more than `Self`.
    type Left;
}

impl<B: Fraction, C: Fraction> Debit<C> for B {
    type Verdict = <<<SameGrid<B, C> as Paths>::Less<B, C> as Balance>::Verdict as Truth>::Said;
    type Left = <<SameGrid<B, C> as Paths>::Less<B, C> as Balance>::Left;
}

/// The exact comparison of two fractions.
// Proved: Fraction.le_sound, Natural.le_digits_spec
pub trait Compare<B: Fraction>: Fraction {
    /// `Yes` if `Self <= B`.
    type Le: Bit;
}

impl<A: Fraction, B: Fraction> Compare<B> for A {
    type Le = <<SameGrid<A, B> as Paths>::Le<A, B> as Truth>::Said;
}

/// The larger of two fractions.
// Proved: Cost.dearer_sound
pub trait Larger<B: Fraction>: Fraction {
    /// `B`, unless `Self` is larger.
    type Out: Fraction;
}

impl<A: Fraction, B: Fraction> Larger<B> for A {
    type Out = <<SameGrid<A, B> as Paths>::Le<A, B> as Paths>::Pick<B, A>;
}

/// `K` times `Self`, on the same denominator if that fits, otherwise rounded up.
#[diagnostic::on_unimplemented(
    message = "{K} times `{Self}` is above 1024",
    label = "does not fit",
    note = "costs and numbers of repetitions go up to 1024"
)]
// Proved: Fraction.scale_sound, Natural.scale_digits_spec
pub trait Scale<const K: usize>: Fraction {
    /// The product.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, const K: usize> Scale<K> for A
where
    N<K>: Numeral<Top = B1>,
    Fit<Times<Digits<K>, A::Num>, A::Den, Up>: Fraction,
{
    type Out = Fit<Times<Digits<K>, A::Num>, A::Den, Up>;
}

/// A part of `Self` that `K` times, rounded up as every product, is at most `Self`.
///
/// It is `NUM/K` over `DEN` if `K` divides, `NUM` over `DEN * K` if that fits, otherwise rounded down. Where `K` of these
/// are rounded up past `Self`, it is a part of `Self` rounded down.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be divided into {K} parts",
    label = "no such part",
    note = "the number of parts is 1 to 1024"
)]
// Proved: Fraction.part_sound, Natural.part_digits_spec
pub trait Share<const K: usize>: Fraction {
    /// The part.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, P, const K: usize> Share<K> for A
where
    N<K>: Numeral<Top = B1, Bottom = B1>,
    Largest<A, Digits<K>>:
        Scale<K, Out: Compare<A, Le: Kept<A, Largest<A, Digits<K>>, K, Out = P>>>,
    P: Fraction,
{
    type Out = P;
}

/// The part `P` of `A`, if `self` says that `K` of it are at most `A`; otherwise one of `A` rounded down.
// Proved: Fraction.part_sound, Natural.part_digits_spec
pub trait Kept<A: Fraction, P: Fraction, const K: usize> {
    /// The part.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, P: Fraction, const K: usize> Kept<A, P, K> for Yes {
    type Out = P;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction, P: Fraction, const K: usize> Kept<A, P, K> for No
where
    N<K>: Numeral,
    Cut<A>: Fraction,
    Largest<Cut<A>, Digits<K>>: Fraction,
{
    type Out = Largest<Cut<A>, Digits<K>>;
}

/// `A / K`, rounded down where it does not fit.
type Largest<A, K> =
    <<Remainder<<A as Fraction>::Num, K> as Natural>::NonZero as Paths>::Share<A, K>;
/// `A` in decimals, rounded down.
type Cut<A> = <<A as Fraction>::Den as Natural>::Round<<A as Fraction>::Num, D0, Down>;

/// Half the square of `Self`, rounded up where it does not fit: what a pure ε is in zero-concentrated terms.
#[diagnostic::on_unimplemented(
    message = "half the square of `{Self}` is above 1024",
    label = "does not fit",
    note = "costs go up to 1024"
)]
// Proved: Fraction.half_square_sound, Natural.half_square_digits_spec, Convert.pure_zcdp
pub trait HalfSquare: Fraction {
    /// The half square.
    type Out: Fraction;
}

#[diagnostic::do_not_recommend]
impl<A: Fraction> HalfSquare for A
where
    HalfSquareOf<A>: Fraction,
{
    type Out = HalfSquareOf<A>;
}

type HalfSquareOf<A> = Fit<
    Times<<A as Fraction>::Num, <A as Fraction>::Num>,
    Times<list!(D2), Times<<A as Fraction>::Den, <A as Fraction>::Den>>,
    Up,
>;

/// The digits of a constant.
type Digits<const K: usize> = <N<K> as Numeral>::Digits;

/// A number above zero.
// Not proved: not a law; it keeps zero out.
pub trait NonZero {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const W: usize> NonZero for Frac<A, B, W> where
    Frac<A, B, W>: Fraction<Num: Natural<NonZero = B1>>
{
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> NonZero for Tiny<A, K> where
    Tiny<A, K>: Probability<Digits: Natural<NonZero = B1>>
{
}
