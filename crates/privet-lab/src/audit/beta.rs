//! Clopper–Pearson bounds, from the incomplete beta function.

/// A lower bound on the probability of an event seen `seen` times in `draws`, wrong with
/// probability at most `error`.
///
/// ```
/// use privet_lab::audit::{lower_bound, upper_bound};
///
/// // Never in ten: at most 1 − 0.025^{1/10}, at 97.5 %.
/// assert_eq!(lower_bound(0, 10, 0.025), 0.0);
/// assert!((upper_bound(0, 10, 0.025) - 0.308_497_1).abs() < 1e-4);
/// ```
#[must_use]
pub fn lower_bound(seen: u64, draws: u64, error: f64) -> f64 {
    if seen == 0 || draws == 0 || !(error > 0.0 && error < 1.0) {
        return 0.0;
    }
    let seen = seen.min(draws);
    let (a, b) = (seen as f64, (draws - seen) as f64 + 1.0);
    // P(at least `seen`) = I_p(a, b) increases with p: the largest p with I_p ≤ error.
    bisect(|p| incomplete_beta(p, a, b) <= error * SAFE).0
}

/// An upper bound, with the same error.
#[must_use]
pub fn upper_bound(seen: u64, draws: u64, error: f64) -> f64 {
    if seen >= draws || !(error > 0.0 && error < 1.0) {
        return 1.0;
    }
    let (a, b) = (seen as f64 + 1.0, (draws - seen) as f64);
    // P(at most `seen`) = 1 − I_p(a, b) = I_{1−p}(b, a).
    bisect(|p| incomplete_beta(1.0 - p, b, a) > error * SAFE).1
}

/// Covers the rounding of `incomplete_beta`, which the tests find below 10^−5.
const SAFE: f64 = 0.9999;

/// Around the point where `is_left` turns false, between 0 and 1.
fn bisect(is_left: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    while high - low > 1e-12 * high {
        // Small probabilities need relative precision: halve exponents first.
        let middle = if low == 0.0 && high > 1e-300 {
            high * high.min(0.5)
        } else {
            0.5 * (low + high)
        };
        if middle <= low || middle >= high {
            break;
        }
        if is_left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// The regularized incomplete beta function I_x(a, b).
pub(crate) fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - front(1.0 - x, b, a) * continued_fraction(1.0 - x, b, a) / b
    } else {
        front(x, a, b) * continued_fraction(x, a, b) / a
    }
}

/// x^a·(1−x)^b/B(a, b).
///
/// Through deviances rather than as a difference of three log-gammas, which would cancel: with
/// n = a + b the leading terms are a·ln(x·n/a) + b·ln((1−x)·n/b).
fn front(x: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    let deviance = a * log_ratio(x * n, a) + b * log_ratio((1.0 - x) * n, b);
    let stirling = rest_of_gamma(n) - rest_of_gamma(a) - rest_of_gamma(b);
    let root = (a * b / n / (2.0 * std::f64::consts::PI)).sqrt();
    (deviance + stirling).exp() * root
}

/// ln(p/q), without cancellation where they are close.
fn log_ratio(p: f64, q: f64) -> f64 {
    ((p - q) / q).ln_1p()
}

/// ln Γ(z) − (z − 1/2)·ln z + z − ln(2π)/2, for z ≥ 1.
fn rest_of_gamma(z: f64) -> f64 {
    let mut z = z;
    let mut shift = 0.0;
    // r(z) = r(z + 1) + (z + 1/2)·ln(1 + 1/z) − 1.
    while z < 16.0 {
        shift += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    let w = 1.0 / (z * z);
    shift
        + (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0))))
            / z
}

/// The continued fraction of I_x(a, b), by Lentz's method.
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let not_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..1_000_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Binomial tails by direct summation, in logarithms.
    fn at_least(seen: u64, draws: u64, p: f64) -> f64 {
        let mut log = draws as f64 * (1.0 - p).ln();
        let mut total = 0.0;
        for k in 0..=draws {
            if k >= seen {
                total += log.exp();
            }
            log += ((draws - k) as f64 / (k + 1) as f64 * p / (1.0 - p)).ln();
        }
        total
    }

    #[test]
    fn incomplete_beta_is_the_binomial_tail() {
        for (seen, draws, p) in [
            (1, 2, 0.3),
            (3, 10, 0.1),
            (10, 10, 0.9),
            (40, 100, 0.5),
            (700, 1000, 0.65),
            (9, 5000, 0.001),
        ] {
            let expected = at_least(seen, draws, p);
            let got = incomplete_beta(p, seen as f64, (draws - seen) as f64 + 1.0);
            assert!(
                (got / expected - 1.0).abs() < 1e-9,
                "{seen}/{draws} at {p}: {got} {expected}"
            );
        }
    }

    #[test]
    fn published_intervals() {
        // (seen, draws, error on each side, lower, upper), as printed in statistics texts.
        for (seen, draws, error, low, high) in [
            (0, 10, 0.025, 0.0, 0.308_497_1),
            (1, 10, 0.025, 0.002_528_579, 0.445_016_1),
            (5, 10, 0.025, 0.187_086_0, 0.812_914_0),
            (10, 10, 0.025, 0.691_502_9, 1.0),
            (10, 100, 0.025, 0.049_004_69, 0.176_222_6),
        ] {
            assert!(
                (lower_bound(seen, draws, error) - low).abs() < 1e-4,
                "{seen}/{draws}"
            );
            assert!(
                (upper_bound(seen, draws, error) - high).abs() < 1e-4,
                "{seen}/{draws}"
            );
        }
    }

    #[test]
    fn bounds_at_a_billion_draws() {
        // Normal approximation: z = 4.753 at 10^−6.
        let (n, k) = (1_000_000_000, 270_000_000);
        let deviation = (0.27f64 * 0.73 / n as f64).sqrt();
        let low = (0.27 - lower_bound(k, n, 1e-6)) / deviation;
        let high = (upper_bound(k, n, 1e-6) - 0.27) / deviation;
        assert!(
            (low - 4.753).abs() < 0.01 && (high - 4.753).abs() < 0.01,
            "{low} {high}"
        );
        // Nothing seen: 1 − error^(1/n).
        assert!((upper_bound(0, n, 1e-6) * n as f64 - 13.8156).abs() < 0.01);
        assert!((lower_bound(1, n, 1e-6) * n as f64 - 1e-6).abs() < 1e-9);
    }

    #[test]
    fn the_definition_holds_at_the_bounds() {
        for draws in [5u64, 60, 400] {
            for seen in 0..=draws {
                let low = lower_bound(seen, draws, 0.01);
                let high = upper_bound(seen, draws, 0.01);
                assert!(seen == 0 || at_least(seen, draws, low) <= 0.01);
                assert!(seen == draws || 1.0 - at_least(seen + 1, draws, high) <= 0.01 + 1e-12);
                assert!(low <= seen as f64 / draws as f64 && seen as f64 / draws as f64 <= high);
            }
        }
    }

    #[test]
    fn nonsense_gives_the_trivial_bounds() {
        for error in [f64::NAN, -1.0, 0.0, 1.0, 2.0] {
            assert_eq!(lower_bound(3, 10, error), 0.0);
            assert_eq!(upper_bound(3, 10, error), 1.0);
        }
        assert_eq!((lower_bound(0, 0, 0.1), upper_bound(0, 0, 0.1)), (0.0, 1.0));
        assert!(lower_bound(11, 10, 0.1) <= 1.0);
    }
}
