//! Fixed-point numbers of any width with directed rounding: certified enclosures of exponentials.
//!
//! Every lower end is rounded down and every upper end up, so an [`Interval`] contains the real
//! number it represents, whatever its width. A wider format only makes the interval narrower.

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
mod tests;
