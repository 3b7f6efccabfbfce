//! Large scales: uniform low digits and a table for the high part.
//!
//! |X| = high·2^shift + low. Seen from the high part the distribution has a scale between 32 and
//! 128, so its table is small; the low part is close to uniform and is corrected by rejection.

use std::sync::Arc;

use super::bernoulli::exp_wide;
use super::entropy::Entropy;
use super::fixed::{Fixed, decide_below, exp_neg};
use super::gaussian::GaussianVariance;
use super::integer::U512;
use super::laplace::LaplaceScale;
use super::magnitude::{Magnitude, high_rate, high_variance_rate};
use super::table::Table;
use super::wipe;

/// The law of the high part, for scales from 32 on.
pub(super) fn laplace_high(scale: LaplaceScale) -> Option<(Magnitude, u32)> {
    // 2^shift ≤ scale/32, so that a low part is rejected with probability below 1/32.
    let shift = (scale.floor() / 32).checked_ilog2()?;
    Some((Magnitude::LaplaceHigh(scale, shift), shift))
}

/// The law of the high part, for deviations from 64 on.
pub(super) fn gaussian_high(variance: GaussianVariance) -> Option<(Magnitude, u32)> {
    let shift = (variance.deviation_floor() / 64).checked_ilog2()?;
    Some((Magnitude::GaussianHigh(variance, shift), shift))
}

/// Negates `magnitude` if `sign` is 1, modulo 2^64.
#[inline(always)]
pub(super) fn with_sign(magnitude: u64, sign: u64) -> i64 {
    let mask = (sign as i64).wrapping_neg();
    (magnitude as i64 ^ mask).wrapping_sub(mask)
}

/// Discrete Laplace of a large scale.
pub(super) struct WideLaplace {
    high: Arc<Table>,
    scale: LaplaceScale,
    shift: u32,
    /// At least 2^64 times the rate of the high part, and less than 1 more.
    rate: u64,
}

impl WideLaplace {
    /// `high` is the table of [`laplace_high`].
    pub(super) fn new(high: Arc<Table>, scale: LaplaceScale, shift: u32) -> Self {
        let rate = scaled_rate(high_rate(scale, shift), scale.num());
        WideLaplace {
            high,
            scale,
            shift,
            rate,
        }
    }

    /// Fills `out` with independent values, modulo 2^64.
    pub(super) fn fill(&self, entropy: &mut Entropy, out: &mut [i64]) {
        fill_with(entropy, self.shift, out, |entropy, bits| {
            self.candidate(entropy, bits)
        });
    }

    /// EXACT: exp(−|X|/scale) = exp(−high·2^shift/scale)·exp(−low/scale). The high part has its
    /// own table; the low part is uniform and accepted with its own factor; −0 is rejected.
    #[inline(always)]
    fn candidate(&self, entropy: &mut Entropy, bits: Bits) -> Option<i64> {
        let Bits {
            low, prefix, sign, ..
        } = bits;
        let exponent = self.exponent(low);
        let at_most = at_most(exponent);
        let exact = || self.fraction(low);
        let accepted = accept(entropy, bits.coin, at_most, || exponent, exact);
        let high = self.high.sample(entropy, prefix);
        signed(high, low, self.shift, sign).filter(|_| accepted)
    }

    /// About 2^64·low/scale: within [`SLACK`].
    #[inline(always)]
    fn exponent(&self, low: u64) -> u64 {
        // low < 2^shift, so this is below `rate` < 2^60.
        ((u128::from(low) * u128::from(self.rate)) >> self.shift) as u64
    }

    /// low/scale.
    fn fraction(&self, low: u64) -> (u128, u128) {
        // Both factors are below 2^64.
        (
            u128::from(low) * u128::from(self.scale.den()),
            self.scale.num(),
        )
    }
}

/// At least 2^32·x, where 2^64·x is within [`SLACK`] of `exponent`.
#[inline(always)]
fn at_most(exponent: u64) -> u64 {
    (exponent >> 32) + 2
}

