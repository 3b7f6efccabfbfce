//! Reports of single people.

use super::{Control, on, wrong};
use crate::{Claim, Coins};

/// One of `values`: the truth with probability `keep`, else another.
pub(super) fn among(coins: &mut Coins, truth: u64, values: u64, keep: f64) -> u64 {
    if coins.chance(keep) {
        truth
    } else {
        (truth + 1 + coins.below(values - 1)) % values
    }
}

/// A one-hot vector of eight bits, each flipped with probability `flip`.
pub(super) fn one_hot(coins: &mut Coins, place: u32, flip: f64) -> u8 {
    (0..8).fold(1 << place, |bits, bit| {
        bits ^ (u8::from(coins.chance(flip)) << bit)
    })
}

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "randomized response with γ = 1/4 at ε = 1",
            "3/4 against 1/4 costs ln 3",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |bit, coins| among(coins, *bit, 2, 0.75)),
        ),
        wrong(
            "five answers with the odds of two",
            "the truth is kept as if the lie went to one answer",
            Claim::Pure(1.0),
            |audit| {
                let keep = 1f64.exp() / (1.0 + 1f64.exp());
                on(audit, 0, 1, |value, coins| among(coins, *value, 5, keep))
            },
        ),
        wrong(
            "sketch bits flipped at ε",
            "two bits differ between neighbours, so each gets ε/2",
            Claim::Pure(1.0),
            |audit| {
                let flip = 1.0 / (1.0 + 1f64.exp());
                on(audit, 0, 3, |place, coins| one_hot(coins, *place, flip))
            },
        ),
        wrong(
            "a coin from one byte",
            "e/(1 + e) becomes 188/256: the truth is a little too likely",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |bit, coins| {
                    u64::from(coins.below(256) >= 188) ^ bit
                })
            },
        ),
        wrong(
            "a fresh answer every day",
            "seven reports of the same bit cost seven times ε",
            Claim::Pure(1.0),
            |audit| {
                let keep = 1f64.exp() / (1.0 + 1f64.exp());
                on(audit, 0, 1, |bit, coins| {
                    (0..7).map(|_| among(coins, *bit, 2, keep)).sum::<u64>()
                })
            },
        ),
    ]
}
