//! Very small numbers: `Tiny<1, 9>` is 10^-9.

use typenum::{B0, B1};

use super::Fraction;
use super::bit::{No, Yes};
use super::convert::Level10;
use super::digits::*;
use super::fraction::{Paths, Settle};
use super::natural::*;
use super::round::{Direction, Up};
use super::sealed::Sealed;
use super::table::{N, Numeral};

/// The number `A * 10^-K`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiny<const A: usize, const K: usize>;

/// A bound of one or more on a probability: not a [`Probability`], and nothing can be done with it.
pub struct Certain;

/// A probability below one that can be written as `Tiny<A, K>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a probability that can be a cost",
    label = "not a small probability",
    note = "`Tiny<A, K>` is A * 10^-K, below one, with A from 0 to 1024 and K from 1 to 30"
)]
// Not proved: not a law; its range is Tiny.is_probability.
pub trait Probability: Sealed + Sized + 'static {
    /// The digits of `A`.
    type Digits: Natural;
    /// `K`.
    type Places: Level;
    /// `Yes`: it is below one.
    type BelowOne: super::Bit;
    /// `A`.
    const A: u64;
    /// `K`.
    const K: u32;
}

impl<const A: usize, const K: usize> Sealed for Tiny<A, K> {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> Probability for Tiny<A, K>
where
    N<A>: Numeral<Top = B1>,
    N<K>: Level<Deep = B0, Below<<N<A> as Numeral>::Digits> = Yes>,
{
    type Digits = <N<A> as Numeral>::Digits;
    type Places = N<K>;
    type BelowOne = <N<K> as Level>::Below<<N<A> as Numeral>::Digits>;
    const A: u64 = A as u64;
    const K: u32 = K as u32;
}

/// `Self + B`, exact or rounded up to three significant digits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` do not add up to a probability",
    label = "one or more",
    note = "choose smaller values"
)]
// Proved: Tiny.tiny_sum_sound, Decimals.tiny_sum_digits_spec
pub trait TinySum<B: Probability>: Probability {
    /// The sum.
    type Out: Probability;
}

#[diagnostic::do_not_recommend]
impl<A: Probability, B: Probability> TinySum<B> for A
where
    Fit<Plus<Raised<A, B>, Raised<B, A>>, Common<A, B>, Up>: Probability,
{
    type Out = Fit<Plus<Raised<A, B>, Raised<B, A>>, Common<A, B>, Up>;
}

/// `Self - C`, for every two probabilities.
// Proved: Tiny.tiny_debit_sound, Decimals.tiny_debit_digits_spec
pub trait TinyDebit<C: Probability>: Probability {
    /// `Yes` if `C` is at most `Self`.
    type Verdict: super::Bit;
    /// What is left, exact or rounded down to three significant digits; [`BelowZero`](super::BelowZero) if nothing is.
    type Left;
}

impl<B: Probability, C: Probability> TinyDebit<C> for B {
    type Verdict = <<Minus<Raised<B, C>, Raised<C, B>> as Outcome>::Verdict as Truth>::Said;
    type Left = <Minus<Raised<B, C>, Raised<C, B>> as Settle>::LeftTiny<Common<B, C>>;
}

/// The exact comparison of two probabilities.
// Proved: Tiny.tiny_le_sound, Decimals.tiny_le_digits_spec
pub trait TinyCompare<B: Probability>: Probability {
    /// `Yes` if `Self <= B`.
    type Le: super::Bit;
}

impl<A: Probability, B: Probability> TinyCompare<B> for A {
    type Le = <AtMost<Raised<A, B>, Raised<B, A>> as Truth>::Said;
}

/// The δ of a group of `K` under (`E`, `Self`): a bound from above on `K * e^((K-1) E) * Self`.
///
/// The exponent is rounded up to tenths and each power of e to four digits, so the bound is at most 12 % too large.
#[diagnostic::on_unimplemented(
    message = "the failure probability `{Self}` is too large for a group of {K} at `{E}`",
    label = "the group's bound is one or more",
    note = "start from a smaller failure probability, a smaller cost or a smaller group"
)]
// Proved: Group.tiny_group_sound, Decimals.tiny_group_digits_spec
pub trait Group<E: Fraction, const K: usize>: Probability {
    /// The bound, rounded up to three significant digits.
    type Out: Probability;
}

#[diagnostic::do_not_recommend]
impl<A: Probability, E: Fraction, const K: usize> Group<E, K> for A
where
    N<K>: Numeral<Top = B1, Bottom = B1>,
    Grown<A, <N<K> as Numeral>::Digits, Tenths<E, <N<K> as Numeral>::Digits>>: Probability,
{
    type Out = Grown<A, <N<K> as Numeral>::Digits, Tenths<E, <N<K> as Numeral>::Digits>>;
}

/// Ten times `(K - 1) E`, rounded up.
type Tenths<E, K> =
    <Divide<<Exponent<E, K> as Natural>::Push<D0>, <E as Fraction>::Den> as Division>::Ceiling;
