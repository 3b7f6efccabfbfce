//! Enclosures against big integers.

use num_bigint::BigInt;

use super::*;

/// Numbers of every pattern that carries, borrows and rounding care about.
fn samples(limbs: usize) -> Vec<Fixed> {
    let words = [
        0,
        1,
        2,
        1 << 63,
        u64::MAX - 1,
        u64::MAX,
        0x9e37_79b9_7f4a_7c15,
    ];
    let mut entropy = Entropy::public([61; 32]);
    let mut pick = || words[(entropy.half_word() % 7) as usize];
    (0..60)
        .map(|i| {
            let mut out: Vec<_> = (0..=limbs).map(|_| pick()).collect();
            // Small integer parts, so that sums and products fit.
            out[limbs] = [0, 1, 0, 5, 1 << 31][i % 5];
            Fixed(out)
        })
        .collect()
}

fn one(limbs: usize) -> BigInt {
    BigInt::from(1) << (64 * limbs)
}

#[test]
fn arithmetic_agrees_with_big_integers() {
    for limbs in 1..4 {
        let samples = samples(limbs);
        for a in &samples {
            let big = a.to_big();
            assert_eq!(a.clone().above().to_big(), &big + 1);
            assert_eq!(a.limbs(), limbs);
            assert_eq!(a.one().to_big(), one(limbs));
            assert_eq!(a.doubled(3).to_big(), &big << 3);
            for divisor in [1, 2, 3, 1 << 40, u64::MAX] {
                assert_eq!(a.clone().over(divisor).to_big(), &big / divisor);
            }
            if big >= one(limbs) {
                assert_eq!(a.reciprocal().to_big(), (one(limbs) << (64 * limbs)) / &big);
            }
            for wider in limbs..limbs + 3 {
                let resized = a.clone().resized(wider);
                assert_eq!(resized.limbs(), wider);
                assert_eq!(resized.to_big(), &big << (64 * (wider - limbs)));
                assert_eq!(resized.resized(limbs), *a);
            }
            for narrower in 1..=limbs {
                let resized = a.clone().resized(narrower);
                assert_eq!(resized.limbs(), narrower);
                assert_eq!(resized.to_big(), &big >> (64 * (limbs - narrower)));
            }
            let whole = u128::from(a.0[limbs] > 0) << 64;
            assert_eq!(a.leading(), whole + u128::from(a.0[limbs - 1]));
            let tail = &big % (one(limbs) >> 64_u32);
            assert_eq!(a.is_short(), tail == BigInt::from(0));
            for b in &samples {
                let other = b.to_big();
                assert_eq!(a.plus(b).to_big(), &big + &other);
                let difference = BigInt::max(&big - &other, BigInt::from(0));
                assert_eq!(a.minus(b).to_big(), difference);
                assert_eq!(a.times(b).to_big(), (&big * &other) >> (64 * limbs));
                assert_eq!(a.cmp(b), big.cmp(&other));
                assert_eq!(a.partial_cmp(b), Some(big.cmp(&other)));
            }
        }
    }
}

#[test]
fn constructors_agree_with_big_integers() {
    for limbs in 1..4 {
        assert_eq!(Fixed::integer(7, limbs).to_big(), one(limbs) * 7);
        assert_eq!(Fixed::units(7, limbs).to_big(), BigInt::from(7));
        for (num, den) in [
            (0, 1),
            (1, 3),
            (2, 3),
            (22, 7),
            (u64::MAX as u128, 1),
            (1, u128::MAX),
            (u128::MAX - 1, u128::MAX),
            (1 << 127, u128::MAX),
            ((1 << 127) + 1, (1 << 127) + 3),
        ] {
            let exact = (BigInt::from(num) << (64 * limbs)) / BigInt::from(den);
            assert_eq!(Fixed::ratio(num, den, limbs).to_big(), exact, "{num}/{den}");
        }
        let fraction = Fixed::fraction(&[3, 5][..limbs.min(2)], limbs);
        let digits = if limbs == 1 { 3 } else { (3_u128 << 64) + 5 };
        let rest = 64 * limbs.saturating_sub(2);
        assert_eq!(fraction.to_big(), BigInt::from(digits) << rest);
    }
}

fn point(value: Fixed) -> Interval {
    Interval {
        lo: value.clone(),
        hi: value,
    }
}

