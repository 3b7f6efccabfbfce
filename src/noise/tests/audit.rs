//! Compares counts of outcomes with their probabilities. Moments would hide errors that counts show.

use std::collections::HashMap;

use crate::noise::{GaussianVariance, LaplaceScale};

/// Enough for six standard deviations to be a percent of the likelier outcomes.
pub(super) const DRAWS: usize = if cfg!(debug_assertions) {
    400_000
} else {
    4_000_000
};

pub(super) fn scale(num: u128, den: u64) -> LaplaceScale {
    LaplaceScale::new(num, den).unwrap()
}

pub(super) fn variance(num: u128, den: u64) -> GaussianVariance {
    GaussianVariance::new(num, den).unwrap()
}

/// What a distribution promises: P(k ≤ X < k + width).
pub(super) trait Law {
    fn mass(&self, first: i128, width: i128) -> f64;
    fn deviation(&self) -> f64;
}

impl Law for LaplaceScale {
    fn mass(&self, first: i128, width: i128) -> f64 {
        let rate = self.den() as f64 / self.num() as f64;
        let normal = 1.0 + (-rate).exp();
        // P(X ≥ k) = r^k/(1 + r) for k ≥ 0; by symmetry for the rest.
        let tail = |k: i128| (-rate * k as f64).exp() / normal;
        let (from, to) = (first, first + width);
        if from >= 0 {
            tail(from) * -(-rate * width as f64).exp_m1()
        } else if to <= 1 {
            tail(1 - to) * -(-rate * width as f64).exp_m1()
        } else {
            1.0 - tail(1 - from) - tail(to)
        }
    }

    fn deviation(&self) -> f64 {
        1.5 * self.num() as f64 / self.den() as f64
    }
}

impl Law for GaussianVariance {
    fn mass(&self, first: i128, width: i128) -> f64 {
        let var = self.num() as f64 / self.den() as f64;
        let weight = |k: f64| (-k * k / (2.0 * var)).exp();
        let normal = if var > 400.0 {
            // The sum over the integers is the integral up to a factor 1 + 2·exp(−2π²σ²).
            (2.0 * std::f64::consts::PI * var).sqrt()
        } else {
            1.0 + 2.0 * (1..1000).map(|k| weight(k.into())).sum::<f64>()
        };
        let sum = if width <= 4096 {
            (first..first + width)
                .map(|k| weight(k as f64))
                .sum::<f64>()
        } else {
            // Midpoints; bins are a fraction of σ, so the error is far below sampling error.
            let steps = 2000;
            let step = width as f64 / steps as f64;
            let start = first as f64 - 0.5;
            step * (0..steps)
                .map(|i| weight(start + (i as f64 + 0.5) * step))
                .sum::<f64>()
        };
        sum / normal
    }

    fn deviation(&self) -> f64 {
        (self.num() as f64 / self.den() as f64).sqrt()
    }
}

/// Checks draws against a law: every outcome (or bin, at large scales) that is expected at least
/// 100 times, the signs, and the low bits, each within six standard deviations.
pub(super) fn audit(law: &impl Law, draws: &[i128]) {
    let width = ((law.deviation() / 16.0) as i128).max(1);
    let total = draws.len() as f64;
    let check = |what: &str, at: i128, seen: usize, probability: f64| {
        let expected = total * probability;
        let spread = (expected * (1.0 - probability)).sqrt();
        let off = (seen as f64 - expected).abs();
        assert!(
            off <= 6.0 * spread + 1e-6 * expected,
            "{what} {at}: seen {seen}, expected {expected:.1} ± {spread:.1}"
        );
    };
    let mut counts = HashMap::new();
    for &draw in draws {
        *counts.entry(draw.div_euclid(width)).or_insert(0_usize) += 1;
    }
    let mut covered = 0.0;
    let mut covered_count = 0;
    for bin in 0.. {
        let mass = law.mass(bin * width, width);
        if total * mass < 100.0 {
            break;
        }
        for bin in if bin == 0 { vec![0] } else { vec![bin, -bin] } {
            let seen = counts.get(&bin).copied().unwrap_or(0);
            let mass = law.mass(bin * width, width);
            check("bin", bin, seen, mass);
            covered += mass;
            covered_count += seen;
        }
    }
    assert!(
        covered > 0.5,
        "an audit that looks at few draws says little"
    );
    let rest = (1.0 - covered).max(0.0);
    if total * rest >= 100.0 {
        check("rest", 0, draws.len() - covered_count, rest);
    }
    let zero = law.mass(0, 1);
    let positive = draws.iter().filter(|&&k| k > 0).count();
    let negative = draws.iter().filter(|&&k| k < 0).count();
    check("positive", 1, positive, (1.0 - zero) / 2.0);
    check("negative", -1, negative, (1.0 - zero) / 2.0);
    check("zero", 0, draws.len() - positive - negative, zero);
    // Low bits: from the law at small scales; at large ones uniform to within 1/σ².
    let odd = draws.iter().filter(|&&k| k & 1 == 1).count();
    if law.deviation() < 200.0 {
        let reach = (60.0 * law.deviation()) as i128 | 1;
        let mass = (-reach..=reach).step_by(2).map(|k| law.mass(k, 1)).sum();
        check("odd", 1, odd, mass);
    } else {
        check("odd", 1, odd, 0.5);
        for digit in 0..16 {
            let seen = draws.iter().filter(|&&k| k & 15 == digit).count();
            check("low digit", digit, seen, 1.0 / 16.0);
        }
    }
}

/// The audit must catch the errors it is made for.
mod the_audit_catches {
    use super::*;
    use crate::noise::{Entropy, laplace::laplace};

    fn draws(scale: LaplaceScale, change: impl Fn(i128, i128) -> i128) -> Vec<i128> {
        let mut entropy = Entropy::public([77; 32]);
        let draw = |_| change(laplace(&mut entropy, scale), laplace(&mut entropy, scale));
        (0..DRAWS).map(draw).collect()
    }

    #[test]
    fn nothing_in_honest_draws() {
        audit(&scale(10, 1), &draws(scale(10, 1), |x, _| x));
    }

    #[test]
    #[should_panic(expected = "expected")]
    fn a_scale_that_is_five_percent_off() {
        audit(&scale(100, 1), &draws(scale(95, 1), |x, _| x));
    }

    #[test]
    #[should_panic(expected = "expected")]
    fn a_zero_that_is_redrawn_once() {
        audit(
            &scale(10, 1),
            &draws(scale(10, 1), |x, y| if x == 0 { y } else { x }),
        );
    }

    #[test]
    #[should_panic(expected = "expected")]
    fn a_lost_low_bit() {
        audit(&scale(1000, 1), &draws(scale(1000, 1), |x, _| x & !1));
    }

    #[test]
    #[should_panic(expected = "expected")]
    fn a_favoured_sign() {
        let biased = |x: i128, y: i128| if y & 31 == 0 { x.abs() } else { x };
        audit(&scale(1000, 1), &draws(scale(1000, 1), biased));
    }
}
