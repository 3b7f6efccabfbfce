//! Exact coins and exact uniform numbers, without division and without rounding.

use super::entropy::Entropy;
use super::fixed::{decide_below, exp_neg};
use super::integer::U512;

/// ⌊2^64 / e⌋. The tests certify it against [`exp_neg`].
const INVERSE_E: u64 = 0x5e2d_58d8_b3bc_df1a;

/// Whether a coin of probability `num`/`den` shows heads; `num` ≤ `den`, `den` > 0.
///
/// EXACT: let U be uniform on [0, 1) and u its first 64 bits, so U = (u + V)/2^64 with V uniform
/// and not drawn yet. U < num/den says V·den < d with d = num·2^64 − u·den. If d ≤ 0 this is false
/// for every V, if d ≥ den true for every V; otherwise it is a coin of probability d/den. Each
/// round is undecided for at most one u, so the expected number of words is below 1 + 2^−63.
#[inline(always)]
pub(super) fn ratio(entropy: &mut Entropy, num: u64, den: u64) -> bool {
    debug_assert!(num <= den && den > 0);
    let den = u128::from(den);
    let mut num = num;
    loop {
        // Neither product overflows: both factors are below 2^64.
        let drawn = u128::from(entropy.word()) * den;
        let Some(left) = (u128::from(num) << 64).checked_sub(drawn) else {
            return false;
        };
        if left == 0 {
            return false;
        }
        if left >= den {
            return true;
        }
        // `left` < `den` < 2^64.
        num = left as u64;
    }
}

/// Like [`ratio`], for any `u128`.
pub(super) fn ratio_u128(entropy: &mut Entropy, num: u128, den: u128) -> bool {
    debug_assert!(num <= den && den > 0);
    if let (Ok(num), Ok(den)) = (u64::try_from(num), u64::try_from(den)) {
        return ratio(entropy, num, den);
    }
    let mut num = num;
    loop {
        let word = u128::from(entropy.word());
        // word·den = high·2^64 + low. EXACT: (2^64 − 1)² + 2^64 − 1 < 2^128.
        let low = word * u128::from(den as u64);
        let high = word * (den >> 64) + (low >> 64);
        let low = low as u64;
        // d = (num − high)·2^64 − low, which is at most 0 wherever num ≤ high.
        if num <= high {
            return false;
        }
        let above = num - high - u128::from(low != 0);
        if above >> 64 != 0 {
            return true; // d ≥ 2^128 > den
        }
        let left = above << 64 | u128::from(low.wrapping_neg());
        if left >= den {
            return true;
        }
        num = left;
    }
}

/// Like [`ratio`], for denominators below 2^448.
pub(super) fn ratio_wide(entropy: &mut Entropy, num: U512, den: U512) -> bool {
    let mut num = num;
    loop {
        let drawn = den.times_word(entropy.word());
        match num.shifted_word().minus(drawn) {
            None => return false,
            Some(left) if left.is_zero() => return false,
            Some(left) if left >= den => return true,
            Some(left) => num = left,
        }
    }
}

/// Whether a coin of probability exp(−`num`/`den`) shows heads; `num` ≤ `den`, `den` > 0.
///
/// EXACT: with x = num/den ≤ 1, let K be the first k whose coin of probability x/k shows tails.
/// P(K > k) = x^k/k!, so P(K odd) = Σ (−x)^k/k! = exp(−x) (von Neumann; Canonne, Kamath and
/// Steinke 2020, Algorithm 1).
#[inline]
pub(super) fn exp_unit(entropy: &mut Entropy, num: u64, den: u64) -> bool {
    let mut k = 1;
    loop {
        let heads = match den.checked_mul(k) {
            Some(den) => ratio(entropy, num, den),
            None => ratio_u128(entropy, num.into(), u128::from(den) * u128::from(k)),
        };
        if !heads {
            return k & 1 == 1;
        }
        // P(K > k) ≤ 1/k!, so a u64 does not overflow.
        k += 1;
    }
}

