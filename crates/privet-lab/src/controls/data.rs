//! Data that reaches the output without passing through the noise.

use super::{Control, on, wrong};
use crate::Claim;

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "sum of an unclamped value",
            "one record of 3 moves the sum by more than the assumed 1",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 3, |x, coins| x + coins.laplace(1, 1)),
        ),
        wrong(
            "count after a filter, priced at 0",
            "under Replace n is public, but not after a filter",
            Claim::Pure(0.0),
            |audit| on(audit, 10, 11, |x, _| *x),
        ),
        wrong(
            "histogram with keys from the data",
            "a key that nobody else has appears or not",
            Claim::Pure(1.0),
            |audit| {
                on(audit, vec![5, 0], vec![5, 1], |counts, coins| {
                    let present = counts.iter().filter(|n| **n > 0);
                    present
                        .map(|n| n + coins.laplace(1, 1))
                        .collect::<Vec<i64>>()
                })
            },
        ),
        wrong(
            "unknown keys with a low threshold",
            "a lone key passes a threshold of 3 far more often than δ",
            Claim::Approximate(1.0, 1e-6),
            |audit| {
                on(audit, 0, 1, |n, coins| {
                    let noisy = n + coins.laplace(1, 1);
                    (*n > 0 && noisy > 3).then_some(noisy)
                })
            },
        ),
        wrong(
            "name and shame",
            "publishes one in a hundred records; δ alone is no privacy",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 41, 42, |record, coins| {
                    coins.chance(0.01).then_some(*record)
                })
            },
        ),
        wrong(
            "ε in the additive sense",
            "tells all with probability 0.1 and calls it ε = 0.1",
            Claim::Pure(0.1),
            |audit| {
                on(audit, 0, 1, |bit, coins| {
                    if coins.chance(0.1) {
                        *bit
                    } else {
                        (coins.word() & 1) as i64
                    }
                })
            },
        ),
        wrong(
            "noisy sum over an exact count",
            "the number of records is private under AddRemove",
            Claim::Pure(1.0),
            |audit| {
                on(audit, (2, 4), (2, 5), |(sum, n), coins| {
                    // The mean in units of 1/20, which is what a reader of decimals sees.
                    20 * (sum + coins.laplace(1, 1)) / n
                })
            },
        ),
        wrong(
            "histogram under Replace as under AddRemove",
            "one record leaves one bin and enters another: sensitivity 2",
            Claim::Pure(1.0),
            |audit| {
                on(audit, (1, 0), (0, 1), |(a, b), coins| {
                    (a + coins.laplace(1, 1), b + coins.laplace(1, 1))
                })
            },
        ),
        wrong(
            "laplace calibrated to an L2 sensitivity",
            "(1, 1, 1, 1) has L2 norm 2 but L1 norm 4",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    [0; 4].map(|_: i64| x + coins.laplace(2, 1))
                })
            },
        ),
        wrong(
            "an error on small counts",
            "whether it fails depends on the exact count",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 4, 5, |n, coins| {
                    if *n < 5 {
                        Err(())
                    } else {
                        Ok(n + coins.laplace(1, 1))
                    }
                })
            },
        ),
        wrong(
            "exact where large",
            "no noise from 1000 on, since it would hardly matter",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 999, 1000, |n, coins| {
                    if *n >= 1000 {
                        *n
                    } else {
                        n + coins.laplace(1, 1)
                    }
                })
            },
        ),
        wrong(
            "noise scaled to the data",
            "the scale is taken from the largest value present, and shows it",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 1u64, 4, |most, coins| {
                    *most as i64 + coins.laplace(*most, 1)
                })
            },
        ),
        wrong(
            "a branch on an exact count",
            "which of two noisy answers is given depends on the exact one",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |n, coins| {
                    if *n > 0 {
                        10 + coins.laplace(1, 1)
                    } else {
                        coins.laplace(1, 1)
                    }
                })
            },
        ),
        wrong(
            "a fold given the sensitivity of one step",
            "a running total of 0 or 1 is added three times",
            Claim::Pure(1.0),
            |audit| {
                on(audit, [0, 0, 0], [1, 0, 0], |values, coins| {
                    let mut total = 0;
                    let folded = values.iter().fold(0, |sum, value| {
                        total += value;
                        sum + total
                    });
                    folded + coins.laplace(1, 1)
                })
            },
        ),
    ]
}
