//! Every threshold of every kind of table, against big rationals.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::audit::{scale, variance};
use super::reference::{Rational, exp_neg, rational, scaled_floor};
use crate::noise::fixed;
use crate::noise::magnitude::Magnitude;
use crate::noise::table::Table;
use crate::noise::wide::{gaussian_high, laplace_high};
use crate::noise::{GaussianVariance, LaplaceScale};

const BITS: usize = 200;

/// Checks all thresholds against lower and upper bounds of the cumulative distribution.
fn assert_thresholds(law: Magnitude, bounds: impl IntoIterator<Item = (Rational, Rational)>) {
    let table = Table::new(law).unwrap();
    let mut checked = 0;
    for (g, (&c, (lo, hi))) in table.thresholds().iter().zip(bounds).enumerate() {
        // F < 1, so c + 1 = 2^63 is an upper bound like any other.
        let hi = hi.min(Rational::one());
        let certificate = [
            rational(c.into(), 1 << 63),
            rational(u128::from(c) + 1, 1 << 63),
        ];
        assert!(
            certificate[0] <= lo && hi <= certificate[1],
            "{law:?} at {g}"
        );
        checked += 1;
    }
    assert_eq!(checked, table.thresholds().len());
}

/// 1 − factor·r^(g+1), rounded at 2^−BITS steps.
fn complements(
    factor: (Rational, Rational),
    r: (Rational, Rational),
) -> impl Iterator<Item = (Rational, Rational)> {
    let mut power = factor;
    std::iter::repeat_with(move || {
        let unit = rational(1, 1) / (BigInt::one() << BITS);
        let floor = |x: Rational| Rational::new(scaled_floor(&x, BITS), BigInt::one() << BITS);
        power.0 = floor(&power.0 * &r.0);
        power.1 = floor(&power.1 * &r.1) + unit;
        (Rational::one() - &power.1, Rational::one() - &power.0)
    })
}

fn check_laplace(scale: LaplaceScale) {
    let r = exp_neg(&rational(scale.den().into(), scale.num()), BITS);
    let two = rational(2, 1);
    let factor = (
        &two / (Rational::one() + &r.1),
        &two / (Rational::one() + &r.0),
    );
    assert_thresholds(Magnitude::Laplace(scale), complements(factor, r));
}

fn check_laplace_high(scale: LaplaceScale) {
    let (law, shift) = laplace_high(scale).unwrap();
    let rate = rational(u128::from(scale.den()) << shift, scale.num());
    let one = (Rational::one(), Rational::one());
    assert_thresholds(law, complements(one, exp_neg(&rate, BITS)));
}

/// Each weight is its own exponential here, where `law` uses a recurrence.
fn check_gaussian(law: Magnitude, variance: GaussianVariance, shift: u32, sides: u32) {
    let rate = rational(
        u128::from(variance.den()) << (2 * shift),
        2 * variance.num(),
    );
    let mut sums = vec![(Rational::zero(), Rational::zero())];
    let last = rational(1, 1) / (BigInt::one() << 170_u32);
    for k in 0.. {
        let (lo, hi) = exp_neg(&(&rate * BigInt::from(k * k)), BITS);
        let sides = BigInt::from(if k == 0 { 1 } else { sides });
        let (sum_lo, sum_hi) = sums.last().unwrap();
        let sum = (sum_lo + lo * &sides, sum_hi + &hi * &sides);
        sums.push(sum);
        if hi < last {
            break;
        }
    }
    // The weights fall at least geometrically from here; 2^20 times the last is beyond their sum.
    let (total_lo, total_hi) = sums.last().unwrap().clone();
    let total_hi = total_hi + last * BigInt::from(1 << 20);
    let beyond = (&total_lo / &total_hi, Rational::one());
    let bounds = sums
        .iter()
        .skip(1)
        .map(|(lo, hi)| (lo / &total_hi, hi / &total_lo));
    let bounds = bounds.chain(std::iter::repeat(beyond));
    assert_thresholds(law, bounds);
}

#[test]
fn laplace_thresholds() {
    for (num, den) in [
        (1, 1),
        (1, 3),
        (7, 1000),
        (10, 1),
        (37, 11),
        (1003, 37),
        (64, 1),
        (355, 113),
        (100, 1),
    ] {
        check_laplace(scale(num, den));
    }
    check_laplace(scale(1000, 1));
    // The largest denominators.
    check_laplace(scale((1 << 40) + 15, (1 << 32) - 5));
}

#[test]
fn laplace_high_thresholds() {
    for (num, den) in [
        (1_000_003, 7),
        (1 << 20, 1),
        ((1 << 60) - 1, 1 << 10),
        (999_999, 1000),
    ] {
        check_laplace_high(scale(num, den));
    }
    check_laplace_high(scale((1 << 88) - 1, (1 << 32) - 1));
}

#[test]
fn gaussian_thresholds() {
    for (num, den) in [(1, 1), (1, 3), (1, 20), (100, 1), (1009, 37), (2500, 1)] {
        let variance = variance(num, den);
        check_gaussian(Magnitude::Gaussian(variance), variance, 0, 2);
    }
}

#[test]
fn gaussian_high_thresholds() {
    for (num, den) in [
        (1 << 40, 1),
        ((1 << 100) + 7, 1 << 5),
        ((1 << 127) - 1, (1 << 40) - 1),
    ] {
        let variance = variance(num, den);
        let (law, shift) = gaussian_high(variance).unwrap();
        check_gaussian(law, variance, shift, 1);
    }
}

#[test]
fn enclosures_contain_the_exponential_and_narrow() {
    let arguments = [
        (0, 1),
        (1, 1),
        (1, 3),
        (1, 1 << 96),
        (200, 1),
        (1_000_003, 70_001),
        (u128::MAX / 3, u128::MAX),
    ];
    for (num, den) in arguments {
        for limbs in 1..6 {
            let enclosure = fixed::exp_neg(num, den, limbs);
            let (lo, hi) = exp_neg(&rational(num, den), 64 * limbs + 64);
            let scaled =
                |x: &fixed::Fixed| rational(1, 1) * x.to_big() / (BigInt::one() << (64 * limbs));
            assert!(
                scaled(&enclosure.lo) <= hi && lo <= scaled(&enclosure.hi),
                "{num}/{den}"
            );
            let width = enclosure.hi.to_big() - enclosure.lo.to_big();
            assert!(width <= BigInt::from(3), "{num}/{den}: {width} units wide");
        }
    }
}
