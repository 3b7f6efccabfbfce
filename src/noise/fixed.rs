//! Fixed-point numbers of any width with directed rounding: certified enclosures of exponentials.
//!
//! Every lower end is rounded down and every upper end up, so an [`Interval`] contains the real
//! number it stands for whatever its width; a wider format makes it narrower, never truer.

use std::cmp::Ordering;

use super::entropy::Entropy;
use super::integer::CarryingProduct;

/// A number in [0, 2^64): fraction limbs from the least significant, then one integer limb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fixed(Vec<u64>);

impl Fixed {
    pub(super) fn integer(value: u64, limbs: usize) -> Self {
        let mut out = vec![0; limbs + 1];
        out[limbs] = value;
        Fixed(out)
    }

    /// `count` units in the last place.
    pub(super) fn units(count: u64, limbs: usize) -> Self {
        let mut out = Self::integer(0, limbs);
        out.0[0] = count;
        out
    }

    /// ⌊`num`/`den`·2^(64·`limbs`)⌋; the quotient must be below 2^64.
    pub(super) fn ratio(num: u128, den: u128, limbs: usize) -> Self {
        let whole = u64::try_from(num / den).expect("the integer part fits a limb");
        let mut out = Self::integer(whole, limbs);
        let mut rest = num % den;
        for limb in out.0[..limbs].iter_mut().rev() {
            for _ in 0..64 {
                // `rest` < `den` may need a 129th bit once doubled; wrapping subtraction of `den`
                // then yields the true remainder, which is below `den` again.
                let carry = rest >> 127 == 1;
                rest <<= 1;
                let fits = carry || rest >= den;
                if fits {
                    rest = rest.wrapping_sub(den);
                }
                *limb = *limb << 1 | u64::from(fits);
            }
        }
        out
    }

    fn limbs(&self) -> usize {
        self.0.len() - 1
    }

    fn one(&self) -> Self {
        Self::integer(1, self.limbs())
    }

    /// The next larger number of this format.
    fn above(mut self) -> Self {
        for limb in &mut self.0 {
            let carry;
            (*limb, carry) = limb.overflowing_add(1);
            if !carry {
                return self;
            }
        }
        panic!("fixed-point number overflows");
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut carry = 0;
        let sum = self.0.iter().zip(&other.0).map(|(&a, &b)| {
            let sum = u128::from(a) + u128::from(b) + carry;
            carry = sum >> 64;
            sum as u64
        });
        let sum = Fixed(sum.collect());
        assert_eq!(carry, 0, "fixed-point sum overflows");
        sum
    }

    /// The difference, or 0 where it would be negative.
    fn minus(&self, other: &Self) -> Self {
        let mut borrow = false;
        let difference = self.0.iter().zip(&other.0).map(|(&a, &b)| {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            difference
        });
        let difference = Fixed(difference.collect());
        if borrow {
            Self::integer(0, self.limbs())
        } else {
            difference
        }
    }