type Exponent<E, K> = Times<<E as Fraction>::Num, <<K as Natural>::Dec<B1> as Settle>::Value>;

/// `K * e^(T/10) * A`: three digits of `T` select three powers of e; more digits are out of reach.
type Grown<A, K, T> = <<Hundreds<T> as Natural>::Two as Paths>::Grow<A, K, T>;
type Hundreds<T> = <<T as Natural>::Init as Natural>::Init;

/// [`Grown`] for an exponent below one hundred.
pub type GrownBy<A, K, T> = Fit<
    Times<
        Times<<A as Probability>::Digits, K>,
        Times<TenthsPower<T>, Times<UnitsPower<T>, TensPower<T>>>,
    >,
    <<<<A as Probability>::Places as Level>::Nine as Level>::Less<UnitsShift<T>> as Level>::Less<
        TensShift<T>,
    >,
    Up,
>;
type TenthsPower<T> = <<T as Natural>::Units as Exp>::Tenth;
type UnitsPower<T> = <<<T as Natural>::Init as Natural>::Units as Exp>::One;
type UnitsShift<T> = <<<T as Natural>::Init as Natural>::Units as Exp>::OneShift;
type TensPower<T> = <<Hundreds<T> as Natural>::Units as Exp>::Ten;
type TensShift<T> = <<Hundreds<T> as Natural>::Units as Exp>::TenShift;

/// The digits of `A` with as many places as the finer of `A` and `B`.
type Raised<A, B> = <<A as Probability>::Places as Level>::Raise<
    <A as Probability>::Digits,
    <B as Probability>::Places,
>;
/// The number of places of the finer of `A` and `B`.
type Common<A, B> = <<A as Probability>::Places as Level>::Max<<B as Probability>::Places>;

/// `X * 10^-L` as a [`Tiny`]: exact if it fits, otherwise rounded.
pub type Fit<X, L, Dir> = <Fits<X, L> as Paths>::FitTiny<X, L, Dir>;
type Fits<X, L> =
    <<<X as Natural>::Read as Numeral>::Top as Truth>::And<<<L as Level>::Deep as Truth>::Not>;
/// `X * 10^-L` with the last digits dropped; `S` says whether any dropped digit was positive.
pub type Trim<X, L, S, Dir> = <TooLong<X, L> as Paths>::Trim<X, L, S, Dir>;
type TooLong<X, L> = <<X as Natural>::Four as Truth>::Or<<L as Level>::Deep>;

/// A number of decimal places: `N<0>` to `N<40>`, of which 1 to 30 may be written.
// Proved: Tiny.trim_sound, Tiny.raised_val, Decimals.fit_tiny_digits_spec, Decimals.raise_spec
pub trait Level: Sized + Level10 {
    /// More than can be written?
    type Deep: Truth;
    /// One place less (zero stays).
    type Prev: Level;
    /// One place more.
    type Next: Level;
    /// Nine places more.
    type Nine: Level;
    /// Is `A * 10^-self` below one?
    type Below<A: ?Sized + Natural>: super::Bit;
    /// `A` with a zero for each place that `M` has beyond these.
    type Raise<A: ?Sized + Natural, M: ?Sized + Level>: Natural;
    /// The same, where `L` is one place short of the other side.
    type RaiseFrom<A: ?Sized + Natural, L: ?Sized + Level>: Natural;
    /// `A` with a zero for each of these places.
    type Shift<A: ?Sized + Natural>: Natural;
    /// The larger.
    type Max<M: ?Sized + Level>: Level;
    /// The larger of this and `L + 1`.
    type MaxNext<L: ?Sized + Level>: Level;
    /// `self - M`, or zero.
    type Less<M: ?Sized + Level>: Level;
    /// `L + 1 - self`, or zero.
    type LessFrom<L: ?Sized + Level>: Level;
    /// Drop the last digit of `X`.
    type Drop<X: ?Sized + Natural, S: ?Sized + Truth, Dir: ?Sized + Direction>;
    /// The written form.
    type Show<const A: usize>;
}

impl Level for N<0> {
    type Deep = B0;
    type Prev = N<0>;
    type Next = N<1>;
    type Nine = N<9>;
    type Below<A: ?Sized + Natural> = No;
    type Raise<A: ?Sized + Natural, M: ?Sized + Level> = M::Shift<A>;
    type RaiseFrom<A: ?Sized + Natural, L: ?Sized + Level> = A;
    type Shift<A: ?Sized + Natural> = A;
    type Max<M: ?Sized + Level> = M;
    type MaxNext<L: ?Sized + Level> = L::Next;
    type Less<M: ?Sized + Level> = N<0>;
    type LessFrom<L: ?Sized + Level> = L::Next;
    type Drop<X: ?Sized + Natural, S: ?Sized + Truth, Dir: ?Sized + Direction> = Certain;
    type Show<const A: usize> = Certain;
}

