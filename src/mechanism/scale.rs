//! From sensitivity and cost to the scale of the noise: the only place where the two meet.
//!
//! PRIVACY: every scale in the crate comes from here, from a query's constants and a cost, exactly.

mod concentrated;
mod order;

use crate::cost::Ratio;
use crate::noise::{GaussianVariance, LaplaceScale, MAX_BULK};
use crate::number::gcd;
use crate::query::Sensitivity;

/// The noise for a query. A query that the data cannot move needs none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noise<S> {
    /// The query is the same on all neighbours.
    None,
    /// Noise of this scale or variance.
    Of(S),
}

/// Laplace: the scale is Δ₁/ε
/// ([T3](crate::guide::theory#t3-laplace-noise)). None if it is outside what the samplers serve.
pub(crate) const fn laplace(l1: Sensitivity, num: u64, den: u64) -> Option<Noise<LaplaceScale>> {
    let Some((num, den)) = quotient(l1, num, den, 1) else {
        return None;
    };
    if l1.num() == 0 {
        return Some(Noise::None);
    }
    match LaplaceScale::new(num, den) {
        Some(scale) => Some(Noise::Of(scale)),
        None => None,
    }
}

/// Whether noise of this scale stays inside answers that are `i64`, if they are.
///
/// It does below 2^56: then |noise| ≥ 2^62 has probability at most 2·e^−64 < 2^−91, so a noisy
/// answer from an exact one within ±2^62 is not cut off at the ends of the range. With a scale far
/// above 2^63 the answer would almost always be one of the two ends. Reals are made from 128 bits,
/// which are enough for every scale that can be drawn.
///
/// PRIVACY: depends on the types and the price alone; no answer is looked at.
pub(crate) const fn laplace_fits(integers: bool, noise: Option<Noise<LaplaceScale>>) -> bool {
    match noise {
        Some(Noise::Of(scale)) => !integers || scale.floor() < MAX_BULK as u128,
        Some(Noise::None) => true,
        None => false,
    }
}

/// Like [`laplace_fits`], by the standard deviation: |noise| ≥ 2^62 has probability below e^−2000.
pub(crate) const fn gaussian_fits(integers: bool, noise: Option<Noise<GaussianVariance>>) -> bool {
    match noise {
        Some(Noise::Of(variance)) => !integers || variance.deviation_floor() < MAX_BULK,
        Some(Noise::None) => true,
        None => false,
    }
}

/// Gaussian: the variance is Δ₂²/(2ρ)
/// ([T16](crate::guide::theory#t16-concentrated-privacy)).
/// None if it is outside what the samplers serve.
pub(crate) const fn gaussian(
    l2_squared: Sensitivity,
    num: u64,
    den: u64,
) -> Option<Noise<GaussianVariance>> {
    let Some((num, den)) = quotient(l2_squared, num, den, 2) else {
        return None;
    };
    if l2_squared.num() == 0 {
        return Some(Noise::None);
    }
    match GaussianVariance::new(num, den) {
        Some(variance) => Some(Noise::Of(variance)),
        None => None,
    }
}

/// A choice whose utilities move apart by at most `spread`: the scale is `spread`/ε, where the price is ε or, if
/// `concentrated`, ρ = ε²/8 ([T16](crate::guide::theory#t16-concentrated-privacy)). None if it is outside what the samplers
/// serve.
pub(crate) const fn choice(
    spread: Sensitivity,
    num: u64,
    den: u64,
    concentrated: bool,
) -> Option<Noise<LaplaceScale>> {
    if !concentrated {
        return laplace(spread, num, den);
    }
    if num == 0 || num >> 32 != 0 || den == 0 || den >> 32 != 0 {
        return None;
    }
    laplace(spread, 1 << 24, root(num, den, 8) as u64)
}

/// PRIVACY: the least whole r with r ≥ 2^24/√(`times`·ρ), so that ε = 2^24/r ≤ √(`times`·ρ). `num` and `den` are above
/// zero and below 2^32.
const fn root(num: u64, den: u64, times: u128) -> u128 {
    // Below 2^32·2^48.
    let square = ((den as u128) << 48).div_ceil(times * num as u128);
    let floor = square.isqrt();
    floor + (floor * floor < square) as u128
}