    /// The product, rounded down.
    fn times(&self, other: &Self) -> Self {
        let len = self.0.len();
        let mut product = vec![0_u64; 2 * len];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.0.iter().enumerate() {
                let (low, high) = a.carrying_product(b, carry);
                let overflow;
                (product[i + j], overflow) = product[i + j].overflowing_add(low);
                // a·b + carry + product ≤ 2^128 − 1, so `high` has room for this carry.
                carry = high + u64::from(overflow);
            }
            product[i + len] = carry;
        }
        assert_eq!(product[2 * len - 1], 0, "fixed-point product overflows");
        product.truncate(2 * len - 1);
        Fixed(product.split_off(len - 1))
    }

    /// The quotient by a word, rounded down.
    fn over(mut self, divisor: u64) -> Self {
        let mut rest = 0;
        for limb in self.0.iter_mut().rev() {
            let part = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        self
    }

    /// 2^`bits` times the number.
    fn doubled(&self, bits: u32) -> Self {
        (0..bits).fold(self.clone(), |x, _| x.plus(&x))
    }

    /// 1/`self`, rounded down, for numbers from 1 up to 2^63.
    fn reciprocal(&self) -> Self {
        let limbs = self.limbs();
        assert!(
            self.0[limbs] > 0 && self.0[limbs] >> 63 == 0,
            "reciprocal out of range"
        );
        // Long division of 2^(128·limbs) by the scaled number, bit by bit. The first bits of the
        // quotient are 0 because the number is at least 1.
        let mut rest = Self::integer(1, limbs);
        let mut out = Self::integer(0, limbs);
        if rest == *self {
            return rest;
        }
        for bit in (0..64 * limbs).rev() {
            rest = rest.plus(&rest);
            if rest >= *self {
                rest = rest.minus(self);
                out.0[bit / 64] |= 1 << (bit % 64);
            }
        }
        out
    }

    /// The same number in another format, rounded down.
    fn resized(mut self, limbs: usize) -> Self {
        let old = self.limbs();
        if limbs < old {
            self.0.drain(..old - limbs);
        } else {
            self.0.splice(..0, std::iter::repeat_n(0, limbs - old));
        }
        self
    }

    /// The integer part, saturated to 0 or 1, and the first 64 bits of the fraction.
    pub(super) fn leading(&self) -> u128 {
        let limbs = self.limbs();
        u128::from(self.0[limbs].min(1)) << 64 | u128::from(self.0[limbs - 1])
    }

    /// Whether every bit after the first 64 of the fraction is 0.
    pub(super) fn is_short(&self) -> bool {
        self.0[..self.limbs() - 1].iter().all(|&limb| limb == 0)
    }

    /// The number 0.`words`, most significant word first.
    fn fraction(words: &[u64], limbs: usize) -> Self {
        let mut out = Self::integer(0, limbs);
        for (limb, &word) in out.0[..limbs].iter_mut().rev().zip(words) {
            *limb = word;
        }
        out
    }
}

