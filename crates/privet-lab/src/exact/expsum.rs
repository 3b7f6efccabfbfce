//! Sums of rational multiples of exponentials of rationals, whose sign is decidable.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A rational number of any size.
pub type Rational = Ratio<BigInt>;

/// A sign that is undecided after this many bits stays undecided.
const MOST_BITS: u64 = 4096;

/// Σ cᵢ·e^{xᵢ} with rational cᵢ and distinct rational xᵢ.
///
/// By the Lindemann–Weierstrass theorem such a sum is zero only if every cᵢ is, so its sign can be
/// decided: cancel like terms, and if any is left, enclose the sum ever more closely.
///
/// ```
/// use privet_lab::exact::ExpSum;
///
/// // e^{1/2}·e^{1/2} − e = 0 exactly; e^{1/2} − 1.6487 is just above.
/// let root = ExpSum::exp(1, 2);
/// assert_eq!((root.clone() * root.clone() - ExpSum::exp(1, 1)).sign(), Some(0));
/// assert_eq!((root - ExpSum::ratio(16_487, 10_000)).sign(), Some(1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpSum(BTreeMap<Rational, Rational>);

impl ExpSum {
    /// The rational `value`.
    #[must_use]
    pub fn rational(value: Rational) -> Self {
        Self::term(value, Rational::zero())
    }

    /// `num`/`den`; 0 where `den` is 0.
    #[must_use]
    pub fn ratio(num: i64, den: i64) -> Self {
        Self::rational(ratio(num, den))
    }

    /// e^{`num`/`den`}; 1 where `den` is 0.
    #[must_use]
    pub fn exp(num: i64, den: i64) -> Self {
        Self::term(Rational::one(), ratio(num, den))
    }

    /// `factor`·e^`exponent`.
    #[must_use]
    pub fn term(factor: Rational, exponent: Rational) -> Self {
        let mut terms = BTreeMap::new();
        if !factor.is_zero() {
            terms.insert(exponent, factor);
        }
        ExpSum(terms)
    }

    /// −1, 0 or 1; `None` if 4096 bits do not decide it.
    #[must_use]
    pub fn sign(&self) -> Option<i8> {
        let (Some(largest), Some(first)) = (self.0.keys().next_back(), self.0.values().next())
        else {
            return Some(0);
        };
        // If all terms have the same sign, that decides it.
        if self
            .0
            .values()
            .all(|c| c.is_positive() == first.is_positive())
        {
            return Some(if first.is_positive() { 1 } else { -1 });
        }
        let largest = largest.clone();
        let mut bits = 128;
        while bits <= MOST_BITS {
            let (low, high) = self.enclose(&largest, bits)?;
            if low.is_positive() {
                return Some(1);
            }
            if high.is_negative() {
                return Some(-1);
            }
            bits *= 2;
        }
        None
    }

    /// How it compares with another sum.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        (self.clone() - other.clone())
            .sign()
            .map(|sign| sign.cmp(&0))
    }

    /// The largest exponent, 0 for the empty sum.
    pub(super) fn largest(&self) -> Rational {
        self.0.keys().next_back().cloned().unwrap_or_default()
    }

    /// Integers around e^{−shift}·self·2^bits; `None` if an exponent is too large.
    pub(super) fn enclose(&self, shift: &Rational, bits: u64) -> Option<(BigInt, BigInt)> {
        let mut low = BigInt::zero();
        let mut high = BigInt::zero();
        for (exponent, factor) in &self.0 {
            let (a, b) = exp(&(exponent - shift), bits)?;
            let (num, den) = (factor.numer(), factor.denom());
            let (a, b) = if factor.is_negative() { (b, a) } else { (a, b) };
            low += floor_div(&(a * num), den);
            high += ceil_div(&(b * num), den);
        }
        Some((low, high))
    }
}

impl std::ops::Add for ExpSum {
    type Output = ExpSum;
    fn add(mut self, other: ExpSum) -> ExpSum {
        for (exponent, factor) in other.0 {
            add_term(&mut self.0, exponent, factor);
        }
        self
    }
}

impl std::ops::Sub for ExpSum {
    type Output = ExpSum;
    fn sub(mut self, other: ExpSum) -> ExpSum {
        for (exponent, factor) in other.0 {
            add_term(&mut self.0, exponent, -factor);
        }
        self
    }
}

impl std::ops::Mul for ExpSum {
    type Output = ExpSum;
    fn mul(self, other: ExpSum) -> ExpSum {
        let mut product = BTreeMap::new();
        for (x, a) in &self.0 {
            for (y, b) in &other.0 {
                add_term(&mut product, x + y, a * b);
            }
        }
        ExpSum(product)
    }
}