/// Intervals of exact ends: the lower is the exact result rounded down, the upper above it.
#[test]
fn intervals_are_rounded_outwards_by_one_unit() {
    for limbs in 1..4 {
        let samples = samples(limbs);
        for a in &samples {
            let x = point(a.clone());
            let ends = |x: &Interval| (x.lo.to_big(), x.hi.to_big());
            let beyond = |lo: BigInt| (lo.clone(), lo + 1);
            let third = a.to_big() / 3;
            assert_eq!(ends(&x.clone().over(3)), beyond(third));
            let complement = BigInt::max(one(limbs) - a.to_big(), BigInt::from(0));
            assert_eq!(ends(&x.complement()), (complement.clone(), complement));
            if a.to_big() >= one(limbs) {
                let inverse = (one(limbs) << (64 * limbs)) / a.to_big();
                assert_eq!(ends(&x.reciprocal()), beyond(inverse));
            }
            let capped = BigInt::min(a.to_big(), one(limbs));
            assert_eq!(ends(&x.clone().at_most_one()), (a.to_big(), capped));
            assert_eq!(
                ends(&x.clone().resized(1)),
                beyond(a.to_big() >> (64 * (limbs - 1)))
            );
            for b in samples.iter().take(10) {
                let y = point(b.clone());
                let sum = a.to_big() + b.to_big();
                assert_eq!(ends(&x.plus(&y)), (sum.clone(), sum));
                let product = (a.to_big() * b.to_big()) >> (64 * limbs);
                assert_eq!(ends(&x.times(&y)), beyond(product));
            }
        }
    }
}

/// x/(1 − y) from above, by less than a factor of 2.
#[test]
fn geometric_sums_are_bounded() {
    for limbs in 1..4 {
        let x = point(Fixed::units(5, limbs));
        for bit in 1..64 * limbs as u32 {
            // 1 − y = 2^−bit, then a little more and a little less.
            let rest = one(limbs) >> bit;
            for step in [-1, 0, 1] {
                let rest = &rest + step;
                if rest <= BigInt::from(0) {
                    continue;
                }
                let y = Fixed::from_big(&(one(limbs) - &rest), limbs);
                let sum = x.geometric_sum(&point(y)).unwrap().to_big();
                let exact = (BigInt::from(5) << (64 * limbs)) / &rest;
                assert!(
                    exact <= sum && sum < 2 * (exact + 1),
                    "{limbs} {bit} {step}"
                );
            }
        }
        assert_eq!(
            x.geometric_sum(&Interval::integer(0, limbs)),
            Some(Fixed::units(5, limbs))
        );
        assert_eq!(x.geometric_sum(&Interval::integer(1, limbs)), None);
    }
}

impl Fixed {
    fn from_big(value: &BigInt, limbs: usize) -> Self {
        let digits = value.to_u64_digits().1;
        let mut out = Self::integer(0, limbs);
        out.0[..digits.len()].copy_from_slice(&digits);
        out
    }
}

/// Beyond 64·limbs nothing is left of the exponential but the last unit; before, there is.
#[test]
fn exponentials_end_with_the_format() {
    for limbs in 1..4 {
        let end = 64 * limbs as u128;
        for num in [end, end + 1, 1000 * end] {
            let e = exp_neg(num, 1, limbs);
            assert_eq!((e.lo.to_big(), e.hi.to_big()), (0.into(), 1.into()));
        }
        // exp(−44·limbs) is above 2^−64·limbs.
        assert!(exp_neg(44 * limbs as u128, 1, limbs).lo.to_big() > BigInt::from(0));
    }
    let one = exp_neg(0, 1, 2);
    assert_eq!(one.hi, Fixed::integer(1, 2));
}

#[test]
fn a_prefix_is_on_a_side_once_all_that_begin_with_it_are() {
    let p = |lo: [u64; 3], hi: [u64; 3]| Interval {
        lo: Fixed(lo.to_vec()),
        hi: Fixed(hi.to_vec()),
    };
    // From 7.0 to 7.5 in units of the first word.
    let p = p([0, 7, 0], [1 << 63, 7, 0]);
    assert_eq!(side(&[6], &p), Some(true));
    assert_eq!(side(&[7], &p), None);
    assert_eq!(side(&[8], &p), Some(false));
    assert_eq!(side(&[6, u64::MAX], &p), Some(true));
    assert_eq!(side(&[7, 0], &p), None);
    assert_eq!(side(&[7, (1 << 63) - 1], &p), None);
    assert_eq!(side(&[7, 1 << 63], &p), Some(false));
}

#[test]
fn undecided_numbers_get_more_words() {
    // p is 1/2, known to one unit of whatever width is asked for.
    let half = |limbs| {
        let lo = Fixed::integer(1, limbs).over(2);
        Interval {
            hi: lo.clone().above(),
            lo,
        }
    };
    let decide = |first: u64, second: u32| {
        let entropy = &mut Entropy::scripted(&[0, second], 0);
        decide_below(entropy, vec![first], half)
    };
    assert!(decide((1 << 63) - 1, 0));
    assert!(!decide((1 << 63) + 1, 0));
    assert!(!decide(1 << 63, 1));
}