/// Like [`exp_unit`], for any `u128`.
pub(super) fn exp_unit_u128(entropy: &mut Entropy, num: u128, den: u128) -> bool {
    let mut k = 1;
    loop {
        let heads = match den.checked_mul(u128::from(k)) {
            Some(den) => ratio_u128(entropy, num, den),
            None => ratio_wide(entropy, num.into(), U512::from(den).times_word(k)),
        };
        if !heads {
            return k & 1 == 1;
        }
        k += 1;
    }
}

/// Like [`exp_unit`], for denominators below 2^384.
pub(super) fn exp_unit_wide(entropy: &mut Entropy, num: U512, den: U512) -> bool {
    let mut k = 1;
    while ratio_wide(entropy, num, den.times_word(k)) {
        k += 1;
    }
    k & 1 == 1
}

/// Whether a coin of probability 1/e shows heads.
///
/// EXACT: the 64 bits drawn decide on which side of 1/e a uniform number falls unless they are
/// exactly the first 64 bits of 1/e; then more bits are drawn, for as long as it takes.
#[inline(always)]
pub(super) fn exp_one(entropy: &mut Entropy) -> bool {
    let word = entropy.word();
    if word != INVERSE_E {
        return word < INVERSE_E;
    }
    decide_below(entropy, vec![word], |limbs| exp_neg(1, 1, limbs))
}

/// Whether a coin of probability exp(−`num`/`den`) shows heads, even where `num` > `den`.
///
/// EXACT: exp(−(n + f)) is the probability that n coins of 1/e and one of exp(−f) all show heads.
/// It counts unit by unit, so that no quotient is needed. The loop goes on with probability 1/e each
/// time.
#[inline]
pub(super) fn exp_u128(entropy: &mut Entropy, mut num: u128, den: u128) -> bool {
    while num > den {
        if !exp_one(entropy) {
            return false;
        }
        num -= den;
    }
    match (u64::try_from(num), u64::try_from(den)) {
        (Ok(num), Ok(den)) => exp_unit(entropy, num, den),
        _ => exp_unit_u128(entropy, num, den),
    }
}

/// Like [`exp_u128`], for denominators below 2^384.
pub(super) fn exp_wide(entropy: &mut Entropy, mut num: U512, den: U512) -> bool {
    while let Some(rest) = num.minus(den) {
        if !exp_one(entropy) {
            return false;
        }
        num = rest;
    }
    exp_unit_wide(entropy, num, den)
}

/// Whether a coin of probability 1/(1 + exp(−`num`/`den`)) shows heads.
///
/// EXACT: heads of a fair coin answers yes; tails answers no with probability exp(−x), and otherwise
/// tosses again. So yes and no are in the ratio 1 to exp(−x).
pub(super) fn logistic(entropy: &mut Entropy, num: u128, den: u128) -> bool {
    loop {
        if entropy.half_word() & 1 == 1 {
            return true;
        }
        if exp_u128(entropy, num, den) {
            return false;
        }
    }
}

/// A uniform integer in 0..`bound`; `bound` > 0.
///
/// EXACT: the high word of word·bound takes each value for ⌊2^64/bound⌋ or one more of the words;
/// the surplus ones are those whose low word is below 2^64 mod bound, and they are redrawn
/// (Lemire 2019).
#[inline(always)]
pub(super) fn below(entropy: &mut Entropy, bound: u64) -> u64 {
    debug_assert!(bound > 0);
    let mut product = u128::from(entropy.word()) * u128::from(bound);
    if (product as u64) < bound {
        let surplus = bound.wrapping_neg() % bound;
        while (product as u64) < surplus {
            product = u128::from(entropy.word()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

/// Like [`below`], for any `u128`. It draws uniform bits, which are redrawn until they are below the bound.
pub(super) fn below_u128(entropy: &mut Entropy, bound: u128) -> u128 {
    debug_assert!(bound > 0);
    if let Ok(bound) = u64::try_from(bound) {
        return below(entropy, bound).into();
    }
    let surplus = (bound - 1).leading_zeros();
    loop {
        let drawn = u128::from(entropy.word()) << 64 | u128::from(entropy.word());
        // `surplus` is at most 64 here.
        let drawn = drawn >> surplus;
        if drawn < bound {
            return drawn;
        }
    }
}
