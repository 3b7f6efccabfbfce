//! The coins and the one-value samplers, over their whole ranges.

use super::audit::{DRAWS, audit, scale, variance};
use super::reference;
use crate::noise::bernoulli::{
    below, below_u128, exp_one, exp_u128, exp_unit, exp_unit_u128, exp_unit_wide, exp_wide,
    logistic, ratio, ratio_u128, ratio_wide,
};
use crate::noise::fixed::exp_neg;
use crate::noise::gaussian::gaussian;
use crate::noise::integer::U512;
use crate::noise::laplace::{geometric_u64, laplace};
use crate::noise::{self, Entropy, GaussianVariance, LaplaceScale, NoiseError};

fn assert_probability(what: &str, p: f64, mut coin: impl FnMut(&mut Entropy) -> bool) {
    let mut entropy = Entropy::public([5; 32]);
    let total = DRAWS / 2;
    let heads = (0..total).filter(|_| coin(&mut entropy)).count() as f64;
    let expected = p * total as f64;
    let spread = (expected * (1.0 - p)).sqrt();
    assert!(
        (heads - expected).abs() <= 6.0 * spread,
        "{what}: {heads} heads, not {expected}"
    );
}

#[test]
fn coins_have_their_probability_at_every_width() {
    for (num, den) in [
        (0, 1),
        (1, 1),
        (1, 3),
        (2, 3),
        (999, 1000),
        (u64::MAX - 1, u64::MAX),
    ] {
        let p = num as f64 / den as f64;
        let (n, d) = (u128::from(num), u128::from(den));
        assert_probability("u64", p, |e| ratio(e, num, den));
        assert_probability("u128", p, |e| ratio_u128(e, n << 64, d << 64));
        let (n, d) = (U512::from(n << 64), U512::from(d << 64));
        let (n, d) = (
            n.times(1 << 127).times(1 << 127),
            d.times(1 << 127).times(1 << 127),
        );
        assert_probability("wide", p, |e| ratio_wide(e, n, d));
    }
    assert_probability("edge", 0.5, |e| ratio_u128(e, u128::MAX / 2, u128::MAX));
    assert_probability("edge", 0.5, |e| ratio(e, u64::MAX / 2, u64::MAX));
}

/// Feeds the same words to all widths and to rationals: the coins must agree word for word, also
/// where the first word does not decide.
#[test]
fn coins_of_all_widths_agree_on_the_same_words() {
    let mut seeds = Entropy::public([6; 32]);
    for round in 0..3000_u64 {
        let den = seeds.word() >> (round % 63);
        let den = den.max(1);
        let num = below(&mut seeds, den);
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&round.to_le_bytes());
        let mut streams = [0; 3].map(|_| Entropy::public(seed));
        // Scaling both sides by 2^65 changes the width, not the coin.
        let (n, d) = (u128::from(num) << 64, u128::from(den) << 64);
        let narrow = ratio(&mut streams[0], num, den);
        assert_eq!(narrow, ratio_u128(&mut streams[1], n, d));
        assert_eq!(narrow, ratio_wide(&mut streams[2], n.into(), d.into()));
        let word = Entropy::public(seed).word();
        let uniform = reference::rational(word.into(), 1 << 64);
        let p = reference::rational(num.into(), den.into());
        let unit = reference::rational(1, 1 << 64);
        // Undecided first words need 2^64/den tries; here they do not occur.
        assert!(uniform >= p || &uniform + &unit <= p);
        assert_eq!(narrow, uniform < p);
    }
}

#[test]
fn an_undecided_word_leads_to_the_right_rest() {
    // With den = 2^64 − 1 and the first word w, num = w leaves d = w·2^64 − w·den = w: undecided
    // for 0 < w < den, and the rest is a coin of probability w/den on the words that follow.
    for round in 0..1000_u64 {
        let mut seed = [1; 32];
        seed[..8].copy_from_slice(&round.to_le_bytes());
        let mut words = Entropy::public(seed);
        let (first, second) = (words.word(), words.word());
        if second == first || first == u64::MAX {
            continue;
        }
        let expected = second < first;
        let (num, den) = (first, u64::MAX);
        assert_eq!(ratio(&mut Entropy::public(seed), num, den), expected);
        let (n, d) = (u128::from(num) << 64, u128::from(den) << 64);
        assert_eq!(ratio_u128(&mut Entropy::public(seed), n, d), expected);
        assert_eq!(
            ratio_wide(&mut Entropy::public(seed), n.into(), d.into()),
            expected
        );
    }
}

/// A stream that begins with these words.
fn words(script: &[u64]) -> Entropy {
    let halves: Vec<_> = script
        .iter()
        .flat_map(|&w| [w as u32, (w >> 32) as u32])
        .collect();
    Entropy::scripted(&halves, 0)
}

