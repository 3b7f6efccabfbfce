//! From sensitivity and cost to the scale of the noise: the only place where the two meet.
//!
//! PRIVACY: every scale in the crate comes from here, from a query's constants and a cost, exactly.

use crate::noise::{GaussianVariance, LaplaceScale};
use crate::query::Sensitivity;

/// The noise for a query that the data cannot move is none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noise<S> {
    /// The query is the same on all neighbours.
    None,
    /// Noise of this scale or variance.
    Of(S),
}

/// Laplace: the scale is Δ₁/ε (T3). None if it is outside what the samplers serve.
pub(crate) const fn laplace(l1: Sensitivity, num: u64, den: u64) -> Option<Noise<LaplaceScale>> {
    let Some((num, den)) = quotient(l1, num, den, 1) else {
        return None;
    };
    if num == 0 {
        return Some(Noise::None);
    }
    match LaplaceScale::new(num, den) {
        Some(scale) => Some(Noise::Of(scale)),
        None => None,
    }
}

/// Gaussian: the variance is Δ₂²/(2ρ) (T16). None if it is outside what the samplers serve.
pub(crate) const fn gaussian(
    l2_squared: Sensitivity,
    num: u64,
    den: u64,
) -> Option<Noise<GaussianVariance>> {
    let Some((num, den)) = quotient(l2_squared, num, den, 2) else {
        return None;
    };
    if num == 0 {
        return Some(Noise::None);
    }
    match GaussianVariance::new(num, den) {
        Some(variance) => Some(Noise::Of(variance)),
        None => None,
    }
}

/// sensitivity / (times · num/den), reduced and exact; none if the cost is zero or it does not fit.
const fn quotient(sensitivity: Sensitivity, num: u64, den: u64, times: u64) -> Option<(u128, u64)> {
    let (mut top, mut bottom) = (sensitivity.num(), sensitivity.den());
    let (mut up, mut down) = (den as u128, num as u128 * times as u128);
    if down == 0 || bottom == 0 {
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

/// The greatest common divisor; 1 where both are zero, so that dividing by it is always fine.
const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
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
    fn no_scale_where_there_is_no_epsilon_or_no_room() {
        assert_eq!(scale(1, 0, 4), None);
        assert_eq!(scale(i128::MAX, 1, 1_000_000_000), None);
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
}
