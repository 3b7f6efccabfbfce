//! Tails of discrete noise, exact up to floating-point error.

use crate::noise::{GaussianVariance, LaplaceScale};

/// A distribution of noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Law {
    Laplace(LaplaceScale),
    Gaussian(GaussianVariance),
    Coins,
}

/// What each of `cells` independent cells may miss, so that all hold with probability
/// `confidence`: 1 − c^(1/cells), exactly
/// ([T18](crate::guide::theory#t18-error-of-laplace-noise) has
/// confidence/cells, by the union bound).
pub(crate) fn tail(confidence: f64, cells: usize) -> Option<f64> {
    (confidence > 0.0 && confidence < 1.0)
        .then(|| -(confidence.ln() / cells.max(1) as f64).exp_m1())
}

impl Law {
    /// The least whole number g with P(|X| > g) ≤ `tail`.
    pub(crate) fn reach(self, tail: f64) -> f64 {
        match self {
            Law::Laplace(scale) => laplace(scale.num() as f64 / scale.den() as f64, tail),
            Law::Gaussian(variance) => {
                gaussian(variance.num() as f64 / variance.den() as f64, tail)
            }
            // P(|X| > g) = 2^−(g + 1)
            Law::Coins => (-tail.log2()).ceil() - 1.0,
        }
        .max(0.0)
    }
}

/// P(|X| > g) = 2·r^(g+1)/(1 + r) with r = e^(−1/scale).
fn laplace(scale: f64, tail: f64) -> f64 {
    let r = (-1.0 / scale).exp();
    (scale * (2.0 / (tail * (1.0 + r))).ln()).ceil() - 1.0
}

/// Sums the probabilities themselves. Beyond σ = 2000 it uses a coarser grid and rounds up.
fn gaussian(variance: f64, tail: f64) -> f64 {
    const WIDE: f64 = 2000.0;
    let deviation = variance.sqrt();
    if deviation > WIDE {
        return ((gaussian(WIDE * WIDE, tail) + 1.0) * (deviation / WIDE)).ceil();
    }
    let weight = |k: f64| (-k * k / (2.0 * variance)).exp();
    // Beyond 39 σ weights are zero in floating point.
    let last = (39.0 * deviation).ceil() + 1.0;
    let (mut outside, mut inside) = (0.0, 0.0);
    let mut k = last;
    while k >= 1.0 {
        inside += 2.0 * weight(k);
        k -= 1.0;
    }
    let total = inside + 1.0;
    let mut g = last;
    while g >= 1.0 && outside + 2.0 * weight(g) <= tail * total {
        outside += 2.0 * weight(g);
        g -= 1.0;
    }
    g
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(num: u128, den: u64) -> Law {
        Law::Laplace(LaplaceScale::new(num, den).unwrap())
    }

    fn variance(num: u128, den: u64) -> Law {
        Law::Gaussian(GaussianVariance::new(num, den).unwrap())
    }

    /// P(|X| > g), by summing probabilities one by one.
    fn beyond(law: Law, g: f64) -> f64 {
        let weight = |k: f64| match law {
            Law::Laplace(scale) => (-k.abs() * scale.den() as f64 / scale.num() as f64).exp(),
            Law::Gaussian(variance) => {
                (-k * k * variance.den() as f64 / (2.0 * variance.num() as f64)).exp()
            }
            Law::Coins if k == 0.0 => 0.5,
            Law::Coins => (-k.abs() - 2.0).exp2(),
        };
        let both = |from: i64| 2.0 * (from..20_000).rev().map(|k| weight(k as f64)).sum::<f64>();
        both(g as i64 + 1) / (weight(0.0) + both(1))
    }

    #[test]
    fn the_reach_is_the_least_that_holds() {
        let laws = [
            scale(1, 1),
            scale(10, 1),
            scale(1, 7),
            scale(1000, 3),
            variance(1, 1),
            variance(400, 3),
            variance(1, 10),
            variance(250_000, 1),
            Law::Coins,
        ];
        for law in laws {
            for tail in [0.5, 0.4, 0.1, 0.05, 0.001, 1e-9] {
                let g = law.reach(tail);
                assert!(beyond(law, g) <= tail * (1.0 + 1e-9), "{law:?} {tail}");
                assert!(
                    g == 0.0 || beyond(law, g - 1.0) > tail * (1.0 - 1e-9),
                    "{law:?} {tail}"
                );
            }
        }
    }

    #[test]
    fn wide_gaussians_are_not_understated() {
        let wide = variance(10_000 * 10_000, 1).reach(0.05);
        assert!((19_600.0..19_620.0).contains(&wide), "{wide}");
    }

    #[test]
    fn only_a_probability_is_a_confidence() {
        assert!(tail(0.0, 1).is_none() && tail(1.0, 1).is_none() && tail(f64::NAN, 1).is_none());
        assert!((tail(0.95, 1).unwrap() - 0.05).abs() < 1e-15);
        assert!(tail(0.95, 100).unwrap() > 0.05 / 100.0); // better than the union bound
    }
}