const MARK: u64 = 0x6d61_726b_6d61_726b;

/// Numbers that begin as the quotient does, in base 2^64, and leave it at the last digit: the coin
/// is decided there, as the quotient says, and not before.
#[test]
fn coins_are_decided_where_the_digits_part() {
    let quotients: [(u128, u128); 8] = [
        (1, 3),
        (2, 3),
        (u64::MAX as u128 - 1, u64::MAX as u128),
        (1, u128::MAX),
        (u128::MAX - 1, u128::MAX),
        (u128::MAX / 3, u128::MAX - 12),
        (5 << 64, (9 << 64) + 1),
        ((1 << 127) + 1, (1 << 127) + (1 << 64) - 1),
    ];
    for (num, den) in quotients {
        let digits = reference::scaled_floor(&reference::rational(num, den), 192);
        let digits: Vec<u64> = (0..3)
            .map(|i| u64::try_from((&digits >> (128 - 64 * i)) % (1_u128 << 64)).unwrap())
            .collect();
        for decided in 0..3 {
            for (step, heads) in [(-1, true), (1, false)] {
                let mut script = digits[..=decided].to_vec();
                let Some(digit) = script[decided].checked_add_signed(step) else {
                    continue;
                };
                script[decided] = digit;
                script.push(MARK);
                let check = |coin: &dyn Fn(&mut Entropy) -> bool| {
                    let mut entropy = words(&script);
                    assert_eq!(coin(&mut entropy), heads, "{num}/{den}, {script:?}");
                    assert_eq!(entropy.word(), MARK, "{num}/{den}, {script:?}");
                };
                if let (Ok(num), Ok(den)) = (u64::try_from(num), u64::try_from(den)) {
                    check(&|e| ratio(e, num, den));
                }
                check(&|e| ratio_u128(e, num, den));
                check(&|e| ratio_wide(e, num.into(), den.into()));
                let scaled = |x: u128| U512::from(x).times(u128::MAX).times(1 << 100);
                check(&|e| ratio_wide(e, scaled(num), scaled(den)));
            }
        }
    }
}

/// A quotient that ends after one digit is reached, but not exceeded, by a number that begins with it.
#[test]
fn coins_of_short_quotients_need_one_word() {
    for (digit, heads) in [((1 << 63) - 1, true), (1 << 63, false)] {
        let check = |coin: &dyn Fn(&mut Entropy) -> bool| {
            let mut entropy = words(&[digit, MARK]);
            assert_eq!(coin(&mut entropy), heads);
            assert_eq!(entropy.word(), MARK);
        };
        check(&|e| ratio(e, 1, 2));
        check(&|e| ratio_u128(e, 1, 2));
        check(&|e| ratio_u128(e, 1 << 126, 1 << 127));
        check(&|e| ratio_u128(e, 1 << 64, 1 << 65));
        check(&|e| ratio_wide(e, (1 << 126).into(), (1 << 127).into()));
    }
}

/// Lemire's method redraws a word if and only if its low product is below 2^64 mod bound.
#[test]
fn surplus_words_are_redrawn_and_no_others() {
    for bound in [3, 5, 1_000_003, (3 << 62) + 1, u64::MAX] {
        let surplus = ((1_u128 << 64) % u128::from(bound)) as u64;
        // Newton's iteration for the inverse modulo 2^64.
        let inverse = (0..6).fold(1_u64, |x, _| {
            x.wrapping_mul(2_u64.wrapping_sub(bound.wrapping_mul(x)))
        });
        for low in [0, surplus - 1, surplus, surplus + 1, bound - 1, u64::MAX] {
            let word = low.wrapping_mul(inverse);
            let second = u64::MAX;
            let mut entropy = words(&[word, second, MARK]);
            let accepted = if low < surplus { second } else { word };
            let value = (u128::from(accepted) * u128::from(bound)) >> 64;
            assert_eq!(u128::from(below(&mut entropy, bound)), value);
            let next = if low < surplus { MARK } else { second };
            assert_eq!(entropy.word(), next, "{bound}, {low}");
        }
    }
}

#[test]
fn wide_uniform_numbers_use_just_enough_bits() {
    for (bound, first, last) in [
        (1_u128 << 100, (1_u128 << 100) - 1, true),
        ((1 << 100) - 5, (1 << 100) - 5, false),
        ((1 << 100) - 5, (1 << 100) - 6, true),
        ((1 << 64) + 1, 1 << 64, true),
        (u128::MAX, u128::MAX, false),
        (u128::MAX, u128::MAX - 1, true),
    ] {
        let bits = first << (bound - 1).leading_zeros();
        let (high, low) = ((bits >> 64) as u64, bits as u64);
        let mut entropy = words(&[high, low, 0, 0, MARK]);
        assert_eq!(
            below_u128(&mut entropy, bound),
            if last { first } else { 0 }
        );
        assert_eq!(entropy.word(), if last { 0 } else { MARK });
    }
}

