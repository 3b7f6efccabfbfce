//! The variance of Gaussian noise for a stated (ε, δ), by the best of some orders.
//!
//! PRIVACY: integers only, and rounded up. The argument is in `proofs/gaussian_approx.md`.

/// ⌊988 ln m⌋ for m from 4 to 7.
const LOGS: [u128; 4] = [1_369, 1_590, 1_770, 1_922];

/// The most binary digits of an order beyond its first three.
const MOST: u32 = 38;

/// At most ln `n`, in units of 1/988, for `n` ≥ 1.
const fn log_below(n: u64) -> u128 {
    match n {
        0 | 1 => 0,
        2 => 684,
        3 => 1_085,
        _ => {
            // n ≥ m·2^j, and 684/988 = 9/13 < ln 2.
            let j = n.ilog2() - 2;
            j as u128 * 684 + LOGS[(n >> j) as usize - 4]
        }
    }
}

/// At least the variance that noise for sensitivity 1 needs at order `alpha`, as a fraction: α(α−1)/(2((α−1)ε − m))
/// with m ≥ ln(1/δ) − ln α − (α−1)·ln(1 + 1/(α−1)).
const fn at_order(alpha: u64, (num, den): (u64, u64), (a, k): (u64, u32)) -> Option<(u128, u128)> {
    let g = alpha as u128 - 1;
    // In units of 1/988: K·175/76 > K·ln 10; g·ln(1 + 1/g) ≥ 1 − 1/(2g).
    let gain = log_below(a) + log_below(alpha) + 988 - 494_u128.div_ceil(g);
    let missing = (k as u128 * 2_275).saturating_sub(gain);
    // Below 2^41·2^32·2^10, and 2^18·2^32.
    match (g * num as u128 * 988).checked_sub(missing * den as u128) {
        // Below 2^41·2^41·2^32·2^9.
        Some(down) if down > 0 => Some((alpha as u128 * g * den as u128 * 494, down)),
        _ => None,
    }
}

/// At least the variance that noise for sensitivity 1 needs, as a fraction with at most 17 binary places; the least
/// over orders m·2^j with m from 4 to 7. `num` and `den` are below 2^32, `a` above 0 and `k` at most 64.
pub(super) const fn variance(epsilon: (u64, u64), delta: (u64, u32)) -> Option<(u128, u128)> {
    let mut best: Option<(u128, u128)> = None;
    // Which order is best is judged by 2ρ in units of 2^−40, rounded: any order will do.
    let mut most = 0;
    let mut j = 0;
    while j <= MOST {
        let mut m = 4;
        while m < 8 {
            if let Some((up, down)) = at_order(m << j, epsilon, delta) {
                let worth = (down << 40) / (up / epsilon.1 as u128);
                if worth > most {
                    most = worth;
                    best = Some((up, down));
                }
            }
            m += 1;
        }
        j += 1;
    }
    let Some((up, down)) = best else {
        return None;
    };
    // PRIVACY: rounded up, to at least 16 significant binary digits or to a whole number.
    let whole = up / down;
    let places = match whole {
        0 => 17,
        _ => 16_u32.saturating_sub(whole.ilog2()),
    };
    match up.checked_mul(1 << places) {
        Some(up) => Some((up.div_ceil(down), 1 << places)),
        None => Some((whole + 1, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_bounded_from_below() {
        for n in (1..5_000).chain([1 << 40, (1 << 41) - 1]) {
            let (below, log) = (log_below(n) as f64 / 988.0, (n as f64).ln());
            assert!(below <= log, "{n}");
            assert!(below >= log * 0.998 - 0.224, "{n}: {below}");
        }
        for (m, below) in (4..8).zip(LOGS) {
            assert_eq!(below, (988.0 * f64::from(m).ln()) as u128);
        }
    }

    /// The standard deviation of the analytic Gaussian mechanism (Balle and Wang 2018) for sensitivity 1.
    fn analytic(epsilon: f64, delta: f64) -> f64 {
        // Continued fraction of the upper tail of the normal law, and its density where that is not enough.
        fn tail(x: f64) -> f64 {
            let density = (-x * x / 2.0).exp() / (2.0 * core::f64::consts::PI).sqrt();
            if x < 2.0 {
                // By the series of the lower half.
                let (mut term, mut sum, mut n) = (x, x, 1.0);
                while term.abs() > 1e-18 {
                    n += 2.0;
                    term *= x * x / n;
                    sum += term;
                }
                return 0.5 - density * sum;
            }
            density / (1..200).rev().fold(x, |below, n| x + f64::from(n) / below)
        }
        let spent = |sigma: f64| {
            tail(epsilon * sigma - 0.5 / sigma)
                - epsilon.exp() * tail(epsilon * sigma + 0.5 / sigma)
        };
        let (mut low, mut high) = (0.5, 1e6);
        for _ in 0..200 {
            let middle = f64::sqrt(low * high);
            if spent(middle) > delta {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    #[test]
    fn noise_is_at_most_a_tenth_above_the_analytic_one() {
        let known = [(0.1, 1e-6, 36.305), (0.5, 1e-6, 8.058), (0.9, 1e-9, 6.077)];
        for (epsilon, delta, sigma) in known {
            assert!((analytic(epsilon, delta) - sigma).abs() < 1e-3);
        }
        for tenths in [1_u64, 5, 9] {
            for k in [6_u32, 9] {
                let (up, down) = variance((tenths, 10), (1, k)).expect("an order");
                let sigma = (up as f64 / down as f64).sqrt();
                let least = analytic(tenths as f64 / 10.0, 10_f64.powi(-(k as i32)));
                let more = sigma / least - 1.0;
                println!(
                    "ε = {tenths}/10, δ = 1e-{k}: σ = {sigma:.3}, {:.2} % above {least:.3}",
                    more * 100.0
                );
                assert!((0.0..=0.1).contains(&more), "{more}");
            }
        }
    }

    /// ρ = 1/(2σ²) implies (ε, δ) at some order, in floating point.
    #[test]
    fn some_order_implies_the_price() {
        for (num, den) in [
            (1, 2),
            (99, 100),
            (1, 1_000_000_000),
            (1023, 1024),
            (4, 10),
            (1, 1000),
        ] {
            for (a, k) in [(1, 1), (1, 6), (5, 6), (1024, 9), (1, 30), (999, 30)] {
                let (up, down) = variance((num, den), (a, k)).expect("an order");
                let rho = down as f64 / (2.0 * up as f64);
                let (epsilon, log) = (
                    num as f64 / den as f64,
                    f64::from(k) * 10_f64.ln() - (a as f64).ln(),
                );
                let best = (0..4_000)
                    .map(|step| (f64::from(step) / 100.0).exp() * 0.01)
                    .map(|g| {
                        g * (epsilon - (1.0 + g) * rho) + (1.0 + g).ln() + g * (1.0 / g).ln_1p()
                    })
                    .fold(0.0, f64::max);
                assert!(best >= log, "{num}/{den}, {a}e-{k}: {best} < {log}");
                // Where δ is far above ε, m is taken as zero, and more is lost.
                let usual = epsilon >= 0.1 && k >= 6;
                assert!(
                    !usual || best <= log * 1.08 + 0.5,
                    "{num}/{den}, {a}e-{k}: {best} for {log}"
                );
            }
        }
    }
}
