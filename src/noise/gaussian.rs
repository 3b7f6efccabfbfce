//! The discrete Gaussian distribution, one value at a time.

use super::bernoulli::{exp_u128, exp_wide};
use super::entropy::Entropy;
use super::integer::U512;
use super::laplace::{geometric_u64, signed};

/// The variance parameter σ² = `num`/`den` of a discrete Gaussian: P(k) ∝ exp(−k²·den/(2·num)).
///
/// The parameter is σ² because that is rational, as in ρ = S/(2σ²); σ rarely is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GaussianVariance {
    num: u128,
    den: u64,
}

impl GaussianVariance {
    /// The variance parameter `num`/`den`, in lowest terms; `None` unless 1 ≤ `num` < 2^127 and
    /// 1 ≤ `den` < 2^40.
    #[must_use]
    pub const fn new(num: u128, den: u64) -> Option<Self> {
        if num == 0 || num >> 127 != 0 || den == 0 || den >> 40 != 0 {
            return None;
        }
        let common = crate::number::gcd(num, den as u128);
        // The divisor of `den` is at most `den`, so the cast keeps its value.
        Some(GaussianVariance {
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

    /// σ, rounded down. EXACT: ⌊√(num/den)⌋ = ⌊√⌊num/den⌋⌋, since squares are integers.
    pub(crate) const fn deviation_floor(self) -> u64 {
        // The root of a number below 2^127 is below 2^64 − 1.
        (self.num / self.den as u128).isqrt() as u64
    }
}

/// A discrete Gaussian variable, modulo 2^128 (see the [module docs](super) on ranges).
///
/// EXACT: Canonne, Kamath and Steinke 2020, Algorithm 3. A discrete Laplace proposal y of scale
/// t = ⌊σ⌋ + 1 is accepted with probability exp(−(|y| − σ²/t)²/(2σ²)); the product of the two is
/// exp(−y²/(2σ²)) times a constant. Over a common denominator the exponent is a²/b with
/// a = |y|·t·den − num and b = 2·num·den·t².
pub(super) fn gaussian(entropy: &mut Entropy, variance: GaussianVariance) -> i128 {
    let GaussianVariance { num, den } = variance;
    let t = variance.deviation_floor() + 1;
    let square = u128::from(t) * u128::from(t);
    let b = (2 * num)
        .checked_mul(u128::from(den))
        .and_then(|b| b.checked_mul(square));
    loop {
        let magnitude = geometric_u64(entropy, t, 1);
        let negative = entropy.half_word() & 1 == 1;
        if magnitude == 0 && negative {
            continue;
        }
        let accepted = match b.zip(square_u128(magnitude, t, variance)) {
            Some((b, a_squared)) => exp_u128(entropy, a_squared, b),
            None => accept_wide(entropy, magnitude, t, variance),
        };
        if accepted {
            return signed(magnitude, negative);
        }
    }
}

/// a², where every product on the way to it fits.
#[inline(always)]
fn square_u128(magnitude: u128, t: u64, variance: GaussianVariance) -> Option<u128> {
    let scaled = magnitude
        .checked_mul(u128::from(t))?
        .checked_mul(u128::from(variance.den))?;
    let a = scaled.abs_diff(variance.num);
    a.checked_mul(a)
}

/// EXACT: with magnitude < 2^128 (all that `geometric_u64` can return), t < 2^64, den < 2^40 and
/// num < 2^127, a < 2^232 and a² < 2^464, b < 2^296: all within 512 bits, and b within the 384
/// that `exp_wide` asks for.
fn accept_wide(entropy: &mut Entropy, magnitude: u128, t: u64, variance: GaussianVariance) -> bool {
    let GaussianVariance { num, den } = variance;
    let a = U512::from(magnitude)
        .times_word(t)
        .times_word(den)
        .abs_diff(num.into());
    let b = U512::from(2 * num)
        .times_word(den)
        .times_word(t)
        .times_word(t);
    exp_wide(entropy, a.squared(), b)
}

impl core::fmt::Display for GaussianVariance {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::fraction(f, self.num(), self.den())
    }
}
