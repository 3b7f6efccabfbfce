//! 512-bit integers, for the few products that outgrow `u128`.

use std::cmp::Ordering;

const LIMBS: usize = 8;

/// An unsigned integer below 2^512, little-endian.
///
/// Every operation is checked and panics if the result does not fit. The bounds on
/// [`LaplaceScale`](super::LaplaceScale) and [`GaussianVariance`](super::GaussianVariance) rule
/// that out, as the comments on their samplers show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct U512([u64; LIMBS]);

impl U512 {
    pub(super) fn times_word(self, factor: u64) -> Self {
        let mut out = [0; LIMBS];
        let mut carry = 0;
        for (out, limb) in out.iter_mut().zip(self.0) {
            (*out, carry) = limb.carrying_product(factor, carry);
        }
        assert_eq!(carry, 0, "512-bit product overflows");
        U512(out)
    }

    pub(super) fn times(self, factor: u128) -> Self {
        let high = self.times_word((factor >> 64) as u64).shifted_word();
        self.times_word(factor as u64).plus(high)
    }

    pub(super) fn squared(self) -> Self {
        let mut out = U512([0; LIMBS]);
        for &limb in self.0.iter().rev() {
            // Horner in base 2^64: leading zeros stay zero, so `shifted_word` only ever panics
            // where the square itself is too large.
            out = out.shifted_word().plus(self.times_word(limb));
        }
        out
    }

    /// `self` · 2^64.
    pub(super) fn shifted_word(self) -> Self {
        assert_eq!(self.0[LIMBS - 1], 0, "512-bit shift overflows");
        let mut out = [0; LIMBS];
        out[1..].copy_from_slice(&self.0[..LIMBS - 1]);
        U512(out)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let mut out = [0; LIMBS];
        let mut carry = false;
        for (i, out) in out.iter_mut().enumerate() {
            let (sum, first) = self.0[i].overflowing_add(other.0[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*out, carry) = (sum, first | second);
        }
        assert!(!carry, "512-bit sum overflows");
        U512(out)
    }

    /// `self` − `other`, or `None` if that is negative.
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        let mut out = [0; LIMBS];
        let mut borrow = false;
        for (i, out) in out.iter_mut().enumerate() {
            let (difference, first) = self.0[i].overflowing_sub(other.0[i]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (*out, borrow) = (difference, first | second);
        }
        (!borrow).then_some(U512(out))
    }

    pub(super) fn abs_diff(self, other: Self) -> Self {
        match self.minus(other) {
            Some(difference) => difference,
            None => other.minus(self).expect("one of the two is the larger"),
        }
    }

    /// The quotient by a word, rounded down.
    pub(super) fn over_word(self, divisor: u64) -> Self {
        let mut out = [0; LIMBS];
        let mut rest = 0;
        for (out, limb) in out.iter_mut().zip(self.0).rev() {
            let part = u128::from(rest) << 64 | u128::from(limb);
            *out = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        U512(out)
    }

    pub(super) fn is_zero(self) -> bool {
        self.0 == [0; LIMBS]
    }

    /// The remainder modulo 2^128.
    pub(super) fn low(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }
}

impl From<u128> for U512 {
    fn from(value: u128) -> Self {
        let mut out = [0; LIMBS];
        (out[0], out[1]) = (value as u64, (value >> 64) as u64);
        U512(out)
    }
}

impl Ord for U512 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U512 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `carrying_mul` of the standard library, which is not stable yet.
pub(super) trait CarryingProduct: Sized {
    /// The low and the high word of `self` · `factor` + `carry`.
    fn carrying_product(self, factor: Self, carry: Self) -> (Self, Self);
}

impl CarryingProduct for u64 {
    #[inline(always)]
    fn carrying_product(self, factor: u64, carry: u64) -> (u64, u64) {
        // EXACT: (2^64 − 1)² + 2^64 − 1 < 2^128.
        let wide = u128::from(self) * u128::from(factor) + u128::from(carry);
        (wide as u64, (wide >> 64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn big(value: U512) -> BigUint {
        value
            .0
            .iter()
            .rev()
            .fold(BigUint::default(), |high, &limb| (high << 64) + limb)
    }

    #[test]
    fn arithmetic_agrees_with_big_integers() {
        let mut entropy = crate::noise::Entropy::public([11; 32]);
        for bits in 1..=127 {
            let mut draw =
                || (u128::from(entropy.word()) << 64 | u128::from(entropy.word())) >> (128 - bits);
            let (a, b, c) = (draw(), draw(), draw() as u64 | 1);
            let x = U512::from(a).times(b);
            assert_eq!(big(x), BigUint::from(a) * b);
            assert_eq!(big(x.squared()), big(x) * big(x));
            assert_eq!(big(x.times_word(c)), big(x) * c);
            assert_eq!(big(x.over_word(c)), big(x) / c);
            assert_eq!(big(x.plus(U512::from(b))), big(x) + b);
            assert_eq!(big(x.shifted_word()), big(x) << 64);
            assert_eq!(x.low(), a.wrapping_mul(b));
            let (p, q) = (U512::from(a), U512::from(b));
            assert_eq!(p.cmp(&q), a.cmp(&b));
            assert_eq!(p.minus(q).map(U512::low), a.checked_sub(b));
            assert_eq!(p.abs_diff(q).low(), a.abs_diff(b));
        }
    }

    #[test]
    #[should_panic(expected = "overflows")]
    fn overflow_panics() {
        U512::from(u128::MAX).squared().squared().times_word(2);
    }
}