/// Laplace for a stated ρ: the scale is the least at which the noise costs ρ, rounded up to some decimals
/// ([T16](crate::guide::theory#t16-concentrated-privacy)). None if it is outside what the samplers serve.
pub(crate) const fn laplace_concentrated(
    l1: Sensitivity,
    num: u64,
    den: u64,
) -> Option<Noise<LaplaceScale>> {
    if num == 0 || num >> 32 != 0 || den == 0 || den >> 32 != 0 || l1.den() == 0 {
        return None;
    }
    if l1.num() == 0 {
        return Some(Noise::None);
    }
    // The scale is Δr/2^24. PRIVACY: rounded up; more noise costs less.
    let r = concentrated::least(l1, num, den) as u128;
    let (Some(top), Some(bottom)) = (l1.num().checked_mul(r), l1.den().checked_mul(1 << 24)) else {
        return None;
    };
    let places = if top < bottom {
        1_000_000_000
    } else {
        1_000_000
    };
    let scale = match top.checked_mul(places) {
        Some(top) => LaplaceScale::new(top.div_ceil(bottom), places as u64),
        None => LaplaceScale::new(top.div_ceil(bottom), 1),
    };
    match scale {
        Some(scale) => Some(Noise::Of(scale)),
        None => None,
    }
}

/// Laplace at a price that is an ε or, if `concentrated`, a ρ.
pub(crate) const fn laplace_for(
    l1: Sensitivity,
    num: u64,
    den: u64,
    concentrated: bool,
) -> Option<Noise<LaplaceScale>> {
    if concentrated {
        laplace_concentrated(l1, num, den)
    } else {
        laplace(l1, num, den)
    }
}

/// Gaussian for a stated (ε, δ): the variance is the least that one of some orders of zCDP allows, and at most the
/// textbook's, rounded up ([T6](crate::guide::theory#t6-gaussian-noise)). None if it is outside what the samplers
/// serve.
pub(crate) const fn gaussian_approx(
    l2_squared: Sensitivity,
    epsilon: (u64, u64),
    delta: (u64, u32),
) -> Option<Noise<GaussianVariance>> {
    let Some(textbook) = textbook(epsilon, delta) else {
        return None;
    };
    let unit = match order::variance(epsilon, delta) {
        // Both suffice, so it does not matter how a product that overflows is judged.
        Some((up, down)) if up.saturating_mul(textbook.1) < textbook.0.saturating_mul(down) => {
            (up, down)
        }
        _ => textbook,
    };
    scaled(l2_squared, unit)
}

/// The variance for sensitivity 1: (2 ln(1/δ) + max(2 ln 1.25, ε))/ε², rounded up, as a fraction.
const fn textbook((num, den): (u64, u64), (a, k): (u64, u32)) -> Option<(u128, u128)> {
    if num == 0 || num >> 32 != 0 || den == 0 || den >> 32 != 0 || a == 0 || k > 64 {
        return None;
    }
    // 2 ln(1/δ), in units of 2/988.
    let Some(double_log) = log_inverse(a, k) else {
        return None;
    };
    // max(4463/10000, ε), as 4463/10000 > 2 ln 1.25, over one denominator with the above.
    let (more, over) = if num as u128 * 10_000 > den as u128 * 4_463 {
        (num as u128, den as u128)
    } else {
        (4_463, 10_000)
    };
    // Below 2^18·2^32 + 2^9·2^32 and 2^9·2^32.
    let (top, bottom) = (double_log * over + 494 * more, 494 * over);
    // Times den²/num², each below 2^64.
    let (up, down) = (den as u128 * den as u128, num as u128 * num as u128);
    let shared = gcd(up, down);
    let (up, down) = (up / shared, down / shared);
    let shared = gcd(top, down);
    let (top, down) = (top / shared, down / shared);
    let shared = gcd(up, bottom);
    let (up, bottom) = (up / shared, bottom / shared);
    let (Some(top), Some(bottom)) = (top.checked_mul(up), bottom.checked_mul(down)) else {
        return None;
    };
    Some((top, bottom))
}

