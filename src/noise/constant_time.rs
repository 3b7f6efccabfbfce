//! Discrete Laplace noise in a time that does not depend on the noise.
//!
//! The bits of a geometric variable G are independent, since r^G is a product over the bits of G:
//! bit i is set with probability e/(1 + e), where e = exp(−2^i/scale). The difference of two such
//! variables is discrete Laplace, with nothing to reject. So every value takes the same draws and
//! the same comparisons, and there is no table lookup.

mod gaussian;

use std::sync::Arc;

use super::cache::Cache;
use super::entropy::Entropy;
use super::fixed::{Interval, decide_below, exp_neg};
use super::laplace::{LaplaceScale, geometric};
use super::wipe;
pub(super) use gaussian::Gaussian;

/// Values computed side by side.
const LANES: usize = 256;

static COINS: Cache<LaplaceScale, Coins> = Cache::new();

/// The probabilities of the bits of a geometric variable, and of its having any higher ones.
struct Coins {
    scale: LaplaceScale,
    /// ⌊P(bit i)·2^64⌋.
    bits: Vec<u64>,
    /// ⌊P(any higher bit)·2^64⌋, which is 0 except in tests.
    higher: u64,
}

/// Fills `out` with discrete Laplace variables, modulo 2^64.
pub(super) fn fill(entropy: &mut Entropy, scale: LaplaceScale, out: &mut [i64]) {
    let coins = coins(scale);
    let (mut plus, mut minus) = ([0; LANES], [0; LANES]);
    let used = out.len().min(LANES);
    for out in out.chunks_mut(LANES) {
        let (plus, minus) = (&mut plus[..out.len()], &mut minus[..out.len()]);
        coins.geometric(entropy, plus);
        coins.geometric(entropy, minus);
        for ((out, &mut plus), &mut minus) in out.iter_mut().zip(plus).zip(minus) {
            *out = plus.wrapping_sub(minus) as i64;
        }
    }
    wipe(&mut plus[..used]);
    wipe(&mut minus[..used]);
}

/// One discrete Laplace variable, modulo 2^128.
pub(super) fn laplace(entropy: &mut Entropy, scale: LaplaceScale) -> i128 {
    let coins = coins(scale);
    let mut geometric = || coins.geometric_u128(entropy) as i128;
    geometric().wrapping_sub(geometric())
}

fn coins(scale: LaplaceScale) -> Arc<Coins> {
    COINS
        .get_or_build(scale, |scale| Some(Coins::new(scale)))
        .expect("coins can be computed for every scale")
}

impl Coins {
    fn new(scale: LaplaceScale) -> Self {
        // The first power of 2 that is reached with probability below 2^−64.
        let is_rare = |&i: &usize| higher(scale, i, 2).hi.leading() == 0;
        Self::with_bits(
            scale,
            (0..).find(is_rare).expect("exp(−2^i/scale) tends to 0"),
        )
    }

    fn with_bits(scale: LaplaceScale, count: usize) -> Self {
        let bits = (0..count).map(|i| first_word(|limbs| bit(scale, i, limbs)));
        let higher = first_word(|limbs| higher(scale, count, limbs));
        Coins {
            scale,
            bits: bits.collect(),
            higher,
        }
    }

    /// Fills `out`, at most [`LANES`] long, with independent geometric variables, modulo 2^64.
    fn geometric(&self, entropy: &mut Entropy, out: &mut [u64]) {
        let mut set = [0; LANES];
        let set = &mut set[..out.len()];
        self.low_bits(entropy, out, set);
        if set.iter().fold(0, |any, &set| any | set) != 0 {
            for (out, _) in out.iter_mut().zip(set).filter(|(_, set)| **set != 0) {
                *out = out.wrapping_add(self.high_part(entropy) as u64);
            }
        }
    }

    /// One geometric variable, modulo 2^128.
    fn geometric_u128(&self, entropy: &mut Entropy) -> u128 {
        let (mut low, mut set) = ([0], [0]);
        self.low_bits(entropy, &mut low, &mut set);
        let high = if set[0] == 0 {
            0
        } else {
            self.high_part(entropy)
        };
        u128::from(low[0]).wrapping_add(high)
    }

    /// Fills `out` with the bits below 2^n of geometric variables, and `set` with whether there are
    /// any higher ones.
    ///
    /// EXACT: what is left, ⌊G/2^n⌋, is also geometric, and is independent of the bits. Its P(not 0) is
    /// that of one more coin.
    fn low_bits(&self, entropy: &mut Entropy, out: &mut [u64], set: &mut [u32]) {
        out.fill(0);
        for (i, &threshold) in self.bits.iter().enumerate() {
            toss(entropy, set, threshold, |limbs| bit(self.scale, i, limbs));
            for (out, &mut set) in out.iter_mut().zip(&mut *set) {
                *out |= u64::from(set) << i;
            }
        }
        let n = self.bits.len();
        toss(entropy, set, self.higher, |limbs| {
            higher(self.scale, n, limbs)
        });
    }