/// Discrete Gaussian of a large deviation.
pub(super) struct WideGaussian {
    pub(super) high: Arc<Table>,
    variance: GaussianVariance,
    pub(super) shift: u32,
    /// At least 2^64 times 4^shift/(2σ²), and less than 1 more.
    rate: u64,
    /// Bits dropped from the exponent's numerator so that products fit.
    dropped: u32,
    /// At least 2^48 times 4^shift/(2σ²).
    coarse_rate: u64,
}

/// Beyond this high part (sixteen deviations and more) exponents are computed the slow way.
pub(super) const SMALL_HIGH: u64 = 1 << 11;

impl WideGaussian {
    /// `high` is the table of [`gaussian_high`].
    pub(super) fn new(high: Arc<Table>, variance: GaussianVariance, shift: u32) -> Self {
        let rate = scaled_rate(high_variance_rate(variance, shift), 2 * variance.num());
        let dropped = (2 * shift).saturating_sub(58);
        WideGaussian {
            high,
            variance,
            shift,
            rate,
            dropped,
            coarse_rate: (rate >> 16) + 1,
        }
    }

    /// Fills `out` with independent values, modulo 2^64.
    pub(super) fn fill(&self, entropy: &mut Entropy, out: &mut [i64]) {
        fill_with(entropy, self.shift, out, |entropy, bits| {
            self.candidate(entropy, bits)
        });
    }

    /// EXACT: with h = high·2^shift, exp(−(h + low)²/(2σ²)) is exp(−h²/(2σ²)), which the table
    /// has, times exp(−low·(2h + low)/(2σ²)), the probability of acceptance; −0 is rejected.
    #[inline(always)]
    fn candidate(&self, entropy: &mut Entropy, bits: Bits) -> Option<i64> {
        let Bits {
            low, prefix, sign, ..
        } = bits;
        let high = self.high.sample(entropy, prefix);
        let accepted = self.accepts(entropy, bits.coin, high, low);
        signed(high, low, self.shift, sign).filter(|_| accepted)
    }

    /// Whether a candidate is accepted, by a number that begins with the 32 bits of `coin`.
    #[inline(always)]
    fn accepts(&self, entropy: &mut Entropy, coin: u32, high: u64, low: u64) -> bool {
        if high < SMALL_HIGH {
            let at_most = self.at_most(high, low);
            let exponent = || self.exponent(high, low);
            let exact = || self.fraction(high, low);
            accept(entropy, coin, at_most, exponent, exact)
        } else {
            self.accept_far(entropy, high, low)
        }
    }

    /// low·(2h + low), for high < 2^11: below 2^shift·(2^12 + 1)·2^shift.
    #[inline(always)]
    fn product(&self, high: u64, low: u64) -> u128 {
        u128::from(low) * ((u128::from(high) << (self.shift + 1)) + u128::from(low))
    }

    /// At least 2^32·low·(2h + low)/(2σ²), for high < 2^11, in one machine word.
    #[inline(always)]
    fn at_most(&self, high: u64, low: u64) -> u64 {
        // low/2^shift in units of 2^−13, rounded up; at most 2^13. The shift is at most 50.
        let low = ((low << 13) >> self.shift) + 1;
        // 2h + low is below (2·high + 1)·2^shift, and 2·high + 1 below 2^12. The rate is at most
        // 2^35 + 1: a product below 2^61, in units of 2^−(13 + 48).
        ((low * (2 * high + 1) * self.coarse_rate) >> 29) + 1
    }

    /// About 2^64·low·(2h + low)/(2σ²): within [`SLACK`], for high < 2^11.
    #[inline(always)]
    pub(super) fn exponent(&self, high: u64, low: u64) -> u64 {
        // The shifted product is below 2^(58 + 13) and `rate` at most 2^51 + 1, since
        // 2^shift ≤ σ/64. The quotient is below (2^12 + 1)·(2^51 + 1) < 2^64.
        let kept = 2 * self.shift - self.dropped;
        let product = self.product(high, low) >> self.dropped;
        ((product * u128::from(self.rate)) >> kept) as u64
    }