/// `l2_squared` times a variance for sensitivity 1.
const fn scaled(
    l2_squared: Sensitivity,
    (top, bottom): (u128, u128),
) -> Option<Noise<GaussianVariance>> {
    if l2_squared.num() == 0 {
        return Some(Noise::None);
    }
    let shared = gcd(top, bottom);
    let (top, bottom) = (top / shared, bottom / shared);
    let shared = gcd(l2_squared.num(), bottom);
    let (sensitivity, bottom) = (l2_squared.num() / shared, bottom / shared);
    let shared = gcd(top, l2_squared.den());
    let (top, grid) = (top / shared, l2_squared.den() / shared);
    let (Some(top), Some(bottom)) = (top.checked_mul(sensitivity), bottom.checked_mul(grid)) else {
        return None;
    };
    let rounded = if bottom < 1 << 40 {
        GaussianVariance::new(top, bottom as u64)
    } else {
        // PRIVACY: rounded up, so that the noise is at least what the price requires.
        match top.checked_mul(1 << 20) {
            Some(top) => GaussianVariance::new(top.div_ceil(bottom), 1 << 20),
            None => GaussianVariance::new(top.div_ceil(bottom), 1),
        }
    };
    match rounded {
        Some(variance) => Some(Noise::Of(variance)),
        None => None,
    }
}

/// The ρ of Gaussian noise of this variance, for reports: Δ₂²/(2σ²). None without noise, or if it does not fit.
pub(crate) fn rho(
    l2_squared: Sensitivity,
    noise: Option<Noise<GaussianVariance>>,
) -> Option<Ratio<u128>> {
    let Some(Noise::Of(variance)) = noise else {
        return None;
    };
    let top = l2_squared.num().checked_mul(variance.den().into())?;
    let bottom = variance
        .num()
        .checked_mul(2)?
        .checked_mul(l2_squared.den())?;
    Some(Ratio::new(top, bottom))
}

/// At least ln(1/δ) for δ = `a`·10^−`k`, in units of 1/988.
///
/// ln(1/δ) = k·ln 10 − ln a ≤ k·175/76 − ⌊log₂ a⌋·9/13, since 175/76 > ln 10 and 9/13 < ln 2; and
/// 988 = 76·13.
const fn log_inverse(a: u64, k: u32) -> Option<u128> {
    if a == 0 || k > 64 {
        return None;
    }
    (k as u128 * 2_275).checked_sub(a.ilog2() as u128 * 684)
}

/// The number of rows from which a key that is not public may be named, if the noise has scale K/ε and
/// neighbours differ by K = `rows` rows. It is the least t that is certain to have
/// K·e^(−ε·(t − K)/K) ≤ δ.
pub(crate) const fn appearance(
    (num, den): (u64, u64),
    (a, k): (u64, u32),
    rows: u128,
) -> Option<i128> {
    if num == 0 || num >> 32 != 0 || den == 0 || den >> 32 != 0 || rows == 0 || rows >> 32 != 0 {
        return None;
    }
    // ln K ≤ ⌈log₂ K⌉·685/988, as 685/988 > ln 2.
    let more = rows.next_power_of_two().ilog2() as u128 * 685;
    match log_inverse(a, k) {
        // Below 2^19·2^32·2^32.
        Some(log) => {
            let log = (log + more) * den as u128 * rows;
            Some((rows + log.div_ceil(988 * num as u128)) as i128)
        }
        None => None,
    }
}

/// Whether e^(`num`/`den`) ≥ `top`/`bottom`: exact where it says yes.
///
/// This is how an irrational price becomes payable: a mechanism whose odds change by the ratio
/// `top`/`bottom` is ε-private for every ε that this accepts. It may refuse an ε that lies within
/// 10^−12 of the logarithm.
pub(crate) const fn exp_at_least(num: u64, den: u64, top: u64, bottom: u64) -> bool {
    if den == 0 || bottom == 0 || den >> 32 != 0 || top >> 32 != 0 || bottom >> 32 != 0 {
        return false;
    }
    // What the bound stops at is larger than every ratio of numbers below 2^32.
    exp_below(num, den) * bottom as u128 >= top as u128 * ONE
}

/// One, in the units of [`exp_below`].
const ONE: u128 = 1 << 60;