    /// A high part that is known not to be 0, times 2^n. The high part is 1 more than a geometric variable.
    #[cold]
    fn high_part(&self, entropy: &mut Entropy) -> u128 {
        let n = self.bits.len();
        let beyond = geometric(entropy, self.scale) >> n;
        beyond.wrapping_add(1) << n
    }
}

/// exp(−2^i/scale), the probability that a geometric variable is 2^i or more.
fn higher(scale: LaplaceScale, i: usize, limbs: usize) -> Interval {
    // den < 2^32, and i is at most 62 for scales below 2^56.
    exp_neg(u128::from(scale.den()) << i, scale.num(), limbs)
}

/// The probability that bit i of a geometric variable is set.
fn bit(scale: LaplaceScale, i: usize, limbs: usize) -> Interval {
    let e = higher(scale, i, limbs + 1);
    let one = Interval::integer(1, limbs + 1);
    e.times(&one.plus(&e).reciprocal()).resized(limbs)
}

/// ⌊p·2^64⌋. These p are irrational, so some width tells them from every 64-bit fraction.
fn first_word(p: impl Fn(usize) -> Interval) -> u64 {
    let certain = |p: Interval| {
        let (lo, hi) = (p.lo.leading(), p.hi.leading());
        (lo == hi).then_some(lo as u64)
    };
    (2..)
        .find_map(|limbs| certain(p(limbs)))
        .expect("enclosures narrow")
}

/// Tosses one coin per lane, of probability p with ⌊p·2^64⌋ = `threshold`: 1 for heads.
///
/// EXACT: 32 bits of a uniform number decide unless they equal those of p. One lane in doubt gets
/// 32 more bits; these are drawn and used in any case, so that doubt takes no time. Only a second
/// lane in doubt or a second tie, of probability below 2^−48 per toss of 256 lanes, takes the slow
/// path.
fn toss(entropy: &mut Entropy, set: &mut [u32], threshold: u64, p: impl Fn(usize) -> Interval) {
    let (top, bottom) = ((threshold >> 32) as u32, threshold as u32);
    let mut words = [0; LANES];
    let words = &mut words[..set.len()];
    entropy.fill(words);
    let (mut ties, mut lanes) = (0, 0);
    for (lane, (set, &mut word)) in (0_u32..).zip(set.iter_mut().zip(&mut *words)) {
        *set = u32::from(word < top);
        let tie = u32::from(word == top);
        ties += tie;
        lanes += tie * lane;
    }
    let more = entropy.half_word();
    let single = u32::from(ties == 1);
    // With one tie, `lanes` is its lane; otherwise lane 0 is left as it is.
    set[(single * lanes) as usize] |= single & u32::from(more < bottom);
    if ties > 1 {
        settle(entropy, set, words, top, p);
    } else if ties == 1 && more == bottom {
        set[lanes as usize] = u32::from(decide_below(entropy, vec![threshold], p));
    }
    wipe(words);
}