    /// low·(2h + low)/(2σ²), for high < 2^11.
    pub(super) fn fraction(&self, high: u64, low: u64) -> (u128, u128) {
        // 4^shift·den ≤ num/2^12, so the numerator is at most 2·num.
        let num = self.product(high, low) * u128::from(self.variance.den());
        (num, 2 * self.variance.num())
    }

    /// The same coin for any high part, by Bernoulli factory instead of by enclosure.
    #[cold]
    #[inline(never)]
    pub(super) fn accept_far(&self, entropy: &mut Entropy, high: u64, low: u64) -> bool {
        // high < 2^64 and shift < 2^6: far below 512 bits.
        let sum = U512::from(u128::from(high))
            .times(2 << self.shift)
            .plus(u128::from(low).into());
        let num = sum.times_word(low).times_word(self.variance.den());
        exp_wide(entropy, num, (2 * self.variance.num()).into())
    }
}

/// An upper bound of 2^64·`num`/`den`, less than 1 too large; `num`/`den` < 1/2.
fn scaled_rate(num: u128, den: u128) -> u64 {
    Fixed::ratio(num, den, 1).leading() as u64 + 1
}

/// Distance between 2^64·x and its approximation in [`accept`], with room to spare.
///
/// Laplace: `rate` is less than 1 too large, which over low/2^shift < 1 stays below 1, and
/// rounding down the product takes less than 1. Gaussian: the dropped bits take at most
/// rate/2^58 < 1, rounding less than 1, and the excess of `rate` counts product/4^shift < 2^13
/// times.
pub(super) const SLACK: u64 = 1 << 14;

/// The independent uniform bits that a candidate starts with.
#[derive(Clone, Copy)]
struct Bits {
    /// The low digits: below 2^shift.
    low: u64,
    /// 31 bits that begin the number by which the high part is looked up.
    prefix: u32,
    /// 0 or 1.
    sign: u32,
    /// 32 bits that begin the number by which the candidate is accepted.
    coin: u32,
}

/// Candidates whose bits are drawn at once, and kept on the stack.
const CANDIDATES: usize = 256;

/// Fills `out` with accepted candidates.
///
/// EXACT: candidates are independent, since each takes bits that no other one sees, and as many
/// are tried at a time as there are values missing, so none is dropped because of its value.
#[inline(always)]
fn fill_with(
    entropy: &mut Entropy,
    shift: u32,
    out: &mut [i64],
    candidate: impl Fn(&mut Entropy, Bits) -> Option<i64>,
) {
    let mask = (1 << shift) - 1;
    if shift <= 32 {
        fill_chunks(entropy, out, |entropy, [low, table, coin]| {
            candidate(entropy, Bits::new(u64::from(low) & mask, table, coin))
        });
    } else {
        // shift ≤ 51: scales and deviations are below 2^56.
        fill_chunks(entropy, out, |entropy, [low, more, table, coin]| {
            let low = u64::from(low) | u64::from(more) << 32;
            candidate(entropy, Bits::new(low & mask, table, coin))
        });
    }
}

#[inline(always)]
fn fill_chunks<const WORDS: usize>(
    entropy: &mut Entropy,
    out: &mut [i64],
    candidate: impl Fn(&mut Entropy, [u32; WORDS]) -> Option<i64>,
) {
    let mut words = [[0; WORDS]; CANDIDATES];
    let mut done = 0;
    while done < out.len() {
        let words = &mut words[..CANDIDATES.min(out.len() - done)];
        entropy.fill(words.as_flattened_mut());
        for &mut words in words {
            // A rejected value is overwritten by the next one. There is no branch here, since
            // processors would mispredict it.
            let value = candidate(entropy, words);
            out[done] = value.unwrap_or(0);
            done += usize::from(value.is_some());
        }
    }
    wipe(words[..CANDIDATES.min(out.len())].as_flattened_mut());
}

impl Bits {
    #[inline(always)]
    fn new(low: u64, table: u32, coin: u32) -> Self {
        Bits {
            low,
            prefix: table >> 1,
            sign: table & 1,
            coin,
        }
    }
}