#[test]
fn exponential_coins_have_their_probability() {
    for (num, den) in [
        (0_u64, 1_u64),
        (1, 1),
        (1, 3),
        (7, 2),
        (5, 1),
        (1 << 62, u64::MAX),
    ] {
        let p = (-(num as f64) / den as f64).exp();
        let (n, d) = (u128::from(num), u128::from(den));
        assert_probability("any", p, |e| exp_u128(e, n, d));
        assert_probability("any, shifted", p, |e| exp_u128(e, n << 64, d << 64));
        assert_probability("wide", p, |e| exp_wide(e, n.into(), d.into()));
        if num <= den {
            assert_probability("u64", p, |e| exp_unit(e, num, den));
            assert_probability("u128", p, |e| exp_unit_u128(e, n << 64, d << 64));
            assert_probability("wide unit", p, |e| exp_unit_wide(e, n.into(), d.into()));
        }
        assert_probability("logistic", 1.0 / (1.0 + p), |e| logistic(e, n, d));
    }
    assert_probability("1/e", (-1.0_f64).exp(), exp_one);
}

#[test]
fn the_first_word_of_one_over_e_is_certified() {
    let enclosure = exp_neg(1, 1, 2);
    assert_eq!(enclosure.lo.leading(), enclosure.hi.leading());
    assert_eq!(enclosure.lo.leading(), 0x5e2d_58d8_b3bc_df1a);
    let (lo, hi) = reference::exp_neg(&reference::rational(1, 1), 200);
    for bound in [lo, hi] {
        assert_eq!(
            reference::scaled_floor(&bound, 64),
            0x5e2d_58d8_b3bc_df1a_u64.into()
        );
    }
}

#[test]
fn a_tie_with_one_over_e_is_resolved_by_the_next_word() {
    let (lo, _) = reference::exp_neg(&reference::rational(1, 1), 200);
    let digits = reference::scaled_floor(&lo, 128);
    let second = u64::try_from(digits % (1_u128 << 64)).unwrap();
    let toss = |second: u64| {
        let words = [0x5e2d_58d8_b3bc_df1a_u64, second].map(|w| [w as u32, (w >> 32) as u32]);
        exp_one(&mut Entropy::scripted(words.as_flattened(), 0))
    };
    assert!(toss(0) && toss(second - 1));
    assert!(!toss(second + 1) && !toss(u64::MAX));
}

#[test]
fn uniform_numbers_are_uniform_and_in_range() {
    let mut entropy = Entropy::public([8; 32]);
    for bound in [1, 2, 3, 10] {
        for digit in 0..bound {
            let p = 1.0 / bound as f64;
            assert_probability("below", p, |e| below(e, bound) == digit);
            assert_probability("below", p, |e| below_u128(e, bound.into()) == digit.into());
        }
    }
    // Three quarters of the range: the multiply-and-shift method rejects often here.
    let bound = 3 << 62;
    assert_probability("half", 0.5, |e| below(e, bound) < bound / 2);
    let bound = 3 << 126;
    assert_probability("half", 0.5, |e| below_u128(e, bound) < bound / 2);
    for _ in 0..1000 {
        assert!(below(&mut entropy, u64::MAX) < u64::MAX);
        assert!(below_u128(&mut entropy, u128::MAX) < u128::MAX);
    }
}

/// Low digit 1, accepted, and two periods: 1 + 2·num, beyond a machine word, over den.
#[test]
fn a_geometric_variable_is_its_low_digit_and_its_periods() {
    for (num, den, expected) in [
        (u64::MAX, 1, (1 << 65) - 1),
        (u64::MAX, 3, ((1 << 65) - 1) / 3),
        (1 << 62, 3, ((1 << 63) + 1) / 3),
    ] {
        // 2 or 4 times num has the high word 1 and a low word that is not redrawn.
        let low = if num == u64::MAX { 2 } else { 4 };
        let mut entropy = words(&[low, u64::MAX, 0, 0, u64::MAX, MARK]);
        assert_eq!(geometric_u64(&mut entropy, num, den), expected);
        assert_eq!(entropy.word(), MARK);
    }
}

#[test]
fn laplace_matches_its_probabilities() {
    let scales = [
        (1, 1),
        (1, 3),
        (7, 1000),
        (10, 1),
        (37, 11),
        (1000, 1),
        (1_000_003, 7),
        (1 << 20, 1),
        (1 << 40, 3),
        (u64::MAX.into(), 1),
        (1 << 64, 1),
        ((1 << 64) + 1, 2),
        ((1 << 96) - 1, 1),
        ((1 << 96) - 1, (1 << 32) - 1),
    ];
    for (num, den) in scales {
        let scale = scale(num, den);
        if scale.num() * 100 < scale.den().into() {
            continue;
        }
        let mut entropy = Entropy::public([21; 32]);
        let draws: Vec<_> = (0..DRAWS).map(|_| laplace(&mut entropy, scale)).collect();
        audit(&scale, &draws);
    }
}