/// Decides several lanes in doubt, with as many bits as it takes.
///
/// EXACT: `more` was not used for any of them, and did not matter for getting here.
#[cold]
#[inline(never)]
fn settle(
    entropy: &mut Entropy,
    set: &mut [u32],
    words: &[u32],
    top: u32,
    p: impl Fn(usize) -> Interval,
) {
    for (set, _) in set.iter_mut().zip(words).filter(|(_, word)| **word == top) {
        let prefix = u64::from(top) << 32 | u64::from(entropy.half_word());
        *set = u32::from(decide_below(entropy, vec![prefix], &p));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin() -> (u64, impl Fn(usize) -> Interval) {
        let p = |limbs| bit(LaplaceScale::new(3, 1).unwrap(), 0, limbs);
        (first_word(p), p)
    }

    fn assert_share(heads: u32, total: u32, p: f64) {
        let expected = p * f64::from(total);
        let spread = (expected * (1.0 - p)).sqrt();
        assert!(
            (f64::from(heads) - expected).abs() <= 6.0 * spread,
            "{heads}, not {expected}"
        );
    }

    #[test]
    fn one_lane_in_doubt_gets_its_rest() {
        let (threshold, p) = coin();
        let top = (threshold >> 32) as u32;
        let share = f64::from(threshold as u32) / 2_f64.powi(32);
        let mut heads = 0;
        for seed in 0..10_000_u32 {
            let mut set = [0; 3];
            let entropy = &mut Entropy::scripted(&[0, top, u32::MAX], seed);
            toss(entropy, &mut set, threshold, &p);
            assert_eq!((set[0], set[2]), (1, 0));
            heads += set[1];
        }
        assert_share(heads, 10_000, share);
    }

    #[test]
    fn several_lanes_in_doubt_get_their_own_rests() {
        let (threshold, p) = coin();
        let top = (threshold >> 32) as u32;
        let share = f64::from(threshold as u32) / 2_f64.powi(32);
        let mut heads = [0; 3];
        let mut both = 0;
        for seed in 0..10_000 {
            let mut set = [0; 5];
            let entropy = &mut Entropy::scripted(&[top, 0, top, u32::MAX, top], seed);
            toss(entropy, &mut set, threshold, &p);
            assert_eq!((set[1], set[3]), (1, 0));
            heads = [heads[0] + set[0], heads[1] + set[2], heads[2] + set[4]];
            both += set[0] & set[4];
        }
        for heads in heads {
            assert_share(heads, 10_000, share);
        }
        assert_share(both, 10_000, share * share);
    }

    /// Lanes in doubt, and the bits that follow, each next to those of p. This covers every decision.
    #[test]
    fn lanes_in_doubt_are_decided_by_the_bits_that_follow() {
        let (threshold, p) = coin();
        let (top, bottom) = ((threshold >> 32) as u32, threshold as u32);
        let second = u64::try_from((p(3).lo.to_big() >> 64_u32) % (1_u128 << 64)).unwrap();
        let halves = |word: u64| [word as u32, (word >> 32) as u32];
        let [low, high] = halves(second - 1);
        let [more_low, more_high] = halves(second + 1);
        let tossed = |script: &[u32]| {
            let mut set = [7; 5];
            let lanes = script.iter().position(|&w| w == 1).unwrap();
            let mut words = script.to_vec();
            words.remove(lanes);
            words.push(0x6d61_726b);
            let mut entropy = Entropy::scripted(&words, 0);
            toss(&mut entropy, &mut set[..lanes], threshold, &p);
            assert_eq!(entropy.half_word(), 0x6d61_726b, "{script:?}");
            set[..lanes].to_vec()
        };
        // The lanes, then a 1 that is taken out, then the bits that follow.
        assert_eq!(tossed(&[0, u32::MAX, 1, 0]), [1, 0]);
        assert_eq!(tossed(&[top - 1, top + 1, 1, u32::MAX]), [1, 0]);
        assert_eq!(tossed(&[0, top, u32::MAX, 1, bottom - 1]), [1, 1, 0]);
        assert_eq!(tossed(&[0, top, u32::MAX, 1, bottom + 1]), [1, 0, 0]);
        assert_eq!(tossed(&[0, top, 1, bottom, low, high]), [1, 1]);
        assert_eq!(tossed(&[0, top, 1, bottom, more_low, more_high]), [1, 0]);
        assert_eq!(
            tossed(&[top, 0, top, u32::MAX, 1, bottom, bottom - 1, bottom + 1]),
            [1, 1, 0, 0]
        );
        assert_eq!(
            tossed(&[
                top, top, 1, 0, bottom, low, high, bottom, more_low, more_high
            ]),
            [1, 0]
        );
    }

    #[test]
    fn a_second_tie_gets_its_rest() {
        let (threshold, p) = coin();
        let share = p(2).lo.fraction_after(64);
        let mut heads = 0;
        for seed in 0..10_000 {
            let mut set = [0; 1];
            let words = [(threshold >> 32) as u32, threshold as u32];
            toss(
                &mut Entropy::scripted(&words, seed),
                &mut set,
                threshold,
                &p,
            );
            heads += set[0];
        }
        assert_share(heads, 10_000, share);
    }

    /// With few bits, the high part is common enough to be counted.
    #[test]
    fn the_high_part_is_geometric_again() {
        let scale = LaplaceScale::new(7, 2).unwrap();
        for bits in 0..4 {
            let coins = Coins::with_bits(scale, bits);
            let mut entropy = Entropy::public([51; 32]);
            let mut out = [0; 200];
            let (mut counts, mut single) = ([0; 16], [0; 16]);
            for _ in 0..1000 {
                coins.geometric(&mut entropy, &mut out);
                for &g in out.iter().filter(|&&g| g < 16) {
                    counts[g as usize] += 1;
                }
            }
            for _ in 0..20_000 {
                let g = coins.geometric_u128(&mut entropy);
                if g < 16 {
                    single[g as usize] += 1;
                }
            }
            let r = (-2.0_f64 / 7.0).exp();
            for g in 0..16 {
                let p = (1.0 - r) * r.powi(g as i32);
                assert_share(counts[g], 200_000, p);
                assert_share(single[g], 20_000, p);
            }
        }
    }

    #[test]
    fn there_are_enough_bits_and_no_more() {
        for (num, den, bits) in [
            (1, 1, 6),
            (10, 1, 9),
            (1 << 20, 1, 26),
            ((1 << 56) - 1, 1, 62),
        ] {
            let coins = Coins::new(LaplaceScale::new(num, den).unwrap());
            assert_eq!((coins.bits.len(), coins.higher), (bits, 0));
        }
    }
}