/// At most e^(`num`/`den`), in units of 2^−60; it stops growing above 2^93 of them. `den` is above 0 and below 2^60.
const fn exp_below(num: u64, den: u64) -> u128 {
    // Every step is rounded down. ⌊e·2^60⌋:
    const E: u128 = 3_133_965_575_612_453_542;
    // Such that products fit.
    const ENOUGH: u128 = 1 << 93;
    let (whole, part) = (num / den, (num % den) as u128);
    // The Taylor series of e^(part/den) has positive terms: cut off, it is below.
    let (mut value, mut term, mut k) = (ONE, ONE, 1);
    while term > 0 {
        term = term * part / (den as u128 * k);
        value += term;
        k += 1;
    }
    let mut times = 0;
    while times < whole {
        if value >= ENOUGH {
            return value;
        }
        // Below 2^93·2^62 as a high and a low part, each product below 2^128.
        value = (value >> 60) * E + (((value & (ONE - 1)) * E) >> 60);
        times += 1;
    }
    value
}

/// The two scales of one search for an answer above a threshold: 2Δ/ε for the threshold and 4Δ/ε for
/// the answers. None if a sum of an answer and noise might not fit.
pub(crate) const fn above(
    l1: Sensitivity,
    num: u64,
    den: u64,
) -> Option<(Noise<LaplaceScale>, Noise<LaplaceScale>)> {
    match (
        comparable(l1.times(2), num, den),
        comparable(l1.times(4), num, den),
    ) {
        (Some(threshold), Some(answer)) => Some((threshold, answer)),
        _ => None,
    }
}

/// Like [`laplace`], for noisy values that are compared and not released. None unless the scale is
/// below 2^62, so that no noise that can ever be drawn wraps around.
pub(crate) const fn comparable(l1: Sensitivity, num: u64, den: u64) -> Option<Noise<LaplaceScale>> {
    match laplace(l1, num, den) {
        Some(Noise::Of(scale)) if scale.num() / scale.den() as u128 >= 1 << 62 => None,
        scale => scale,
    }
}