macro_rules! levels {
    ($deep:ident, |$a:ident| $below:ty; $($k:literal: $prev:literal $next:literal $nine:literal;)*) => { $(
        impl Level for N<$k> {
            type Deep = $deep;
            type Prev = N<$prev>;
            type Next = N<$next>;
            type Nine = N<$nine>;
            type Below<$a: ?Sized + Natural> = $below;
            type Raise<A: ?Sized + Natural, M: ?Sized + Level> = M::RaiseFrom<A, N<$prev>>;
            type RaiseFrom<A: ?Sized + Natural, L: ?Sized + Level> = L::Raise<A, N<$prev>>;
            type Shift<A: ?Sized + Natural> = <N<$prev> as Level>::Shift<A::Push<D0>>;
            type Max<M: ?Sized + Level> = M::MaxNext<N<$prev>>;
            type MaxNext<L: ?Sized + Level> = <L::Max<N<$prev>> as Level>::Next;
            type Less<M: ?Sized + Level> = M::LessFrom<N<$prev>>;
            type LessFrom<L: ?Sized + Level> = L::Less<N<$prev>>;
            type Drop<X: ?Sized + Natural, S: ?Sized + Truth, Dir: ?Sized + Direction> =
                Trim<X::Init, N<$prev>, <<X::Units as Digit>::NonZero as Truth>::Or<S>, Dir>;
            type Show<const A: usize> = Tiny<A, $k>;
        }
    )* };
}

levels! {
    B0, |A| <<A::Two as Truth>::Not as Truth>::Said;
    1: 0 2 10;
}
levels! {
    B0, |A| <<A::Three as Truth>::Not as Truth>::Said;
    2: 1 3 11;
}
levels! {
    B0, |A| <<A::Four as Truth>::Not as Truth>::Said;
    3: 2 4 12;
}
levels! {
    B0, |_A| Yes;
    4: 3 5 13;
    5: 4 6 14;
    6: 5 7 15;
    7: 6 8 16;
    8: 7 9 17;
    9: 8 10 18;
    10: 9 11 19;
    11: 10 12 20;
    12: 11 13 21;
    13: 12 14 22;
    14: 13 15 23;
    15: 14 16 24;
    16: 15 17 25;
    17: 16 18 26;
    18: 17 19 27;
    19: 18 20 28;
    20: 19 21 29;
    21: 20 22 30;
    22: 21 23 31;
    23: 22 24 32;
    24: 23 25 33;
    25: 24 26 34;
    26: 25 27 35;
    27: 26 28 36;
    28: 27 29 37;
    29: 28 30 38;
    30: 29 31 39;
}
levels! {
    B1, |_A| Yes;
    31: 30 32 40;
    32: 31 33 40;
    33: 32 34 40;
    34: 33 35 40;
    35: 34 36 40;
    36: 35 37 40;
    37: 36 38 40;
    38: 37 39 40;
    39: 38 40 40;
    40: 39 40 40;
}

/// Powers of e, from above, with four digits each.
// Proved: Group.tenth_sound, Group.one_sound, Group.ten_sound
pub trait Exp {
    /// `1000 e^(self / 10)`.
    type Tenth: Natural;
    /// `1000 e^self`, without its last [`OneShift`](Exp::OneShift) digits.
    type One: Natural;
    /// See [`One`](Exp::One).
    type OneShift: Level;
    /// `1000 e^(10 self)`, without its last [`TenShift`](Exp::TenShift) digits.
    type Ten: Natural;
    /// See [`Ten`](Exp::Ten).
    type TenShift: Level;
}

macro_rules! powers_of_e {
    ($($d:ident: ($($tenth:ident)*) ($($one:ident)*) $one_shift:literal ($($ten:ident)*) $ten_shift:literal;)*) => { $(
        impl Exp for $d {
            type Tenth = list!($($tenth)*);
            type One = list!($($one)*);
            type OneShift = N<$one_shift>;
            type Ten = list!($($ten)*);
            type TenShift = N<$ten_shift>;
        }
    )* };
}

powers_of_e! {
    D0: (D1 D0 D0 D0) (D1 D0 D0 D0) 0 (D1 D0 D0 D0) 0;
    D1: (D1 D1 D0 D6) (D2 D7 D1 D9) 0 (D2 D2 D0 D3) 4;
    D2: (D1 D2 D2 D2) (D7 D3 D9 D0) 0 (D4 D8 D5 D2) 8;
    D3: (D1 D3 D5 D0) (D2 D0 D0 D9) 1 (D1 D0 D6 D9) 13;
    D4: (D1 D4 D9 D2) (D5 D4 D6 D0) 1 (D2 D3 D5 D4) 17;
    D5: (D1 D6 D4 D9) (D1 D4 D8 D5) 2 (D5 D1 D8 D5) 21;
    D6: (D1 D8 D2 D3) (D4 D0 D3 D5) 2 (D1 D1 D4 D3) 26;
    D7: (D2 D0 D1 D4) (D1 D0 D9 D7) 3 (D2 D5 D1 D6) 30;
    D8: (D2 D2 D2 D6) (D2 D9 D8 D1) 3 (D5 D5 D4 D1) 34;
    D9: (D2 D4 D6 D0) (D8 D1 D0 D4) 3 (D1 D2 D2 D1) 39;
}
