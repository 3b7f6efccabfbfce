//! What was spent in sum: exact while it fits, rounded up when it does not.

use num_rational::Ratio;

use crate::cost::Price;

/// The grid that sums are rounded up to when their exact fraction outgrows 128 bits.
const GRID: u128 = 1_000_000_000_000_000_000;

/// The sum of all charges: ε or ρ, and δ.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    main: Ratio<u128>,
    delta: Ratio<u128>,
}

impl Spent {
    /// The sum after one more charge, in the notion of `cap`; none if the two do not fit.
    ///
    /// PRIVACY: the result is never below the true sum.
    pub(crate) fn plus(self, price: Price, cap: Price) -> Option<Spent> {
        let (main, delta) = amounts(price, cap)?;
        Some(Spent {
            main: add_up(self.main, main)?,
            delta: add_up(self.delta, delta)?,
        })
    }

    /// Both together; none if the sum does not fit.
    ///
    /// PRIVACY: the result is never below the true sum.
    #[cfg(feature = "ledger")]
    pub(crate) fn and(self, other: Spent) -> Option<Spent> {
        Some(Spent {
            main: add_up(self.main, other.main)?,
            delta: add_up(self.delta, other.delta)?,
        })
    }

    /// The sum as a price in the notion of `cap`. Only a report: never used to decide.
    #[cfg(feature = "ledger")]
    pub(crate) fn price(self, cap: Price) -> Price {
        in_notion_of(cap, self.main, self.delta)
    }

    /// Whether the cap covers all of it.
    pub(crate) fn within(self, cap: Price) -> bool {
        amounts(cap, cap).is_some_and(|(main, delta)| self.main <= main && self.delta <= delta)
    }

    /// What is left of the cap. This is only a report and never decides a charge.
    ///
    /// It rounds as the charges do, so it is never more than what is left, and a charge of exactly this
    /// amount is never refused.
    pub(crate) fn left(self, cap: Price) -> Price {
        amounts(cap, cap).map_or_else(
            || Spent::nothing_left(cap),
            |(main, delta)| {
                let main = subtract_down(main, self.main);
                in_notion_of(cap, main, subtract_down(delta, self.delta))
            },
        )
    }

    /// What is left of a cap from which nothing can be spent.
    pub(crate) fn nothing_left(cap: Price) -> Price {
        in_notion_of(cap, Ratio::ZERO, Ratio::ZERO)
    }
}

/// A price in the notion of `cap`.
fn in_notion_of(cap: Price, main: Ratio<u128>, delta: Ratio<u128>) -> Price {
    match (cap.rho(), cap.is_pure()) {
        (Some(_), _) => Price::zcdp(main),
        (None, true) => Price::pure(main),
        (None, false) => Price::approximate(main, delta),
    }
}

/// A price in the notion of `cap`: ε or ρ, and δ. None where that notion cannot pay for it.
fn amounts(price: Price, cap: Price) -> Option<(Ratio<u128>, Ratio<u128>)> {
    match (price.epsilon(), price.rho(), cap.rho().is_some()) {
        (_, Some(rho), true) => Some((rho, Ratio::ZERO)),
        // A pure price in a zCDP cap: ε²/2 (guide::theory, T16).
        (Some(epsilon), None, true) if price.delta() == Some(Ratio::ZERO) => {
            let numer = epsilon.numer().checked_pow(2)?;
            let denom = epsilon.denom().checked_pow(2)?.checked_mul(2)?;
            Some((Ratio::new(numer, denom), Ratio::ZERO))
        }
        (Some(epsilon), None, false) => Some((epsilon, price.delta()?)),
        _ => None,
    }
}

// Proved: Ledger.add_up_sound
/// a + b, exact if it fits in 128 bits, otherwise the next multiple of the grid above each.
fn add_up(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    exact_sum(a, b).or_else(|| {
        let sum = round_up(a, GRID)?.checked_add(round_up(b, GRID)?)?;
        Some(Ratio::new(sum, GRID))
    })
}

fn exact_sum(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let gcd = gcd(*a.denom(), *b.denom());
    let (up_a, up_b) = (b.denom() / gcd, a.denom() / gcd);
    let numer = a
        .numer()
        .checked_mul(up_a)?
        .checked_add(b.numer().checked_mul(up_b)?)?;
    Some(Ratio::new(numer, a.denom().checked_mul(up_a)?))
}

/// a − b, or zero if that is negative. It is exact if it fits in 128 bits; otherwise a is rounded down
/// to the grid and b is rounded up.
fn subtract_down(a: Ratio<u128>, b: Ratio<u128>) -> Ratio<u128> {
    exact_difference(a, b)
        .or_else(|| {
            let difference = round_down(a, GRID)?.saturating_sub(round_up(b, GRID)?);
            Some(Ratio::new(difference, GRID))
        })
        .unwrap_or(Ratio::ZERO)
}

fn exact_difference(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let gcd = gcd(*a.denom(), *b.denom());
    let (up_a, up_b) = (b.denom() / gcd, a.denom() / gcd);
    let numer = a
        .numer()
        .checked_mul(up_a)?
        .saturating_sub(b.numer().checked_mul(up_b)?);
    Some(Ratio::new(numer, a.denom().checked_mul(up_a)?))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

// Proved: Ledger.round_up_sound, Ledger.no_wrap
/// The smallest integer that is at least x·grid, or slightly above it for very large denominators.
fn round_up(x: Ratio<u128>, grid: u128) -> Option<u128> {
    let (mut numer, mut denom) = (*x.numer(), *x.denom());
    let whole = (numer / denom).checked_mul(grid)?;
    numer %= denom;
    // A larger numerator over a smaller denominator only rounds up. The fraction stays below 1, so a
    // numerator that grew past the denominator is cut back to it.
    while denom >= u128::MAX / grid {
        (numer, denom) = (numer / 2 + 1, denom / 2);
    }
    whole.checked_add(numer.min(denom).checked_mul(grid)?.div_ceil(denom))
}

/// The largest integer that is at most x·grid, or slightly below it for very large denominators.
fn round_down(x: Ratio<u128>, grid: u128) -> Option<u128> {
    let (mut numer, mut denom) = (*x.numer(), *x.denom());
    let whole = (numer / denom).checked_mul(grid)?;
    numer %= denom;
    // A smaller numerator over a larger denominator only rounds down.
    while denom >= u128::MAX / grid {
        (numer, denom) = (numer / 2, denom / 2 + 1);
    }
    whole.checked_add(numer.checked_mul(grid)? / denom)
}

#[cfg(test)]
mod tests;
