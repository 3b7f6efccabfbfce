//! Discrete Gaussian noise in a time that does not depend on the noise.
//!
//! The certified table is read from end to end instead of being searched. The sample is the number of
//! thresholds that lie below the number drawn. Large deviations take the wide method. How often a
//! candidate is rejected there is independent of the value that is accepted in the end, and all
//! candidates take the same operations, so the time reveals nothing about the value.

use std::sync::Arc;

use crate::noise::bulk::cached;
use crate::noise::entropy::Entropy;
use crate::noise::fixed::{decide_below, exp_neg};
use crate::noise::gaussian::GaussianVariance;
use crate::noise::magnitude::Magnitude;
use crate::noise::table::Table;
use crate::noise::wide::{SLACK, SMALL_HIGH, WideGaussian, gaussian_high};

/// How the values of one variance are drawn.
pub(in crate::noise) enum Gaussian {
    /// By a table of the magnitudes.
    Small(Arc<Table>),
    /// By a table of the high part: 64 to 128 deviations wide, so at most 1,224 entries.
    Wide(WideGaussian),
}

impl Gaussian {
    /// `None` if a threshold could not be certified.
    pub(in crate::noise) fn new(variance: GaussianVariance) -> Option<Self> {
        match gaussian_high(variance) {
            None => cached(Magnitude::Gaussian(variance)).map(Gaussian::Small),
            Some((law, shift)) => {
                let high = cached(law)?;
                Some(Gaussian::Wide(WideGaussian::new(high, variance, shift)))
            }
        }
    }

    /// One value. What does not fit is reduced modulo 2^128.
    pub(in crate::noise) fn sample(&self, entropy: &mut Entropy) -> i128 {
        match self {
            Gaussian::Small(table) => {
                // EXACT: sign and prefix are independent; at 0 the sign changes nothing.
                let word = entropy.word();
                let magnitude = table.sample_in_constant_time(entropy, word >> 1);
                with_sign(magnitude.into(), word & 1)
            }
            Gaussian::Wide(wide) => loop {
                if let Some(value) = candidate(wide, entropy) {
                    break value;
                }
            },
        }
    }
}

/// EXACT: as [`WideGaussian::fill`], with 63 bits for the high part and 64 for the acceptance.
fn candidate(wide: &WideGaussian, entropy: &mut Entropy) -> Option<i128> {
    let word = entropy.word();
    let (prefix, sign) = (word >> 1, word & 1);
    let low = entropy.word() & ((1 << wide.shift) - 1);
    let coin = entropy.word();
    let high = wide.high.sample_in_constant_time(entropy, prefix);
    let accepted = accepts(wide, entropy, coin, high, low);
    let magnitude = (u128::from(high) << wide.shift).wrapping_add(low.into());
    let is_minus_zero = (magnitude == 0) & (sign == 1);
    (accepted & !is_minus_zero).then_some(with_sign(magnitude, sign))
}

/// Whether a candidate is accepted, by a number that begins with the 64 bits of `coin`.
///
/// The exceptions from constant time are a high part beyond the table, and a coin too close to the
/// threshold to decide, of probability 2^−48.
fn accepts(wide: &WideGaussian, entropy: &mut Entropy, coin: u64, high: u64, low: u64) -> bool {
    if high >= SMALL_HIGH {
        return wide.accept_far(entropy, high, low);
    }
    let threshold = exp_neg_word(wide.exponent(high, low));
    // EXACT: a coin further from what was computed is on the same side of exp(−x) itself.
    if coin.abs_diff(threshold) <= 2 * SLACK {
        let (num, den) = wide.fraction(high, low);
        return decide_below(entropy, vec![coin], |limbs| exp_neg(num, den, limbs));
    }
    coin < threshold
}

/// Negates `magnitude` if `sign` is 1, modulo 2^128.
fn with_sign(magnitude: u128, sign: u64) -> i128 {
    let mask = i128::from(sign).wrapping_neg();
    (magnitude as i128 ^ mask).wrapping_sub(mask)
}

/// Terms of the series: for x ≤ 0.51 the first that is left out is below 2^−69.
const TERMS: usize = 17;

/// ⌊2^64/k⌋.
const RECIPROCALS: [u128; TERMS + 1] = {
    let mut reciprocals = [0; TERMS + 1];
    let mut k = 1;
    while k <= TERMS {
        reciprocals[k] = (1 << 64) / k as u128;
        k += 1;
    }
    reciprocals
};

