//! The arithmetic in types: every operation against `num_rational`, on generated rows and on edges.
//!
//! The module under test is private to the crate, so its source is included here.

#[allow(dead_code, unused_imports)]
#[path = "../../src"]
mod source {
    pub mod number;
}

mod by_hand;
mod rows;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};
use number::*;
use source::number;
use typenum::Bit;

type Rational = Ratio<BigInt>;
type Pair = (u64, u64);

/// What a type says: a fraction, or nothing.
trait Shown {
    const SHOWN: Option<Pair>;
}
impl<const A: usize, const B: usize> Shown for Frac<A, B> {
    const SHOWN: Option<Pair> = Some((A as u64, B as u64));
}
impl<const A: usize, const K: usize> Shown for Tiny<A, K> {
    const SHOWN: Option<Pair> = Some((A as u64, K as u64));
}
impl Shown for BelowZero {
    const SHOWN: Option<Pair> = None;
}

fn shown<T: Shown>() -> Option<Pair> {
    T::SHOWN
}
fn value<T: Fraction>() -> Pair {
    (T::NUM, T::DEN)
}
fn tiny<T: Probability>() -> Pair {
    (T::A, u64::from(T::K))
}

fn ratio((num, den): Pair) -> Rational {
    Rational::new(num.into(), den.into())
}
fn power(k: u64) -> BigInt {
    BigInt::from(10).pow(k as u32)
}
fn ratio_of_tiny((a, k): Pair) -> Rational {
    Rational::new(a.into(), power(k))
}
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
fn is_denominator(den: u128) -> bool {
    (1..=1024).contains(&den) || (4..=9).any(|k| den == 10u128.pow(k))
}

/// The rule: `num / den` as it stands if it fits, otherwise three significant digits in the given direction.
fn expected(num: u128, den: u128, up: bool) -> Pair {
    if num <= 1024 && is_denominator(den) {
        return (num as u64, den as u64);
    }
    if num == 0 {
        let zeros = (0..9)
            .take_while(|k| den.is_multiple_of(10u128.pow(k + 1)))
            .count();
        return (0, 10u64.pow(zeros as u32));
    }
    let mut places = 0;
    while num * 10u128.pow(places) / den < 100 && places < 9 {
        places += 1;
    }
    let scaled = num * 10u128.pow(places);
    let digits = if up {
        scaled.div_ceil(den)
    } else {
        scaled / den
    };
    (digits as u64, 10u64.pow(places))
}

/// Independently of [`expected`]: on the right side of the truth, and within one unit of the third digit.
fn bounded(got: &Rational, truth: &Rational, up: bool, finest: &Rational) {
    let (low, high) = if up { (truth, got) } else { (got, truth) };
    assert!(low <= high, "{got} is on the wrong side of {truth}");
    let unit = (truth / Rational::from(BigInt::from(100))).max(finest.clone());
    assert!(high - low <= unit, "{got} is too far from {truth}");
}

fn check(got: Pair, num: u128, den: u128, up: bool) {
    assert_eq!(got, expected(num, den, up), "{num}/{den}");
    let finest = Rational::new(BigInt::one(), power(9));
    bounded(
        &ratio(got),
        &Rational::new(num.into(), den.into()),
        up,
        &finest,
    );
}

fn on_grid(a: Pair, b: Pair) -> (u128, u128, u128) {
    let g = gcd(a.1, b.1);
    let (left, right) = (u128::from(b.1 / g), u128::from(a.1 / g));
    (
        u128::from(a.0) * left,
        u128::from(b.0) * right,
        u128::from(a.1) * left,
    )
}

fn check_sum(a: Pair, b: Pair, got: Pair) {
    let (left, right, den) = on_grid(a, b);
    assert_eq!(
        Rational::new((left + right).into(), den.into()),
        ratio(a) + ratio(b)
    );
    check(got, left + right, den, true);
}

fn check_debit(a: Pair, b: Pair, within: bool, left: Option<Pair>) {
    assert_eq!(within, ratio(b) <= ratio(a), "{a:?} - {b:?}");
    assert_eq!(within, left.is_some());
    if let Some(got) = left {
        let (left, right, den) = on_grid(a, b);
        check(got, left - right, den, false);
    }
}

fn check_compare(a: Pair, b: Pair, le: bool, larger: Pair) {
    assert_eq!(le, ratio(a) <= ratio(b), "{a:?} <= {b:?}");
    assert_eq!(larger, if le { b } else { a });
}

fn check_part((a, b): Pair, k: u64, got: Pair) {
    if a % k == 0 {
        assert_eq!(got, (a / k, b));
    } else {
        check(got, a.into(), u128::from(b) * u128::from(k), false);
    }
    assert!(ratio(got) * Rational::from(BigInt::from(k)) <= ratio((a, b)));
}

fn check_covers(e: Pair, rho: Pair, k: u64, verdict: bool) {
    let (e, rho) = (ratio(e), ratio(rho));
    let log = Rational::new(BigInt::from(4 * k * 175), BigInt::from(76));
    let covers = rho.is_zero() || (e > rho && (&e - &rho) * (&e - &rho) >= &rho * log);
    assert_eq!(verdict, covers, "{e} covers {rho} at {k}");
}

/// `num * 10^-places`, as the rule for tiny numbers has it.
fn expected_tiny(num: &BigInt, places: u64, up: bool) -> Pair {
    let (mut digits, mut places, mut dropped) = (num.clone(), places, false);
    if digits > BigInt::from(1024) {
        while digits >= BigInt::from(1000) {
            dropped |= !(&digits % 10u32).is_zero();
            digits /= 10u32;
            places -= 1;
        }
    }
    let digits = digits + BigInt::from(u8::from(dropped && up));
    (u64::try_from(digits).expect("at most 1024"), places)
}