/// ±(high·2^shift + low) modulo 2^64; none for −0.
#[inline(always)]
fn signed(high: u64, low: u64, shift: u32, sign: u32) -> Option<i64> {
    let magnitude = (high << shift).wrapping_add(low);
    let is_minus_zero = (high == 0) & (low == 0) & (sign == 1);
    (!is_minus_zero).then_some(with_sign(magnitude, sign.into()))
}

/// Whether a coin of probability exp(−x) shows heads, where 2^32·x is at most `at_most`, 2^64·x is
/// within [`SLACK`] of `exponent`, and `exact` computes x as a fraction.
///
/// EXACT: a uniform number that begins with the bits of `coin` is compared with exp(−x): first
/// with 1 − x ≤ exp(−x), then with two and three more terms of the series, then with enclosures
/// that narrow until it is decided.
#[inline(always)]
fn accept(
    entropy: &mut Entropy,
    coin: u32,
    at_most: u64,
    exponent: impl Fn() -> u64,
    exact: impl Fn() -> (u128, u128),
) -> bool {
    // In units of 2^−32 the number is below coin + 1, and x is at most `at_most`.
    if u64::from(coin) + 1 + at_most <= 1 << 32 {
        return true;
    }
    let word = u64::from(coin) << 32 | u64::from(entropy.half_word());
    accept_close(entropy, word, exponent(), exact)
}

#[cold]
#[inline(never)]
fn accept_close(
    entropy: &mut Entropy,
    word: u64,
    exponent: u64,
    exact: impl Fn() -> (u128, u128),
) -> bool {
    if exponent < 1 << 63 {
        let (lower, upper) = series_bounds(exponent);
        if u128::from(word) < lower {
            return true;
        }
        if u128::from(word) >= upper {
            return false;
        }
    }
    let (num, den) = exact();
    decide_below(entropy, vec![word], |limbs| exp_neg(num, den, limbs))
}

