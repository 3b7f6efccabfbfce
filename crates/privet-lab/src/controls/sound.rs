//! Mechanisms that keep their promise.

use privet::noise::{LaplaceScale, laplace};

use super::choice::{argmax, exponential, permute_and_flip};
use super::noise::coin_flips;
use super::response::{among, one_hot};
use super::sparse::{Variant, sparse};
use super::{Control, on, right};
use crate::{Claim, Coins};

pub(super) fn controls() -> Vec<Control> {
    vec![
        right(
            "discrete laplace",
            "Laplace noise of scale Δ/ε",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(1, 1)),
        ),
        right(
            "discrete laplace at scale 10",
            "Laplace noise of scale Δ/ε",
            Claim::Pure(0.1),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(10, 1)),
        ),
        right(
            "discrete laplace, one at a time",
            "Laplace noise of scale Δ/ε",
            Claim::Pure(0.5),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let noise =
                        LaplaceScale::new(2, 1).and_then(|s| laplace(coins.entropy(), s).ok());
                    x + noise.unwrap_or_else(|| failed(coins).into())
                })
            },
        ),
        right(
            "discrete laplace in constant time",
            "Laplace noise of scale Δ/ε",
            Claim::Pure(0.5),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    x + coins.laplace_constant_time(2, 1)
                })
            },
        ),
        right(
            "coin flips",
            "P(0)/P(1) = 4, at ln 4",
            Claim::Pure(4f64.ln()),
            |audit| on(audit, 0, 1, |x, coins| x + coin_flips(coins)),
        ),
        right(
            "discrete gaussian",
            "variance Δ²/(2ρ)",
            Claim::Concentrated(0.125),
            |audit| on(audit, 0, 1, |x, coins| x + coins.gaussian(4, 1)),
        ),
        right(
            "discrete gaussian for ε = 1/2, δ = 1/1000",
            "the variance that zCDP proves",
            Claim::Approximate(0.5, 1e-3),
            |audit| on(audit, 0, 1, |x, coins| x + coins.gaussian(58, 1)),
        ),
        right(
            "randomized response",
            "the odds of the truth are e^ε",
            Claim::Pure(3f64.ln()),
            |audit| on(audit, 0, 1, |bit, coins| among(coins, *bit, 2, 0.75)),
        ),
        right(
            "randomized response, five answers",
            "the odds of the truth are e^ε",
            Claim::Pure(1.0),
            |audit| {
                let keep = 1f64.exp() / (4.0 + 1f64.exp());
                on(audit, 0, 1, |value, coins| among(coins, *value, 5, keep))
            },
        ),
        right(
            "sketch bits flipped at ε/2",
            "each of two bits gets ε/2",
            Claim::Pure(1.0),
            |audit| {
                let flip = 1.0 / (1.0 + 0.5f64.exp());
                on(audit, 0, 3, |place, coins| one_hot(coins, *place, flip))
            },
        ),
        right(
            "noisy max at 2Δ/ε",
            "the factor of two",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [3i64, 0, 0], [2, 1, 1], |scores, coins| {
                    argmax(&scores.map(|score| score + coins.laplace(2, 1)))
                })
            },
        ),
        right(
            "exponential mechanism at ε/(2Δ)",
            "the normalizer moves too",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [1i64, 0, 0, 0], [0, 1, 1, 1], |scores, coins| {
                    exponential(coins, scores, 0.5)
                })
            },
        ),
        right(
            "permute and flip at ε/(2Δ)",
            "the best moves too",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [1i64, 0, 0], [0, 1, 1], |scores, coins| {
                    permute_and_flip(coins, scores, 0.5)
                })
            },
        ),
        right(
            "sparse vector",
            "Lyu, Su and Li, algorithm 1",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (2, 1),
                    of_answer: Some((8, 1)),
                    stop: 2,
                };
                on(audit, [0, 0, 1, 1], [1, 1, 0, 0], |answers, coins| {
                    sparse(coins, &variant, 0, answers).0
                })
            },
        ),
        right(
            "histogram under Replace",
            "sensitivity 2 under Replace",
            Claim::Pure(1.0),
            |audit| {
                on(audit, (1, 0), (0, 1), |(a, b), coins| {
                    (a + coins.laplace(2, 1), b + coins.laplace(2, 1))
                })
            },
        ),
        right(
            "two releases at the price of two",
            "costs add",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    (x + coins.laplace(2, 1), x + coins.laplace(2, 1))
                })
            },
        ),
        right(
            "half a sample",
            "costs ln(1 + (e² − 1)/2)",
            Claim::Pure((1.0 + (2f64.exp() - 1.0) / 2.0).ln()),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let sampled = if coins.word() & 1 == 0 { *x } else { 0 };
                    sampled + coins.laplace(1, 2)
                })
            },
        ),
        right(
            "rounded after the noise",
            "post-processing is free",
            Claim::Pure(0.25),
            |audit| {
                on(audit, 16_777_215i64, 16_777_216, |x, coins| {
                    (x + coins.laplace(4, 1)) as f32 as i64
                })
            },
        ),
        right(
            "unknown keys above 1 + ln(1/δ)/ε",
            "a lone key passes with probability below δ",
            Claim::Approximate(1.0, 1e-3),
            |audit| {
                on(audit, 0, 1, |n, coins| {
                    let noisy = n + coins.laplace(1, 1);
                    (*n > 0 && noisy > 8).then_some(noisy)
                })
            },
        ),
    ]
}

/// Tells the audit that the noise could not be drawn.
fn failed(coins: &mut Coins) -> i64 {
    coins.fail();
    0
}
