//! The discrete Laplace distribution, one value at a time.

use super::bernoulli::{below, below_u128, exp_one, exp_unit, exp_unit_u128};
use super::entropy::Entropy;
use super::integer::U512;

/// The scale `num`/`den` of a discrete Laplace distribution: P(k) ∝ exp(−|k|·den/num).
///
/// Noise of scale Δ/ε added to an integer answer of sensitivity Δ is ε-differentially private.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaplaceScale {
    num: u128,
    den: u64,
}

impl LaplaceScale {
    /// The scale `num`/`den`, in lowest terms; `None` unless 1 ≤ `num` < 2^96 and
    /// 1 ≤ `den` < 2^32.
    #[must_use]
    pub const fn new(num: u128, den: u64) -> Option<Self> {
        if num == 0 || num >> 96 != 0 || den == 0 || den >> 32 != 0 {
            return None;
        }
        let common = crate::number::gcd(num, den as u128);
        // The divisor of `den` is at most `den`, so the cast keeps its value.
        Some(LaplaceScale {
            num: num / common,
            den: den / common as u64,
        })
    }

    /// The numerator, in lowest terms.
    #[must_use]
    pub const fn num(self) -> u128 {
        self.num
    }

    /// The denominator, in lowest terms.
    #[must_use]
    pub const fn den(self) -> u64 {
        self.den
    }

    /// The scale, rounded down.
    pub(crate) const fn floor(self) -> u128 {
        self.num / self.den as u128
    }
}

/// A discrete Laplace variable, modulo 2^128 (see the [module docs](super) on ranges).
///
/// EXACT: sign and magnitude are proposed independently and −0 is rejected; otherwise 0 would
/// come out twice as often as it should. So every other k keeps probability ∝ r^|k|.
#[inline]
pub(super) fn laplace(entropy: &mut Entropy, scale: LaplaceScale) -> i128 {
    loop {
        let (magnitude, is_zero) = match u64::try_from(scale.num) {
            Ok(num) => {
                let magnitude = geometric_u64(entropy, num, scale.den);
                (magnitude, magnitude == 0)
            }
            Err(_) => {
                let magnitude = geometric_wide(entropy, scale.num, scale.den);
                (magnitude.low(), magnitude.is_zero())
            }
        };
        let negative = entropy.half_word() & 1 == 1;
        if !(is_zero && negative) {
            return signed(magnitude, negative);
        }
    }
}

#[inline]
pub(super) fn signed(magnitude: u128, negative: bool) -> i128 {
    let value = magnitude as i128;
    if negative {
        value.wrapping_neg()
    } else {
        value
    }
}

/// P(g) ∝ exp(−g·den/num) on 0, 1, 2, …, modulo 2^128.
///
/// EXACT: Canonne, Kamath and Steinke 2020, Algorithm 2. With n = num, a geometric variable of
/// ratio exp(−1/n) is low + n·periods, where the two are independent, P(low) ∝ exp(−low/n) on
/// 0..n (uniform, accepted with that probability) and periods is geometric of ratio 1/e. The
/// quotient by den, rounded down, merges den neighbours: ratio exp(−den/n).
#[inline]
pub(super) fn geometric(entropy: &mut Entropy, scale: LaplaceScale) -> u128 {
    match u64::try_from(scale.num) {
        Ok(num) => geometric_u64(entropy, num, scale.den),
        Err(_) => geometric_wide(entropy, scale.num, scale.den).low(),
    }
}

/// Like [`geometric`], but never reduced, since it is below 2^128.
#[inline]
pub(super) fn geometric_u64(entropy: &mut Entropy, num: u64, den: u64) -> u128 {
    let low = loop {
        let low = below(entropy, num);
        if exp_unit(entropy, low, num) {
            break low;
        }
    };
    let periods = periods(entropy);
    // EXACT: (2^64 − 1) + (2^64 − 1)² < 2^128, whatever the number of periods.
    let total = u128::from(low) + u128::from(num) * u128::from(periods);
    match u64::try_from(total) {
        Ok(total) => (total / den).into(),
        Err(_) => total / u128::from(den),
    }
}

/// Like [`geometric`], but never reduced, since it is below 2^160.
fn geometric_wide(entropy: &mut Entropy, num: u128, den: u64) -> U512 {
    let low = loop {
        let low = below_u128(entropy, num);
        if exp_unit_u128(entropy, low, num) {
            break low;
        }
    };
    let periods = periods(entropy);
    // EXACT: below 2^96·2^64, whatever the number of periods.
    U512::from(num)
        .times_word(periods)
        .plus(low.into())
        .over_word(den)
}

/// Geometric of ratio 1/e. Counting to 2^64 would take centuries, so the counter is wide enough.
#[inline(always)]
fn periods(entropy: &mut Entropy) -> u64 {
    let mut periods = 0;
    while exp_one(entropy) {
        periods += 1;
    }
    periods
}

impl core::fmt::Display for LaplaceScale {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::fraction(f, self.num(), self.den())
    }
}
