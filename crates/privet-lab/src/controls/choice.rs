//! Choices whose price ignores that scores move in both directions.

use super::{Control, on, wrong};
use crate::{Claim, Coins};

/// The place of the largest.
pub(super) fn argmax(values: &[i64]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

/// A place with probability ∝ exp(rate·score).
pub(super) fn exponential(coins: &mut Coins, scores: &[i64], rate: f64) -> usize {
    let best = scores.iter().copied().max().unwrap_or(0);
    loop {
        let place = coins.below(scores.len() as u64) as usize;
        if coins.chance((rate * (scores[place] - best) as f64).exp()) {
            return place;
        }
    }
}

/// In random order, each with probability exp(rate·(score − best)).
pub(super) fn permute_and_flip(coins: &mut Coins, scores: &[i64], rate: f64) -> usize {
    let best = scores.iter().copied().max().unwrap_or(0);
    let mut places: Vec<usize> = (0..scores.len()).collect();
    let mut last = 0;
    while !places.is_empty() {
        last = places.swap_remove(coins.below(places.len() as u64) as usize);
        if coins.chance((rate * (scores[last] - best) as f64).exp()) {
            break;
        }
    }
    last
}

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "noisy max at Δ/ε",
            "scores that move in both directions need 2Δ/ε",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [3i64, 0, 0], [2, 1, 1], |scores, coins| {
                    argmax(&scores.map(|score| score + coins.laplace(1, 1)))
                })
            },
        ),
        wrong(
            "noisy max with its value",
            "the largest noisy score is released for the price of its place",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [0i64; 3], [1; 3], |scores, coins| {
                    let noisy = scores.map(|score| score + coins.laplace(2, 1));
                    let place = argmax(&noisy);
                    (place, noisy[place])
                })
            },
        ),
        wrong(
            "exponential mechanism at ε/Δ",
            "the normalizer moves too: the rate is ε/(2Δ)",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [1i64, 0, 0, 0], [0, 1, 1, 1], |scores, coins| {
                    exponential(coins, scores, 1.0)
                })
            },
        ),
        wrong(
            "exponential mechanism with a score of sensitivity 2",
            "the rate is ε/(2Δ), and Δ is 2",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [2i64, 0, 0], [0, 2, 2], |scores, coins| {
                    exponential(coins, scores, 0.5)
                })
            },
        ),
        wrong(
            "permute and flip at ε/Δ",
            "the best score moves too: the rate is ε/(2Δ)",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [1i64, 0, 0], [0, 1, 1], |scores, coins| {
                    permute_and_flip(coins, scores, 1.0)
                })
            },
        ),
    ]
}