fn add_term(terms: &mut BTreeMap<Rational, Rational>, exponent: Rational, factor: Rational) {
    let sum = terms.remove(&exponent).unwrap_or_default() + factor;
    if !sum.is_zero() {
        terms.insert(exponent, sum);
    }
}

/// `num`/`den`; 0 where `den` is 0.
pub(crate) fn ratio(num: i64, den: i64) -> Rational {
    if den == 0 {
        Rational::zero()
    } else {
        Rational::new(num.into(), den.into())
    }
}

/// About `value`, for display.
pub(super) fn float(value: &Rational) -> f64 {
    let part = |n: &BigInt| n.to_f64().unwrap_or(f64::NAN);
    part(value.numer()) / part(value.denom())
}

pub(super) fn floor_div(a: &BigInt, b: &BigInt) -> BigInt {
    let quotient = a / b;
    if (&quotient * b) != *a && (a.is_negative() != b.is_negative()) {
        quotient - 1
    } else {
        quotient
    }
}

pub(super) fn ceil_div(a: &BigInt, b: &BigInt) -> BigInt {
    -floor_div(&-a, b)
}

/// Integers around e^x·2^bits; `None` from x = 8192 on.
///
/// Taylor's series at |x|/2^k ≤ 2^−8, squared k times, each step rounded outwards; for negative x
/// the reciprocal.
pub(super) fn exp(x: &Rational, bits: u64) -> Option<(BigInt, BigInt)> {
    let size = x.abs().ceil().to_integer().bits();
    if size > 13 {
        // e^−8192 < 2^−11818, below any precision in use.
        return x.is_negative().then(|| (BigInt::zero(), BigInt::one()));
    }
    let halvings = size + 8;
    let work = bits + halvings + 64;
    let one = BigInt::one() << work;
    let y = x.abs() / Rational::from_integer(BigInt::one() << halvings);
    let y_low = floor_div(&(y.numer() * &one), y.denom());
    let y_high = &y_low + 1;
    let (mut low, mut high) = (one.clone(), one.clone());
    let (mut term_low, mut term_high) = (one.clone(), one.clone());
    let mut n = 1u32;
    loop {
        term_low = ((term_low * &y_low) >> work) / n;
        term_high = ((term_high * &y_high) >> work) / n + 2;
        low += &term_low;
        high += &term_high;
        // The rounding alone keeps the upper term at 2 or 3; the rest of the series is below it.
        if term_high <= BigInt::from(4) {
            high += 8;
            break;
        }
        n += 1;
    }
    for _ in 0..halvings {
        low = (&low * &low) >> work;
        high = ((&high * &high) >> work) + 1;
    }
    if x.is_negative() {
        let square = BigInt::one() << (2 * work);
        (low, high) = (floor_div(&square, &high), ceil_div(&square, &low));
    }
    let drop = work - bits;
    Some((low >> drop, (high >> drop) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(num: i64, den: i64) {
        let (low, high) = exp(&ratio(num, den), 200).unwrap();
        assert!(low < high);
        let value = |n: &BigInt| n.to_f64().unwrap() / 2f64.powi(200);
        let expected = (num as f64 / den as f64).exp();
        assert!((value(&low) / expected - 1.0).abs() < 1e-14, "{num}/{den}");
        let width = (high - low).bits();
        assert!(
            width < 8 + (expected.log2().max(0.0) as u64),
            "{num}/{den}: {width} bits"
        );
    }

    #[test]
    fn exponentials_are_enclosed_closely() {
        for (num, den) in [
            (0, 1),
            (1, 1),
            (-1, 1),
            (1, 3),
            (-7, 2),
            (30, 1),
            (-60, 1),
            (1, 1000),
        ] {
            close(num, den);
        }
    }

    #[test]
    fn e_to_forty_digits() {
        let (low, high) = exp(&ratio(1, 1), 160).unwrap();
        let digits: BigInt = "27182818284590452353602874713526624977572".parse().unwrap();
        let unit = BigInt::from(10).pow(40);
        let scaled = (&digits << 160u32) / &unit;
        let next = ((digits + 1) << 160u32) / unit;
        assert!(scaled <= high && low <= next);
    }

    #[test]
    fn signs_near_zero_are_found() {
        // e is between two neighbouring fractions of 30 digits.
        let unit = Rational::from_integer(BigInt::from(10).pow(30));
        let below =
            Rational::from_integer("2718281828459045235360287471352".parse().unwrap()) / &unit;
        let above =
            Rational::from_integer("2718281828459045235360287471353".parse().unwrap()) / &unit;
        assert_eq!(
            (ExpSum::exp(1, 1) - ExpSum::rational(below)).sign(),
            Some(1)
        );
        assert_eq!(
            (ExpSum::exp(1, 1) - ExpSum::rational(above)).sign(),
            Some(-1)
        );
        assert_eq!(ExpSum::default().sign(), Some(0));
    }
}
