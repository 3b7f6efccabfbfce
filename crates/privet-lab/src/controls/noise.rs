//! Noise that is not what its price says.

use std::f64::consts::LN_2;

use super::{Control, on, wrong};
use crate::{Claim, Coins};

/// Laplace noise as textbooks write it: −b·sign·ln u in floating point.
///
/// Its possible values have gaps that depend on what it is added to; see
/// [`attacks`](crate::attacks).
pub fn naive_laplace(coins: &mut Coins, scale: f64) -> f64 {
    let magnitude = -scale * (1.0 - coins.unit()).ln();
    if coins.word() & 1 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// Noise by inversion of P(|X| ≤ g), by a table for `scale`, from the first entry above u.
fn by_table(coins: &mut Coins, table: &[f64]) -> i64 {
    loop {
        let u = coins.unit();
        let magnitude = table.partition_point(|c| *c <= u) as i64;
        let negative = coins.word() & 1 == 1;
        if magnitude > 0 || !negative {
            return if negative { -magnitude } else { magnitude };
        }
    }
}

/// P(|X| proposed ≤ g) for the magnitude before −0 is rejected.
fn table(scale: f64) -> Vec<f64> {
    (1..=(40.0 * scale) as i32)
        .map(|g| 1.0 - (-f64::from(g) / scale).exp())
        .collect()
}

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "naive f64 laplace",
            "the lowest bits of a floating-point sum tell what was added",
            Claim::Pure(1.0),
            |audit| on(audit, 0.0, 1.0, |x, coins| x + naive_laplace(coins, 1.0)),
        ),
        wrong(
            "laplace cut off by a cast",
            "truncation towards zero gives 0 the mass of both sides",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + naive_laplace(coins, 1.0) as i64),
        ),
        wrong(
            "one-sided noise",
            "an output below the answer is impossible",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(1, 1).abs()),
        ),
        wrong(
            "gaussian sold as pure",
            "its tails have no bounded ratio",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + coins.gaussian(1, 1)),
        ),
        wrong(
            "gaussian of half the variance",
            "the variance is Δ²/(2ρ), not Δ²/(4ρ)",
            Claim::Concentrated(0.125),
            |audit| on(audit, 0, 1, |x, coins| x + coins.gaussian(2, 1)),
        ),
        wrong(
            "the note's gaussian at ε = 10",
            "σ² = 2 ln(1.25/δ)/ε² is for ε < 1",
            Claim::Approximate(10.0, 0.05),
            |audit| on(audit, 0, 8, |x, coins| x + coins.gaussian(412, 100)),
        ),
        wrong(
            "scale 5 % too small",
            "the loss is Δ/scale, here 20/19",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(19, 20)),
        ),
        wrong(
            "scale 5 % too small, at scale 4",
            "the loss is Δ/scale, here 5/19",
            Claim::Pure(0.25),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(19, 5)),
        ),
        wrong(
            "-0 kept",
            "sign and magnitude drawn apart give 0 twice its mass",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let magnitude = coins.geometric((-1f64).exp());
                    if coins.word() & 1 == 0 {
                        x + magnitude
                    } else {
                        x - magnitude
                    }
                })
            },
        ),
        wrong(
            "wrong parity",
            "noise on even numbers only keeps the answer's parity",
            Claim::Pure(0.5),
            |audit| on(audit, 0, 1, |x, coins| x + 2 * coins.laplace(1, 1)),
        ),
        wrong(
            "table read off by one",
            "the first threshold is skipped, so 0 takes the mass of 1",
            Claim::Pure(0.25),
            |audit| {
                let table = table(4.0);
                on(audit, 0, 1, |x, coins| x + by_table(coins, &table[1..]))
            },
        ),
        wrong(
            "one threshold of a table twice",
            "one value is never drawn",
            Claim::Pure(0.25),
            |audit| {
                let mut table = table(4.0);
                table[9] = table[10];
                on(audit, 0, 1, |x, coins| x + by_table(coins, &table))
            },
        ),
        wrong(
            "one threshold 2 % off",
            "one value of probability 0.04 is too likely by a quarter, the next too rare",
            Claim::Pure(0.25),
            |audit| {
                let mut table = table(4.0);
                table[3] *= 1.02;
                on(audit, 0, 1, |x, coins| x + by_table(coins, &table))
            },
        ),
        wrong(
            "seam of a table",
            "past the table |X| is drawn again, where the tail is a geometric variable",
            Claim::Pure(0.5),
            |audit| {
                let short = &table(2.0)[..6];
                on(audit, 0, 1, |x, coins| {
                    let noise = by_table(coins, short);
                    let more = if noise.abs() == 6 {
                        coins.laplace(2, 1).abs()
                    } else {
                        0
                    };
                    x + noise + noise.signum() * more
                })
            },
        ),
        wrong(
            "wide noise without acceptance",
            "uniform low bits are accepted as they come, so blocks have steps between them",
            Claim::Pure(0.125),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    x + 4 * coins.laplace(2, 1) + coins.below(4) as i64
                })
            },
        ),
        wrong(
            "tails cut at a public bound",
            "the largest outputs are possible on one input only",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 1, |x, coins| x + coins.laplace(1, 1).clamp(-6, 6)),
        ),
        wrong(
            "drawn again until not negative",
            "how often it is drawn again depends on the answer",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    loop {
                        let noisy = x + coins.laplace(1, 1);
                        if noisy >= 0 {
                            break noisy;
                        }
                    }
                })
            },
        ),
        wrong(
            "whole noise on a fraction",
            "the fractional part is released as it is",
            Claim::Pure(1.0),
            |audit| on(audit, 0.25, 0.75, |x, coins| x + coins.laplace(1, 1) as f64),
        ),
        wrong(
            "noise rounded in f32",
            "above 2^24 a sum keeps the answer's last digit or not, by its size",
            Claim::Pure(0.25),
            |audit| {
                on(audit, 16_777_215i64, 16_777_216, |x, coins| {
                    // The noise is rounded to the answer's grid before the sum, as in a
                    // library that snaps to the spacing of the floats at hand.
                    let grid = f64::from((*x as f32).next_up() - *x as f32);
                    let noise = (naive_laplace(coins, 4.0) / grid).round() * grid;
                    x + noise as i64
                })
            },
        ),
        wrong(
            "an 8-bit seed",
            "256 seeds give 256 outputs, and others are impossible",
            Claim::Pure(0.1),
            |audit| {
                let values: Vec<i64> = (0..256)
                    .map(|seed| Coins::new(seed).laplace(10, 1))
                    .collect();
                on(audit, 0, 1, |x, coins| {
                    x + values[coins.below(256) as usize]
                })
            },
        ),
        wrong(
            "coin flips at the wrong price",
            "P(0)/P(1) = 4, so it costs ln 4 and not ln 2",
            Claim::Pure(LN_2),
            |audit| on(audit, 0, 1, |x, coins| x + coin_flips(coins)),
        ),
        wrong(
            "geometric of the wrong ratio",
            "ratio e^−2ε, from halving where Δ doubles",
            Claim::Pure(0.5),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    x + coins.geometric((-1f64).exp()) - coins.geometric((-1f64).exp())
                })
            },
        ),
    ]
}

/// P(0) = 1/2 and P(±k) = 2^−(k+2).
pub(super) fn coin_flips(coins: &mut Coins) -> i64 {
    let word = coins.word();
    match word & 3 {
        0 | 1 => 0,
        sign => {
            let size = 1 + (word >> 2).trailing_zeros().min(62) as i64;
            if sign == 2 { size } else { -size }
        }
    }
}