impl Ord for Fixed {
    fn cmp(&self, other: &Self) -> Ordering {
        debug_assert_eq!(self.0.len(), other.0.len());
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Fixed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A lower and an upper bound of one non-negative real number.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub(super) lo: Fixed,
    pub(super) hi: Fixed,
}

impl Interval {
    pub(super) fn integer(value: u64, limbs: usize) -> Self {
        let point = Fixed::integer(value, limbs);
        Interval {
            lo: point.clone(),
            hi: point,
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Interval {
            lo: self.lo.plus(&other.lo),
            hi: self.hi.plus(&other.hi),
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Interval {
            lo: self.lo.times(&other.lo),
            hi: self.hi.times(&other.hi).above(),
        }
    }

    fn over(self, divisor: u64) -> Self {
        Interval {
            lo: self.lo.over(divisor),
            hi: self.hi.over(divisor).above(),
        }
    }

    /// 1 − x, for x known to be in [0, 1].
    pub(super) fn complement(&self) -> Self {
        let one = self.lo.one();
        Interval {
            lo: one.minus(&self.hi),
            hi: one.minus(&self.lo),
        }
    }

    /// 1/x, for x ≥ 1.
    pub(super) fn reciprocal(&self) -> Self {
        Interval {
            lo: self.hi.reciprocal(),
            hi: self.lo.reciprocal().above(),
        }
    }

    /// The same number, known to be at most 1.
    pub(super) fn at_most_one(mut self) -> Self {
        self.hi = self.hi.min(self.lo.one());
        self
    }

    pub(super) fn resized(self, limbs: usize) -> Self {
        Interval {
            lo: self.lo.resized(limbs),
            hi: self.hi.resized(limbs).above(),
        }
    }

    /// Σ x·y^i over i ≥ 0, from above, for y < 1; `None` if 1 − y cannot be told from 0.
    pub(super) fn geometric_sum(&self, ratio: &Self) -> Option<Fixed> {
        // x/(1 − y) ≤ x·2^j for the first j with 1 − y ≥ 2^−j.
        let rest = ratio.complement().lo;
        let top = rest.0.iter().rposition(|&limb| limb != 0)?;
        let behind = 64 * (rest.limbs() - top) as u32;
        Some(
            self.hi
                .doubled((behind + rest.0[top].leading_zeros()).saturating_sub(63)),
        )
    }
}

/// An enclosure of exp(−`num`/`den`) to about 64·`limbs` bits; `den` > 0.
pub(super) fn exp_neg(num: u128, den: u128, limbs: usize) -> Interval {
    let work = limbs + 1;
    // EXACT: beyond x = 64·limbs, 0 < exp(−x) < 2^−(64·limbs), the last unit of the format.
    if num / den >= 64 * limbs as u128 {
        let zero = Fixed::integer(0, limbs);
        return Interval {
            hi: zero.clone().above(),
            lo: zero,
        };
    }
    let lo = Fixed::ratio(num, den, work);
    let mut x = Interval {
        hi: lo.clone().above(),
        lo,
    };
    let half = Fixed::integer(1, work).over(2);
    let mut halvings = 0;
    while x.hi > half {
        x = x.over(2);
        halvings += 1;
    }
    let mut term = Interval::integer(1, work);
    let mut sums = [term.clone(), Interval::integer(0, work)];
    let negligible = Fixed::units(4, work);
    let mut k = 1;
    while term.hi > negligible {
        term = term.times(&x).over(k);
        let sum = &mut sums[(k & 1) as usize];
        *sum = sum.plus(&term);
        k += 1;
    }
    // EXACT: the series alternates and its terms decrease (x ≤ 1/2), so what was left out is at
    // most the last term that was added. Each square keeps the enclosure: squaring is monotone.
    let [even, odd] = sums;
    let mut out = Interval {
        lo: even.lo.minus(&odd.hi).minus(&term.hi),
        hi: even.hi.plus(&term.hi).minus(&odd.lo),
    }
    .at_most_one();
    for _ in 0..halvings {
        out = out.times(&out).at_most_one();
    }
    out.resized(limbs).at_most_one()
}

/// Whether a uniform number on [0, 1) whose first bits are `prefix` is below p.
///
/// EXACT: the answer is given only once all numbers that share the bits drawn so far are on the
/// same side of an enclosure of p. Until then bits are added and the enclosure, asked for with
/// that many limbs, narrows; there is no last width at which to guess. Every further word leaves
/// the question open with probability about 2^−64.
#[cold]
#[inline(never)]
pub(super) fn decide_below(
    entropy: &mut Entropy,
    mut prefix: Vec<u64>,
    enclosure: impl Fn(usize) -> Interval,
) -> bool {
    loop {
        let limbs = prefix.len() + 1;
        let p = enclosure(limbs);
        match side(&prefix, &p) {
            Some(below) => return below,
            None => prefix.push(entropy.word()),
        }
    }
}

/// `Some(true)` if all numbers that begin with `prefix` are below p, `Some(false)` if none is.
pub(super) fn side(prefix: &[u64], p: &Interval) -> Option<bool> {
    let limbs = p.lo.limbs();
    debug_assert!(limbs >= prefix.len());
    let first = Fixed::fraction(prefix, limbs);
    if first >= p.hi {
        return Some(false);
    }
    // One unit of the last drawn bit beyond `first`: no number with this prefix reaches it.
    let unit = limbs - prefix.len();
    let mut step = Fixed::integer(0, limbs);
    step.0[unit] = 1;
    (first.plus(&step) <= p.lo).then_some(true)
}

#[cfg(test)]
impl Fixed {
    /// The number in units of its last place.
    pub(super) fn to_big(&self) -> num_bigint::BigInt {
        self.0
            .iter()
            .rev()
            .fold(Default::default(), |high: num_bigint::BigInt, &limb| {
                (high << 64) + limb
            })
    }

    /// What follows the first `bits` ≤ 64 bits of the fraction, as a number in [0, 1).
    pub(super) fn fraction_after(&self, bits: u32) -> f64 {
        let limbs = self.limbs();
        let two = u128::from(self.0[limbs - 1]) << 64 | u128::from(self.0[limbs - 2]);
        (two << bits) as f64 / 2_f64.powi(128)
    }
}

#[cfg(test)]
mod tests {
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
}
