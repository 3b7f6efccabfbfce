//! What was spent in all: exact while it fits, rounded up when it does not.

use num_rational::Ratio;

use super::exact::{add_up, half_square, subtract_down};
use crate::cost::Price;

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
            Some((half_square(epsilon)?, Ratio::ZERO))
        }
        (Some(epsilon), None, false) => Some((epsilon, price.delta()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