/// 2^64·exp(−x), less than 2·[`SLACK`] off, where 2^64·x is within [`SLACK`] of `exponent` and x is
/// at most 0.51.
///
/// EXACT: 1 − x·(1 − x/2·(1 − x/3·…)). In each step x/k is less than 2 units too small, the product
/// is rounded down by less than 1, and 1 is taken as 2^64 − 1; the error of the step before
/// counts at most 0.51 times. That makes less than 10 units in the end; x itself may be off by [`SLACK`],
/// and so may exp(−x), whose slope is at most 1.
fn exp_neg_word(exponent: u64) -> u64 {
    let mut sum = u64::MAX;
    for k in (1..=TERMS).rev() {
        // There is no division, because its time depends on its operands.
        let part = (u128::from(exponent) * RECIPROCALS[k]) >> 64;
        // `part` is at most `exponent`, so the product stays below 2^128.
        sum = u64::MAX - ((part * u128::from(sum)) >> 64) as u64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_as_close_as_claimed() {
        let mut entropy = Entropy::public([71; 32]);
        // Up to 0.51.
        let most = (1 << 63) + (1 << 57);
        let edges = [0, 1, 2, SLACK, 1 << 32, 1 << 62, (1 << 63) - 1, most];
        let random = (0..2_000).map(|_| entropy.word() % most);
        for x in edges.into_iter().chain(random.collect::<Vec<_>>()) {
            let exact = exp_neg(x.into(), 1 << 64, 3);
            let (lo, hi) = (exact.lo.leading(), exact.hi.leading());
            let word = u128::from(exp_neg_word(x));
            assert!(word + 10 >= hi && word <= lo + 10, "{x}: {word} {lo} {hi}");
        }
    }

    /// Coins that do not decide are common here, since all are made to be close.
    #[test]
    fn a_close_coin_is_decided_exactly() {
        let variance = GaussianVariance::new(1 << 40, 1).unwrap();
        let (law, shift) = gaussian_high(variance).unwrap();
        let wide = WideGaussian::new(cached(law).unwrap(), variance, shift);
        let (high, low) = (300, (1 << shift) - 5);
        let (num, den) = wide.fraction(high, low);
        let threshold = exp_neg(num, den, 2).lo.leading() as u64;
        for distance in [1, 2, 100, SLACK, 2 * SLACK, 3 * SLACK, 1 << 40] {
            let accept = |coin| accepts(&wide, &mut Entropy::public([1; 32]), coin, high, low);
            assert!(accept(threshold - distance));
            assert!(!accept(threshold + distance));
        }
        // The threshold's own word is shared out by the bits that follow.
        let share = exp_neg(num, den, 2).lo.fraction_after(64);
        let mut entropy = Entropy::public([2; 32]);
        let heads = (0..10_000)
            .filter(|_| accepts(&wide, &mut entropy, threshold, high, low))
            .count() as f64;
        let spread = (1e4 * share * (1.0 - share)).sqrt();
        assert!((heads - 1e4 * share).abs() <= 6.0 * spread);
    }

    fn scripted(words: &[u64]) -> Entropy {
        let halves: Vec<_> = words
            .iter()
            .flat_map(|&w| [w as u32, (w >> 32) as u32])
            .collect();
        Entropy::scripted(&halves, 0)
    }

    /// Which bits of which words become the sign, the prefix, the low digits and the coin.
    #[test]
    fn a_value_is_made_of_its_bits() {
        let idle = || Entropy::public([3; 32]);
        let variance = GaussianVariance::new(9, 1).unwrap();
        let table = cached(Magnitude::Gaussian(variance)).unwrap();
        let small = Gaussian::Small(Arc::clone(&table));
        for prefix in [0, 1, 1 << 40, 1 << 61, 1 << 62, (1 << 63) - (1 << 50)] {
            let magnitude = i128::from(table.sample_in_constant_time(&mut idle(), prefix));
            assert_eq!(small.sample(&mut scripted(&[prefix << 1])), magnitude);
            assert_eq!(small.sample(&mut scripted(&[prefix << 1 | 1])), -magnitude);
        }

        let variance = GaussianVariance::new(1 << 40, 1).unwrap();
        let (law, shift) = gaussian_high(variance).unwrap();
        let wide = WideGaussian::new(cached(law).unwrap(), variance, shift);
        for prefix in [0, 1, 1 << 40, 1 << 61, 1 << 62, (1 << 63) - (1 << 50)] {
            let high = i128::from(wide.high.sample_in_constant_time(&mut idle(), prefix));
            for low in [0, 1, 77, (1 << shift) - 1] {
                let magnitude = (high << shift) + i128::from(low);
                // The bits above the low digits are dropped.
                let word = low | u64::MAX << shift;
                let draw =
                    |sign, coin| candidate(&wide, &mut scripted(&[prefix << 1 | sign, word, coin]));
                assert_eq!(draw(0, 0), Some(magnitude));
                let negative = (magnitude != 0).then_some(-magnitude);
                assert_eq!(draw(1, 0), negative);
                // Only a candidate that is certain to be accepted passes the last coin of all.
                let last = (low == 0).then_some(magnitude);
                assert_eq!(draw(0, u64::MAX), last);
            }
        }
    }

    /// Far high parts have a coin of their own.
    #[test]
    fn far_candidates_are_accepted_as_they_should() {
        let variance = GaussianVariance::new(1 << 30, 3).unwrap();
        let (law, shift) = gaussian_high(variance).unwrap();
        let wide = WideGaussian::new(cached(law).unwrap(), variance, shift);
        let mut entropy = Entropy::public([4; 32]);
        for (high, low) in [(300, 200), (1 << 13, 222)] {
            let (num, den) = wide.fraction(high, low);
            let share = (-(num as f64) / den as f64).exp();
            let heads = (0..20_000)
                .filter(|_| {
                    let coin = entropy.word();
                    accepts(&wide, &mut entropy, coin, high, low)
                })
                .count() as f64;
            let spread = (2e4 * share * (1.0 - share)).sqrt();
            assert!((heads - 2e4 * share).abs() <= 6.0 * spread, "{high} {low}");
        }
    }

    #[test]
    fn tables_are_short() {
        for (num, den) in [
            (1, 3),
            (64 * 64 - 1, 1),
            (64 * 64, 1),
            (128 * 128 - 1, 1),
            ((1 << 112) - 1, 1),
        ] {
            let variance = GaussianVariance::new(num, den).unwrap();
            let law = gaussian_high(variance).map_or(Magnitude::Gaussian(variance), |(law, _)| law);
            assert!(law.entries() <= 1224, "{}", law.entries());
            assert!(Gaussian::new(variance).is_some());
        }
    }
}