fn check_tiny(got: Pair, truth: &Rational, places: u64, up: bool) {
    let num = (truth * Rational::from(power(places))).to_integer();
    assert_eq!(got, expected_tiny(&num, places, up), "{truth}");
    bounded(
        &ratio_of_tiny(got),
        truth,
        up,
        &Rational::new(BigInt::one(), power(30)),
    );
}

fn check_tiny_sum(a: Pair, b: Pair, got: Pair) {
    check_tiny(
        got,
        &(ratio_of_tiny(a) + ratio_of_tiny(b)),
        a.1.max(b.1),
        true,
    );
}

fn check_tiny_debit(a: Pair, b: Pair, within: bool, left: Option<Pair>, le: bool) {
    let (x, y) = (ratio_of_tiny(a), ratio_of_tiny(b));
    assert_eq!(within, y <= x);
    assert_eq!(le, x <= y);
    assert_eq!(within, left.is_some());
    if let Some(got) = left {
        check_tiny(got, &(x - y), a.1.max(b.1), false);
    }
}

/// e^x from below, by its series, for x >= 0.
fn exp_from_below(x: &Rational) -> Rational {
    let (mut term, mut sum) = (Rational::one(), Rational::one());
    for n in 1..400u32 {
        term = term * x / Rational::from(BigInt::from(n));
        // Cut the term, downwards, so that it stays short.
        let scale = Rational::from(power(40));
        term = (term * &scale).floor() / &scale;
        sum += &term;
    }
    sum
}

fn check_group(a: Pair, e: Pair, k: u64, got: Pair) {
    let exponent = ratio(e) * Rational::from(BigInt::from(k - 1));
    let truth = Rational::from(BigInt::from(k)) * exp_from_below(&exponent) * ratio_of_tiny(a);
    let got = ratio_of_tiny(got);
    assert!(got >= truth, "{got} is below {truth}");
    let finest = Rational::new(BigInt::one(), power(30));
    assert!(
        got <= truth * Rational::new(113.into(), 100.into()) + finest,
        "{a:?} {e:?} {k}"
    );
}

macro_rules! sums {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal;)*) => { #[test] fn $name() {
        $(check_sum(($a, $b), ($c, $d), value::<<Frac<$a, $b> as Sum<Frac<$c, $d>>>::Out>());)*
    } };
}
macro_rules! debits {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal;)*) => { #[test] fn $name() {
        $(check_debit(
            ($a, $b), ($c, $d),
            <Frac<$a, $b> as Debit<Frac<$c, $d>>>::Verdict::BOOL,
            shown::<<Frac<$a, $b> as Debit<Frac<$c, $d>>>::Left>(),
        );)*
    } };
}
macro_rules! compares {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal;)*) => { #[test] fn $name() {
        $(check_compare(
            ($a, $b), ($c, $d),
            <Frac<$a, $b> as Compare<Frac<$c, $d>>>::Le::BOOL,
            value::<<Frac<$a, $b> as Larger<Frac<$c, $d>>>::Out>(),
        );)*
    } };
}
macro_rules! scales {
    ($name:ident: $($a:literal/$b:literal $k:literal;)*) => { #[test] fn $name() {
        $(check(value::<<Frac<$a, $b> as Scale<$k>>::Out>(), $a * $k, $b, true);)*
    } };
}
macro_rules! parts {
    ($name:ident: $($a:literal/$b:literal $k:literal;)*) => { #[test] fn $name() {
        $(check_part(($a, $b), $k, value::<<Frac<$a, $b> as Share<$k>>::Out>());)*
    } };
}
macro_rules! half_squares {
    ($name:ident: $($a:literal/$b:literal;)*) => { #[test] fn $name() {
        $(check(value::<<Frac<$a, $b> as HalfSquare>::Out>(), $a * $a, 2 * $b * $b, true);)*
    } };
}
macro_rules! covers {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal $k:literal;)*) => { #[test] fn $name() {
        $(check_covers(($a, $b), ($c, $d), $k, <Frac<$a, $b> as Covers<Frac<$c, $d>, $k>>::Verdict::BOOL);)*
    } };
}
macro_rules! tiny_sums {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal;)*) => { #[test] fn $name() {
        $(check_tiny_sum(($a, $b), ($c, $d), tiny::<<Tiny<$a, $b> as TinySum<Tiny<$c, $d>>>::Out>());)*
    } };
}
macro_rules! tiny_debits {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal;)*) => { #[test] fn $name() {
        $(check_tiny_debit(
            ($a, $b), ($c, $d),
            <Tiny<$a, $b> as TinyDebit<Tiny<$c, $d>>>::Verdict::BOOL,
            shown::<<Tiny<$a, $b> as TinyDebit<Tiny<$c, $d>>>::Left>(),
            <Tiny<$a, $b> as TinyCompare<Tiny<$c, $d>>>::Le::BOOL,
        );)*
    } };
}
macro_rules! groups {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal $k:literal;)*) => { #[test] fn $name() {
        $(check_group(($a, $b), ($c, $d), $k, tiny::<<Tiny<$a, $b> as Group<Frac<$c, $d>, $k>>::Out>());)*
    } };
}

include!("generated/sums.rs");
include!("generated/debits.rs");
include!("generated/compares.rs");
include!("generated/scales.rs");
include!("generated/parts.rs");
include!("generated/half_squares.rs");
include!("generated/covers.rs");
include!("generated/tiny_sums.rs");
include!("generated/tiny_debits.rs");
include!("generated/groups.rs");
