//! Sparse vector: the wrong variants that M. Lyu, D. Su and N. Li collected ("Understanding the
//! Sparse Vector Technique for Differential Privacy", VLDB 2017), by their numbering.

use super::{Control, on, wrong};
use crate::{Claim, Coins};

/// Scales of the noise, as fractions. `None` means no noise.
pub(super) struct Variant {
    pub of_threshold: (u64, u64),
    pub of_answer: Option<(u64, u64)>,
    /// After how many answers above the threshold to stop.
    pub stop: usize,
}

/// For every answer asked, whether it was found above the threshold, as bits; and the last noisy
/// answer that was.
pub(super) fn sparse(
    coins: &mut Coins,
    variant: &Variant,
    threshold: i64,
    answers: &[i64],
) -> (u32, i64) {
    let (num, den) = variant.of_threshold;
    let threshold = threshold + coins.laplace(num, den);
    let (mut found, mut bits, mut last) = (0, 1, 0);
    for answer in answers {
        let noise = variant
            .of_answer
            .map_or(0, |(num, den)| coins.laplace(num, den));
        let above = answer + noise >= threshold;
        bits = 2 * bits + u32::from(above);
        if above {
            last = answer + noise;
            found += 1;
            if found >= variant.stop {
                break;
            }
        }
    }
    (bits, last)
}

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "sparse vector that releases answers",
            "algorithm 3: a released noisy answer also shows what the threshold was not",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (2, 1),
                    of_answer: Some((2, 1)),
                    stop: 1,
                };
                on(
                    audit,
                    [0, 0, 0, 0, 0, 0],
                    [1, 1, 1, 1, 1, 0],
                    |answers, coins| sparse(coins, &variant, 0, answers),
                )
            },
        ),
        wrong(
            "sparse vector not scaled for the number found",
            "algorithm 4: the noise of answers does not grow with how many may be found",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (4, 1),
                    of_answer: Some((4, 3)),
                    stop: 3,
                };
                on(audit, [0, 0, 1, 1, 1], [1, 1, 0, 0, 0], |answers, coins| {
                    sparse(coins, &variant, 2, answers).0
                })
            },
        ),
        wrong(
            "sparse vector without noise on answers",
            "algorithm 5: one noisy threshold orders the exact answers",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (2, 1),
                    of_answer: None,
                    stop: usize::MAX,
                };
                on(audit, [0, 1], [1, 0], |answers, coins| {
                    sparse(coins, &variant, 0, answers).0
                })
            },
        ),
        wrong(
            "sparse vector that never stops",
            "algorithm 6: any number of answers is found at the price of one",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (2, 1),
                    of_answer: Some((2, 1)),
                    stop: usize::MAX,
                };
                on(
                    audit,
                    [0, 0, 0, 0, 0, 0, 0, 0],
                    [1, 1, 1, 1, -1, -1, -1, -1],
                    |answers, coins| sparse(coins, &variant, 0, answers).0,
                )
            },
        ),
        wrong(
            "sparse vector of sums at the price of counts",
            "answers of sensitivity 3 with the noise of sensitivity 1",
            Claim::Pure(1.0),
            |audit| {
                let variant = Variant {
                    of_threshold: (2, 1),
                    of_answer: Some((4, 1)),
                    stop: 1,
                };
                on(audit, [0, 0, 3], [3, 3, 0], |answers, coins| {
                    sparse(coins, &variant, 3, answers).0
                })
            },
        ),
    ]
}