#[test]
fn laplace_of_a_tiny_scale_is_zero_in_practice() {
    // P(X ≠ 0) = 2·exp(−2^32)/(1 + …): never, at the lower edge of the range.
    let mut entropy = Entropy::public([22; 32]);
    let scale = scale(1, (1 << 32) - 1);
    assert!((0..10_000).all(|_| laplace(&mut entropy, scale) == 0));
}

#[test]
fn gaussian_matches_its_probabilities() {
    let variances = [
        (1, 1),
        (1, 3),
        (1, 20),
        (100, 1),
        (1009, 37),
        (1_000_000, 1),
        (1 << 40, 1),
        ((1 << 62) - 1, 1),
        (1 << 62, 1),
        (1 << 64, 1),
        (1 << 80, 1),
        (1 << 100, 1),
        ((1 << 126) + 1, (1 << 27) - 1),
        ((1 << 127) - 1, 1),
        ((1 << 127) - 1, (1 << 40) - 1),
        ((1 << 42) + 1, (1 << 40) - 1),
    ];
    for (num, den) in variances {
        let variance = variance(num, den);
        let mut entropy = Entropy::public([23; 32]);
        let count = if num >> 60 > 0 || den >> 30 > 0 {
            DRAWS / 4
        } else {
            DRAWS
        };
        let draws: Vec<_> = (0..count)
            .map(|_| gaussian(&mut entropy, variance))
            .collect();
        audit(&variance, &draws);
    }
}

#[test]
fn parameters_outside_their_range_are_refused() {
    assert_eq!(LaplaceScale::new(0, 1), None);
    assert_eq!(LaplaceScale::new(1, 0), None);
    assert_eq!(LaplaceScale::new(1 << 96, 1), None);
    assert_eq!(LaplaceScale::new(1, 1 << 32), None);
    assert_eq!(GaussianVariance::new(0, 1), None);
    assert_eq!(GaussianVariance::new(1, 0), None);
    assert_eq!(GaussianVariance::new(1 << 127, 1), None);
    assert_eq!(GaussianVariance::new(1, 1 << 40), None);
    // The edges are inside.
    for (num, den) in [(1, 1), ((1 << 96) - 1, 1), (1, (1 << 32) - 1)] {
        let scale = LaplaceScale::new(num, den).unwrap();
        assert_eq!((scale.num(), scale.den()), (num, den));
    }
    for (num, den) in [(1, 1), ((1 << 127) - 1, 1), (1, (1 << 40) - 1)] {
        let variance = GaussianVariance::new(num, den).unwrap();
        assert_eq!((variance.num(), variance.den()), (num, den));
    }
    assert_eq!(LaplaceScale::new(6, 4), LaplaceScale::new(3, 2));
    assert_eq!(GaussianVariance::new(6, 4), GaussianVariance::new(3, 2));
}

#[test]
fn coins_outside_their_range_are_refused() {
    let entropy = &mut Entropy::public([24; 32]);
    let range = Err(NoiseError::Range);
    assert_eq!(noise::bernoulli(entropy, 0, 0), range);
    assert_eq!(noise::bernoulli(entropy, 1, 0), range);
    assert_eq!(noise::bernoulli(entropy, 3, 2), range);
    assert_eq!(noise::bernoulli(entropy, 2, 2), Ok(true));
    assert_eq!(noise::bernoulli(entropy, 0, 2), Ok(false));
    assert_eq!(noise::bernoulli_exp(entropy, 1, 0), range);
    assert_eq!(noise::bernoulli_exp(entropy, 0, 1), Ok(true));
    assert_eq!(noise::bernoulli_logistic(entropy, 1, 0), range);
    assert_eq!(noise::bernoulli_logistic(entropy, u128::MAX, 1), Ok(true));
    assert_eq!(noise::uniform_below(entropy, 0), Err(NoiseError::Range));
    assert_eq!(noise::uniform_below(entropy, 1), Ok(0));
}

#[test]
fn parameters_and_errors_are_printed() {
    assert_eq!(scale(6, 4).to_string(), "3/2");
    assert_eq!(scale(7, 1).to_string(), "7");
    assert_eq!(variance(6, 4).to_string(), "3/2");
    assert_eq!(variance(7, 1).to_string(), "7");
    assert!(NoiseError::Range.to_string().contains("outside"));
    assert!(
        NoiseError::Entropy
            .to_string()
            .contains("nothing was released")
    );
}