/// Bounds of 2^64·exp(−x), where 2^64·x is within [`SLACK`] of `exponent` < 2^63.
///
/// EXACT: 1 − x + x²/2 − x³/6 ≤ exp(−x) ≤ 1 − x + x²/2 for x in [0, 1]; the left side decreases in
/// x, and so does the right. All in units of 2^−64; x's upper bound is below 1 here.
fn series_bounds(exponent: u64) -> (u128, u128) {
    let one = 1_u128 << 64;
    let most = u128::from(exponent + SLACK);
    let least = u128::from(exponent.saturating_sub(SLACK));
    let square = (most * most) >> 64;
    let cube = (((square + 1) * most) >> 64) + 1;
    let lower = one - most + (square >> 1) - (cube / 6 + 1);
    let upper = one - least + ((least * least) >> 65) + 1;
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::bernoulli::below;
    use num_bigint::BigUint;

    /// Whether 2^64·num/den is within [`SLACK`] of `exponent`.
    fn is_close(exponent: u64, (num, den): (u128, u128)) -> bool {
        let exact = (BigUint::from(num) << 64) / den;
        let slack = BigUint::from(SLACK);
        let exponent = BigUint::from(exponent);
        // `exact` is rounded down, hence the strict comparison.
        exact < &exponent + &slack && exponent <= exact + slack
    }

    fn check_gaussian(wide: &WideGaussian, high: u64, low: u64) {
        let (num, den) = wide.fraction(high, low);
        assert!(is_close(wide.exponent(high, low), (num, den)));
        let at_most = wide.at_most(high, low);
        let exact = BigUint::from(num) << 32;
        assert!(BigUint::from(at_most) * den >= exact, "{high} {low}");
        // Close enough that the fast test decides nearly always: within 2^−11 + x/high.
        let most = (exact / den) * (high + 1) / high.max(1) + (1_u64 << 21);
        assert!(BigUint::from(at_most) <= most, "{high} {low}");
    }

    #[test]
    fn exponents_are_as_close_as_claimed() {
        let mut entropy = Entropy::public([61; 32]);
        for bits in 12..56 {
            let scale = LaplaceScale::new(((1 << bits) - 1) << 5 | 3, 37).unwrap();
            let (law, shift) = laplace_high(scale).unwrap();
            let wide =
                WideLaplace::new(Arc::new(Table::with_entries(law, 1).unwrap()), scale, shift);
            for low in
                (0..500)
                    .map(|_| below(&mut entropy, 1 << shift))
                    .chain([0, 1, (1 << shift) - 1])
            {
                let (num, den) = wide.fraction(low);
                assert!(is_close(wide.exponent(low), (num, den)));
                let exact = BigUint::from(num) << 32;
                let bound = BigUint::from(at_most(wide.exponent(low)));
                assert!(&bound * den >= exact, "{low}");
                assert!(bound <= exact / den + 2_u32, "{low}");
            }
        }
        for bits in (14..112).chain([126]) {
            let den = if bits == 126 { (1 << 40) - 1 } else { 37 };
            // One rate that is short in binary, and one that is not.
            for num in [(1 << bits) * 2 - 1, (1 << bits) / 3 * 5 + 1] {
                let variance = GaussianVariance::new(num, den).unwrap();
                let Some((law, shift)) = gaussian_high(variance) else {
                    continue;
                };
                let table = Arc::new(Table::with_entries(law, 1).unwrap());
                let wide = WideGaussian::new(table, variance, shift);
                for _ in 0..300 {
                    let (high, low) = (
                        below(&mut entropy, SMALL_HIGH),
                        below(&mut entropy, 1 << shift),
                    );
                    check_gaussian(&wide, high, low);
                }
                for high in [0, 1, SMALL_HIGH - 1] {
                    for low in [0, 1, (1 << shift) - 1] {
                        check_gaussian(&wide, high, low);
                    }
                }
            }
        }
    }

    /// Where 2^32·x is the bound itself, a number just below 1 − x is decided without another bit, and
    /// 1 − x is not.
    #[test]
    fn the_first_comparison_is_exact() {
        for x in 1..4_u64 {
            let coin = u32::MAX - x as u32;
            let toss = |coin: u32, rest| {
                let mut entropy = Entropy::scripted(&[rest, 7, 7], 0);
                let exact = || (x.into(), 1 << 32);
                let accepted = accept(&mut entropy, coin, x, || x << 32, exact);
                (accepted, entropy.half_word() == rest)
            };
            assert_eq!(toss(coin, u32::MAX), (true, true));
            assert_eq!(toss(coin + 1, 0), (true, false));
            assert_eq!(toss(coin + 1, u32::MAX), (false, false));
        }
    }

    /// What the series decides is not computed exactly, and what it does not decide is.
    #[test]
    fn the_series_decides_up_to_its_bounds() {
        let toss = |word: u128, exponent: u64| {
            let asked = std::cell::Cell::new(false);
            let exact = || {
                asked.set(true);
                (exponent.into(), 1 << 64)
            };
            let entropy = &mut Entropy::public([64; 32]);
            let accepted = accept_close(entropy, word.try_into().unwrap(), exponent, exact);
            (accepted, asked.get())
        };
        for exponent in [1 << 40, 1 << 62, (1 << 63) - 1] {
            let (lower, upper) = series_bounds(exponent);
            assert_eq!(toss(0, exponent), (true, false));
            assert_eq!(toss(lower - 1, exponent), (true, false));
            assert_eq!(toss(lower, exponent), (true, true));
            assert_eq!(toss(upper - 1, exponent), (false, true));
            assert_eq!(toss(upper, exponent), (false, false));
        }
        for exponent in [1 << 63, u64::MAX] {
            assert_eq!(toss(0, exponent), (true, true));
            assert_eq!(toss(u64::MAX.into(), exponent), (false, true));
        }
    }

    #[test]
    fn rates_are_rounded_up() {
        assert_eq!(scaled_rate(1, 3), 6_148_914_691_236_517_206);
        assert_eq!(scaled_rate(1, 1 << 40), (1 << 24) + 1);
    }

    /// On the right side of both ends of what is allowed, and no further than the terms left out.
    #[test]
    fn the_series_bounds_the_exponential_and_closely() {
        let mut entropy = Entropy::public([63; 32]);
        for round in 0..3000 {
            let exponent = entropy.word() >> (1 + round % 63);
            let (lower, upper) = series_bounds(exponent);
            let most = u128::from(exponent + SLACK);
            let least = u128::from(exponent.saturating_sub(SLACK));
            let p = exp_neg(most, 1 << 64, 2);
            assert!(p.lo.to_big() >> 64_u32 >= lower.into(), "{exponent}");
            let fourth = (((((most * most) >> 64) * most) >> 64) * most) >> 64;
            let low = lower + fourth / 24 + 5;
            assert!(p.lo.to_big() >> 64_u32 <= low.into(), "{exponent}");
            let p = exp_neg(least, 1 << 64, 2);
            assert!((p.hi.to_big() >> 64_u32) < upper.into(), "{exponent}");
            let third = (((least * least) >> 64) * least) >> 64;
            assert!(
                (p.hi.to_big() >> 64_u32) + third / 6 + 3 >= upper.into(),
                "{exponent}"
            );
        }
    }

    /// The words next to exp(−x)·2^64 are on their sides, and that word itself is shared out.
    #[test]
    fn acceptance_is_exact_at_the_threshold() {
        for (num, den) in [
            (1, 3),
            (1, 32),
            (1, 1000),
            (1, 1 << 40),
            (1, 1 << 66),
            (12_345, 1 << 20),
        ] {
            let x = (BigUint::from(num) << 64) / den;
            let exponent = u64::try_from(x).unwrap();
            let p = exp_neg(num, den, 2);
            let threshold = p.lo.leading() as u64;
            assert_eq!(u128::from(threshold), p.hi.leading());
            let toss = |exponent: u64, word: u64, seed| {
                let (coin, rest) = ((word >> 32) as u32, word as u32);
                let entropy = &mut Entropy::scripted(&[rest], seed);
                accept(entropy, coin, at_most(exponent), || exponent, || (num, den))
            };
            // Every approximation that is allowed must do, the worst ones included.
            for exponent in [
                exponent.saturating_sub(SLACK - 1),
                exponent,
                exponent + SLACK - 1,
            ] {
                for step in [1, 2, 3, 100, SLACK, 3 * SLACK] {
                    assert!(toss(exponent, threshold - step, 0));
                    let above = threshold.checked_add(step);
                    assert!(above.is_none_or(|word| !toss(exponent, word, 0)));
                }
            }
            let share = p.lo.fraction_after(64);
            let heads = (0..2000)
                .filter(|&seed| toss(exponent, threshold, seed))
                .count() as f64;
            let spread = (2000.0 * share * (1.0 - share)).sqrt();
            assert!(
                (heads - 2000.0 * share).abs() <= 6.0 * spread,
                "{num}/{den}"
            );
        }
    }

    /// The slow coin for far high parts agrees with the fast one where both apply.
    #[test]
    fn far_acceptance_agrees_with_near() {
        let variance = GaussianVariance::new(1 << 30, 3).unwrap();
        let (law, shift) = gaussian_high(variance).unwrap();
        let wide = WideGaussian::new(
            Arc::new(Table::with_entries(law, 1).unwrap()),
            variance,
            shift,
        );
        let mut entropy = Entropy::public([62; 32]);
        let mut check = |high, low, coin: &dyn Fn(&mut Entropy) -> bool| {
            let (num, den) = wide.fraction(high, low);
            let share = (-(num as f64) / den as f64).exp();
            let heads = (0..100_000).filter(|_| coin(&mut entropy)).count() as f64;
            let spread = (1e5 * share * (1.0 - share)).sqrt();
            assert!((heads - 1e5 * share).abs() <= 6.0 * spread, "{high} {low}");
        };
        let coin = |high, low| {
            let wide = &wide;
            move |e: &mut Entropy| {
                let coin = e.half_word();
                wide.accepts(e, coin, high, low)
            }
        };
        check(300, 200, &|e| wide.accept_far(e, 300, 200));
        check(300, 200, &coin(300, 200));
        // Beyond what the fast coin can do: the exponent would not fit its word.
        check(1 << 13, 222, &coin(1 << 13, 222));
    }
}
