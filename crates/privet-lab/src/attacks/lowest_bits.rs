//! The lowest bits of naive noise reveal what it was added to (Mironov, 2012).

use crate::Coins;
use crate::controls::naive_laplace;

/// The uniform numbers that noise is made from have a step of one over this.
const STEPS: i64 = 1 << 53;

/// Whether [`naive_laplace`] of scale 1 added to `answer` can give `output` at all.
///
/// The noise is −ln(j/2^53) for some whole j: the candidates are those next to 2^53·e^−|output −
/// answer|, and each is tried.
#[must_use]
pub fn is_possible(answer: f64, output: f64) -> bool {
    if !answer.is_finite() || !output.is_finite() {
        return false;
    }
    let nearest = ((-(output - answer).abs()).exp() * STEPS as f64).round() as i64;
    // Half a unit in the last place of the output, of the answer and of the exponential.
    let around = 24 + (answer.abs() + output.abs()).min(1e6) as i64;
    let candidates = nearest.saturating_sub(around).max(1)..=(nearest + around).min(STEPS);
    candidates.into_iter().any(|j| {
        let noise = -(j as f64 / STEPS as f64).ln();
        answer + noise == output || answer - noise == output
    })
}

/// How many outputs of naive noise at ε = 1 on an answer of 0 are impossible on an answer of 1.
///
/// Each of them proves that the answer was not 1.
#[must_use]
pub fn impossible_share(draws: u32, seed: u64) -> f64 {
    let mut coins = Coins::new(seed);
    let impossible = (0..draws)
        .filter(|_| !is_possible(1.0, naive_laplace(&mut coins, 1.0)))
        .count();
    impossible as f64 / f64::from(draws.max(1))
}