/// sensitivity / (times · num/den), reduced and exact; none if the cost is zero or it does not fit.
const fn quotient(sensitivity: Sensitivity, num: u64, den: u64, times: u64) -> Option<(u128, u64)> {
    let (mut top, mut bottom) = (sensitivity.num(), sensitivity.den());
    let (mut up, mut down) = (den as u128, num as u128 * times as u128);
    if down == 0 || up == 0 || bottom == 0 {
        return None;
    }
    // Cancel across before multiplying, so that what fits at the end fits on the way.
    let shared = gcd(top, down);
    (top, down) = (top / shared, down / shared);
    let shared = gcd(up, bottom);
    (up, bottom) = (up / shared, bottom / shared);
    let shared = gcd(top, bottom);
    (top, bottom) = (top / shared, bottom / shared);
    let shared = gcd(up, down);
    (up, down) = (up / shared, down / shared);
    match (top.checked_mul(up), bottom.checked_mul(down)) {
        (Some(num), Some(den)) if den <= u64::MAX as u128 => Some((num, den as u64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(l1: i128, num: u64, den: u64) -> Option<(u128, u64)> {
        match laplace(Sensitivity::whole(l1), num, den)? {
            Noise::None => Some((0, 1)),
            Noise::Of(scale) => Some((scale.num(), scale.den())),
        }
    }

    #[test]
    fn laplace_scale_is_sensitivity_over_epsilon() {
        assert_eq!(scale(1, 1, 4), Some((4, 1)));
        assert_eq!(scale(2, 3, 4), Some((8, 3)));
        assert_eq!(scale(10_000, 25, 18), Some((7_200, 1)));
        assert_eq!(scale(0, 1, 4), Some((0, 1)));
        assert_eq!(
            scale(1 << 61, 1, 1_000_000_000),
            Some((1_000_000_000 << 61, 1))
        );
    }

    #[test]
    fn noise_for_integers_ends_at_two_to_the_56() {
        let one = Sensitivity::whole;
        // A bound of 2^51: 31 times that is below 2^56, 32 times is not.
        let (inside, at) = (laplace(one(1 << 51), 1, 31), laplace(one(1 << 51), 1, 32));
        assert!(laplace_fits(true, inside) && !laplace_fits(true, at));
        let (last, first) = (
            laplace(one((1 << 56) - 1), 1, 1),
            laplace(one(1 << 56), 1, 1),
        );
        assert!(laplace_fits(true, last) && !laplace_fits(true, first));
        // The release of the issue, and what reals may have.
        let far = laplace(one(1 << 51), 1, 1_000_000_000);
        assert!(!laplace_fits(true, far) && laplace_fits(false, far));
        let none = laplace(one(0), 1, 32);
        assert!(laplace_fits(true, none) && !laplace_fits(false, None));

        let of = |root: i128| gaussian(one(root * root), 1, 2);
        assert!(gaussian_fits(true, of((1 << 56) - 1)) && !gaussian_fits(true, of(1 << 56)));
        assert!(gaussian_fits(false, of(1 << 56)) && gaussian_fits(true, of(0)));
        assert!(!gaussian_fits(false, None));
    }

    #[test]
    fn no_scale_where_there_is_no_epsilon_or_no_room() {
        assert_eq!(scale(1, 0, 4), None);
        assert_eq!(scale(1, 4, 0), None);
        assert_eq!(scale(i128::MAX, 1, 1_000_000_000), None);
        // Also for a query that needs no noise.
        assert_eq!((scale(0, 0, 4), scale(0, 4, 0)), (None, None));
        // A denominator is refused, not truncated: this one is 2 modulo 2^64.
        assert_eq!(gaussian(Sensitivity::whole(1), (1 << 63) + 1, 1), None);
    }

    #[test]
    fn what_fits_at_the_end_fits_on_the_way() {
        let of = |num, den, sensitivity| match laplace(sensitivity, num, den) {
            Some(Noise::Of(scale)) => Some((scale.num(), scale.den())),
            _ => None,
        };
        assert_eq!(of(2, 4, Sensitivity::whole(1)), Some((2, 1)));
        assert_eq!(
            of(1 << 50, 1, Sensitivity::whole(1 << 90)),
            Some((1 << 40, 1))
        );
        assert_eq!(
            of(1 << 50, 1 << 50, Sensitivity::whole(1 << 90)),
            Some((1 << 90, 1))
        );
        assert_eq!(of(1, 1, Sensitivity::ratio(6, 4)), Some((3, 2)));
        assert_eq!(
            of(1, 1 << 50, Sensitivity::ratio(1 << 80, 1 << 70)),
            Some((1 << 60, 1))
        );
        assert_eq!(
            of(1, 1 << 50, Sensitivity::ratio(1 << 80, 1 << 40)),
            Some((1 << 90, 1))
        );
        assert_eq!(
            of(1 << 40, 1, Sensitivity::ratio(1 << 80, 3)),
            Some((1 << 40, 3))
        );
        assert_eq!(of(1, 1, Sensitivity::ratio(1, 0)), None);
    }

    #[test]
    fn gaussian_variance_is_squared_sensitivity_over_twice_rho() {
        let Some(Noise::Of(variance)) = gaussian(Sensitivity::whole(1), 1, 8) else {
            panic!()
        };
        assert_eq!((variance.num(), variance.den()), (4, 1));
        let Some(Noise::Of(variance)) = gaussian(Sensitivity::whole(9), 5, 7) else {
            panic!()
        };
        assert_eq!((variance.num(), variance.den()), (63, 10));
    }

    #[test]
    fn a_choice_priced_in_rho_has_at_most_the_epsilon_of_eight_rho() {
        let of = |num, den| match choice(Sensitivity::whole(3), num, den, true) {
            Some(Noise::Of(scale)) => (scale.num(), scale.den()),
            other => panic!("{num}/{den}: {other:?}"),
        };
        // ε = 1 and ε = 2, exactly.
        assert_eq!((of(1, 8), of(1, 2)), ((3, 1), (3, 2)));
        for (num, den) in [
            (1, 1),
            (1, 3),
            (7, 10),
            (1024, 1),
            (1, 1_000_000_000),
            (1023, 1024),
        ] {
            let (top, bottom) = of(num, den);
            // (3/scale)²/8 ≤ ρ, exactly; and close to it.
            let (spent, allowed) = (
                9 * u128::from(bottom).pow(2) * u128::from(den),
                8 * top.pow(2) * u128::from(num),
            );
            assert!(spent <= allowed, "{num}/{den}");
            assert!(spent as f64 >= allowed as f64 * 0.999_99, "{num}/{den}");
        }
        assert_eq!(choice(Sensitivity::whole(1), 0, 1, true), None);
        assert_eq!(choice(Sensitivity::whole(1), 1, 0, true), None);
        assert_eq!(choice(Sensitivity::whole(1), 1 << 32, 1, true), None);
        let pure = choice(Sensitivity::whole(3), 2, 7, false);
        assert_eq!(pure, laplace(Sensitivity::whole(3), 2, 7));
    }

    #[test]
    fn a_stated_variance_is_at_most_the_notes() {
        for (num, den) in [(1, 2), (99, 100), (1, 1_000_000_000), (1023, 1024), (4, 10)] {
            for (a, k) in [(1, 1), (9, 1), (1, 6), (5, 6), (1024, 9), (1, 30)] {
                let Some(Noise::Of(variance)) =
                    gaussian_approx(Sensitivity::whole(9), (num, den), (a, k))
                else {
                    panic!("{num}/{den}, {a}e-{k}")
                };
                let epsilon = num as f64 / den as f64;
                let log = f64::from(k) * 10_f64.ln() - (a as f64).ln();
                let notes =
                    9.0 * (2.0 * log + (2.0 * 1.25_f64.ln()).max(epsilon)) / epsilon.powi(2);
                let got = variance.num() as f64 / variance.den() as f64;
                assert!(got <= notes * 1.4, "{got} is far above {notes}");
                // guide::theory, T16: ρ implies (ε, δ) at one order, or by the textbook's.
                let rho = 9.0 / (2.0 * got);
                let at = |g: f64| {
                    g * (epsilon - (1.0 + g) * rho) + (1.0 + g).ln() + g * (1.0 / g).ln_1p()
                };
                let best = (0..4_000).map(|step| at((f64::from(step) / 100.0).exp() * 0.01));
                let stated = rho + 2.0 * (rho * log).sqrt() <= epsilon;
                assert!(
                    stated || best.fold(0.0, f64::max) >= log,
                    "{num}/{den}, {a}e-{k}"
                );
            }
        }
        let none =
            |epsilon, delta| gaussian_approx(Sensitivity::whole(1), epsilon, delta).is_none();
        assert!(none((0, 1), (1, 6)) && none((1, 2), (0, 6)) && none((1, 0), (1, 6)));
    }

    /// The textbook's variance, scaled.
    fn approx(
        sensitivity: Sensitivity,
        epsilon: (u64, u64),
        delta: (u64, u32),
    ) -> Option<(u128, u64)> {
        match scaled(sensitivity, textbook(epsilon, delta)?)? {
            Noise::None => Some((0, 1)),
            Noise::Of(variance) => Some((variance.num(), variance.den())),
        }
    }

    #[test]
    fn a_stated_epsilon_and_delta_are_in_range_or_refused() {
        let refused = |epsilon, delta| {
            assert_eq!(approx(Sensitivity::whole(1), epsilon, delta), None);
            assert_eq!(approx(Sensitivity::whole(0), epsilon, delta), None);
        };
        refused((0, 1), (1, 6));
        refused((1 << 32, 1), (1, 6));
        refused((1, 0), (1, 6));
        refused((1, 1 << 32), (1, 6));
        refused((1, 1), (0, 6));
        refused((1, 1), (1, 65));
        assert_eq!(approx(Sensitivity::whole(0), (1, 1), (1, 64)), Some((0, 1)));
        assert!(approx(Sensitivity::whole(1), (1, 1), (1, 64)).is_some());
        assert_eq!((log_inverse(0, 6), log_inverse(1, 65)), (None, None));
        assert_eq!(log_inverse(1, 64), Some(145_600));
        // δ = 1, and beyond.
        assert_eq!((log_inverse(1, 0), log_inverse(2, 0)), (Some(0), None));
    }

    #[test]
    fn a_variance_is_exact_while_it_fits_and_rounded_up_after() {
        // (2·6·2275/988 + ε)/ε² at ε = 1: 544 = 2^5·17.
        assert_eq!(
            approx(Sensitivity::whole(1), (1, 1), (1, 6)),
            Some((544, 19))
        );
        assert_eq!(
            approx(Sensitivity::whole(38), (1, 1), (1, 6)),
            Some((1_088, 1))
        );
        // Cancelled across.
        let fraction = Sensitivity::ratio(4 * 19, 7 * 17);
        assert_eq!(approx(fraction, (1, 1), (1, 6)), Some((128, 7)));
        // Below 4463/10000, that number is added and not ε.
        let small = (13_650 * 10_000 + 494 * 4_463, 494 * 10_000);
        let shared = gcd(9 * small.0, small.1);
        assert_eq!(
            approx(Sensitivity::whole(1), (1, 3), (1, 6)),
            Some((9 * small.0 / shared, (small.1 / shared) as u64))
        );
        // At the largest ε that is below, and at the least that is above, 2 ln 1.25 rounded up.
        for (num, den, more, over) in [
            (4_463, 10_000, 4_463, 10_000),
            (8_926, 20_000, 4_463, 10_000),
            (4_464, 10_000, 4_464, 10_000),
        ] {
            let (top, bottom) = (13_650 * over + 494 * more, 494 * over);
            let (top, bottom) = (top * den * den, bottom * num * num);
            let shared = gcd(top, bottom);
            let got = approx(Sensitivity::whole(1), (num as u64, den as u64), (1, 6));
            let least = (top / shared, bottom / shared);
            assert_eq!(got, rounded_up(least.0, least.1), "{num}/{den}");
        }
        // ε = 2^18/1000003 and a sensitivity that leaves 2^40, one too many, as denominator.
        let (num, den) = (1 << 18, 1_000_003);
        let top = small.0 / 2 * u128::from(den) * u128::from(den);
        let got = approx(Sensitivity::whole(247 * 625), (num, den), (1, 6));
        assert_eq!(got, rounded_up(top, 1 << 40));
        assert_eq!(got.unwrap().1, 1 << 20);
        // Half of it is the largest power that fits.
        let got = approx(Sensitivity::whole(2 * 247 * 625), (num, den), (1, 6));
        assert_eq!(got, Some((top, 1 << 39)));
        // No room for 20 more bits: a whole number.
        let wide = Sensitivity::whole(247 * 625 * (3_i128.pow(32)));
        let got = approx(wide, (num, den), (1, 6)).unwrap();
        let top = top * 3_u128.pow(32);
        assert_eq!(got, (top.div_ceil(1 << 40), 1));
    }

    /// In lowest terms, on the grid of 2^−20 where the denominator is too large.
    fn rounded_up(top: u128, bottom: u128) -> Option<(u128, u64)> {
        let variance = if bottom < 1_099_511_627_776 {
            GaussianVariance::new(top, bottom as u64)
        } else {
            GaussianVariance::new((top * 1_048_576).div_ceil(bottom), 1_048_576)
        }?;
        Some((variance.num(), variance.den()))
    }

    #[test]
    fn a_key_of_one_row_appears_with_probability_below_delta() {
        for (num, den) in [(1, 2), (1, 1), (5, 1), (1, 1_000_000_000), (1024, 1)] {
            for (a, k) in [(1, 1), (9, 1), (1, 6), (1000, 9), (1, 30)] {
                let least = appearance((num, den), (a, k), 1).unwrap() as f64;
                let (epsilon, delta) = (num as f64 / den as f64, a as f64 / 10_f64.powi(k as i32));
                // One row and noise X: P(1 + X ≥ t) = r^(t−1)/(1 + r).
                let appears = (-epsilon * (least - 1.0)).exp() / (1.0 + (-epsilon).exp());
                assert!(appears <= delta, "{num}/{den} {a}e-{k}: {appears}");
            }
        }
        // 1 + ⌈13.8…/ε⌉, as ln 10^6 = 13.8….
        assert_eq!(appearance((1, 2), (1, 6), 1), Some(29));
        assert_eq!(appearance((5, 1), (1, 6), 1), Some(4));
        assert_eq!(
            appearance((1, 1_000_000_000), (1, 6), 1),
            Some(13_815_789_475)
        );
        for epsilon in [(0, 1), (1 << 32, 1), (1, 0), (1, 1 << 32)] {
            assert_eq!(appearance(epsilon, (1, 6), 1), None, "{epsilon:?}");
        }
        assert_eq!(
            (
                appearance((1, 1), (0, 6), 1),
                appearance((1, 1), (1, 65), 1)
            ),
            (None, None)
        );
    }

    /// One person brings c rows of each of some new texts, K rows in all.
    #[test]
    fn a_person_names_a_new_key_with_probability_below_delta() {
        for rows in [1, 2, 3, 5, 8, 100] {
            for (num, den) in [(1, 2), (1, 1), (5, 1), (1, 1000)] {
                for (a, k) in [(1, 1), (1, 6), (1, 30)] {
                    let least = appearance((num, den), (a, k), rows).unwrap() as f64;
                    let epsilon = num as f64 / den as f64;
                    let delta = a as f64 / 10_f64.powi(k as i32);
                    let rate = epsilon / rows as f64;
                    for each in (1..=rows).filter(|each| rows % each == 0) {
                        let texts = (rows / each) as f64;
                        let one = (-rate * (least - each as f64)).exp() / (1.0 + (-rate).exp());
                        assert!(texts * one <= delta, "{rows} {each} {num}/{den} {a}e-{k}");
                    }
                }
            }
        }
        assert_eq!(appearance((1, 1), (1, 6), 0), None);
        assert_eq!(appearance((1, 1), (1, 6), 1 << 32), None);
    }

    #[test]
    fn noise_that_is_compared_cannot_wrap() {
        let of = |noise: Noise<LaplaceScale>| match noise {
            Noise::Of(scale) => (scale.num(), scale.den()),
            Noise::None => (0, 1),
        };
        let (threshold, answer) = above(Sensitivity::whole(3), 1, 2).unwrap();
        assert_eq!((of(threshold), of(answer)), ((12, 1), (24, 1)));
        assert!(comparable(Sensitivity::whole(1 << 61), 1, 1).is_some());
        assert!(comparable(Sensitivity::whole(1 << 62), 1, 1).is_none());
        // A scale of 2^62/3.
        assert!(comparable(Sensitivity::whole(1 << 61), 3, 2).is_some());
        assert!(comparable(Sensitivity::whole(1), 0, 1).is_none());
        assert!(above(Sensitivity::whole(1 << 60), 1, 1).is_none());
        let none = above(Sensitivity::whole(0), 1, 1).unwrap();
        assert_eq!((of(none.0), of(none.1)), ((0, 1), (0, 1)));
    }

    #[test]
    fn exponentials_are_bounded_from_below() {
        // ln 4 = 1.38629…, ln 3 = 1.09861…
        assert!(exp_at_least(25, 18, 4, 1));
        assert!(!exp_at_least(18, 13, 4, 1));
        assert!(exp_at_least(11, 10, 3, 1));
        assert!(!exp_at_least(1098, 1000, 3, 1));
        assert!(exp_at_least(1_098_613, 1_000_000, 3, 1));
        assert!(!exp_at_least(1_098_612, 1_000_000, 3, 1));
        assert!(exp_at_least(1, 1, 2_718_281_828, 1_000_000_000));
        assert!(!exp_at_least(1, 1, 2_718_281_829, 1_000_000_000));
        assert!(exp_at_least(1024, 1, u32::MAX.into(), 1));
        assert!(exp_at_least(22_180_710, 1_000_000, u32::MAX.into(), 1));
        assert!(!exp_at_least(22_180_709, 1_000_000, u32::MAX.into(), 1));
        assert!(!exp_at_least(0, 1, 3, 2));
        assert!(exp_at_least(0, 1, 3, 3));
        // What is out of range is refused, even where the claim would be true.
        for (num, den, top, bottom) in [
            (1, 0, 1, 1),
            (1, 1, 0, 0),
            (1 << 32, 1 << 32, 1, 1),
            (1024, 1, 1 << 32, 1),
            (1, 1, 1, 1 << 32),
        ] {
            assert!(
                !exp_at_least(num, den, top, bottom),
                "{num}/{den} {top}/{bottom}"
            );
        }
    }
}
