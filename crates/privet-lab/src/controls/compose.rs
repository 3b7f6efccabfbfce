//! Several releases, or several people, at the price of one.

use super::{Control, on, wrong};
use crate::Claim;

pub(super) fn controls() -> Vec<Control> {
    vec![
        wrong(
            "one draw for two cells",
            "the difference of the cells is exact",
            Claim::Pure(1.0),
            |audit| {
                on(audit, (3, 0), (3, 1), |(a, b), coins| {
                    let noise = coins.laplace(1, 1);
                    (a + noise, b + noise)
                })
            },
        ),
        wrong(
            "one seed for two releases",
            "both releases get the same noise, and their difference is exact",
            Claim::Pure(2.0),
            |audit| {
                on(audit, 4, 5, |count, coins| {
                    let seed = coins.laplace(1, 1);
                    // All patients, then the smokers among them: the new one does not smoke.
                    (count + seed, 3 + seed)
                })
            },
        ),
        wrong(
            "two releases priced as one",
            "costs add",
            Claim::Pure(0.5),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    (x + coins.laplace(2, 1), x + coins.laplace(2, 1))
                })
            },
        ),
        wrong(
            "average of nine at the price of one",
            "averaging removes the noise, so each answer is paid for",
            Claim::Pure(0.25),
            |audit| {
                on(audit, 0, 9, |sum, coins| {
                    sum + (0..9).map(|_| coins.laplace(4, 1)).sum::<i64>()
                })
            },
        ),
        wrong(
            "sampling priced in proportion",
            "half a sample at ε = 2 costs ln(1 + (e² − 1)/2) = 1.43, not 1",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let sampled = if coins.word() & 1 == 0 { *x } else { 0 };
                    sampled + coins.laplace(1, 2)
                })
            },
        ),
        wrong(
            "two releases of one sample, each amplified",
            "both see the row or neither: ln(1 + (e² − 1)/2) = 1.43, not twice ln(1 + (e − 1)/2) = 1.24",
            Claim::Pure(1.2403),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let sampled = if coins.word() & 1 == 0 { *x } else { 0 };
                    (sampled + coins.laplace(1, 1), sampled + coins.laplace(1, 1))
                })
            },
        ),
        wrong(
            "two rows of a person priced as one",
            "the person is the unit, so the sensitivity is 2",
            Claim::Pure(1.0),
            |audit| on(audit, 0, 2, |x, coins| x + coins.laplace(1, 1)),
        ),
        wrong(
            "the larger of two costs, for one person in both tables",
            "costs of tables that may share people add",
            Claim::Pure(1.0),
            |audit| {
                on(audit, (0, 0), (1, 1), |(a, b), coins| {
                    (a + coins.laplace(1, 1), b + coins.laplace(1, 1))
                })
            },
        ),
        wrong(
            "a retry that is not charged",
            "an answer that looks wrong is asked for again, and the first is known",
            Claim::Pure(1.0),
            |audit| {
                on(audit, 0, 1, |x, coins| {
                    let first = x + coins.laplace(1, 1);
                    let retried = first < 1;
                    (
                        retried,
                        if retried {
                            x + coins.laplace(1, 1)
                        } else {
                            first
                        },
                    )
                })
            },
        ),
    ]
}
