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
    pub(crate) fn and(self, other: Spent) -> Option<Spent> {
        Some(Spent {
            main: add_up(self.main, other.main)?,
            delta: add_up(self.delta, other.delta)?,
        })
    }

    /// The sum as a price in the notion of `cap`. Only a report: never used to decide.
    pub(crate) fn price(self, cap: Price) -> Price {
        in_notion_of(cap, self.main, self.delta)
    }

    /// Whether the cap covers all of it.
    pub(crate) fn within(self, cap: Price) -> bool {
        amounts(cap, cap).is_some_and(|(main, delta)| self.main <= main && self.delta <= delta)
    }

    /// What the cap still has. Only a report: never used to decide.
    pub(crate) fn left(self, cap: Price) -> Price {
        let less = |cap: Ratio<u128>, spent: Ratio<u128>| {
            exact_difference(cap, spent).unwrap_or_else(|| {
                match (round_up(cap, GRID), round_up(spent, GRID)) {
                    (Some(cap), Some(spent)) => Ratio::new(cap.saturating_sub(spent), GRID),
                    _ => Ratio::ZERO,
                }
            })
        };
        let Some((main, delta)) = amounts(cap, cap) else {
            return cap;
        };
        in_notion_of(cap, less(main, self.main), less(delta, self.delta))
    }
}

/// ε or ρ, and δ, as a price in the notion of `cap`.
fn in_notion_of(cap: Price, main: Ratio<u128>, delta: Ratio<u128>) -> Price {
    match (cap.rho(), cap.delta()) {
        (Some(_), _) => Price::zcdp(main),
        (None, Some(d)) if d != Ratio::ZERO => Price::approximate(main, delta),
        _ => Price::pure(main),
    }
}

/// A price in the notion of `cap`: ε or ρ, and δ. None where the notion does not pay for it.
fn amounts(price: Price, cap: Price) -> Option<(Ratio<u128>, Ratio<u128>)> {
    match (price.epsilon(), price.rho(), cap.rho().is_some()) {
        (_, Some(rho), true) => Some((rho, Ratio::ZERO)),
        // A pure price in a zCDP cap: ε²/2 (T16).
        (Some(epsilon), None, true) if price.delta() == Some(Ratio::ZERO) => {
            let numer = epsilon.numer().checked_pow(2)?;
            let denom = epsilon.denom().checked_pow(2)?.checked_mul(2)?;
            Some((Ratio::new(numer, denom), Ratio::ZERO))
        }
        (Some(epsilon), None, false) => Some((epsilon, price.delta()?)),
        _ => None,
    }
}

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

/// a − b, or 0 where that is negative; none where it does not fit 128 bits.
fn exact_difference(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let gcd = gcd(*a.denom(), *b.denom());
    let (up_a, up_b) = (b.denom() / gcd, a.denom() / gcd);
    let (a_numer, b_numer) = (a.numer().checked_mul(up_a)?, b.numer().checked_mul(up_b)?);
    Some(Ratio::new(
        a_numer.saturating_sub(b_numer),
        a.denom().checked_mul(up_a)?,
    ))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The smallest integer that is at least x·grid, or slightly above it for very large denominators.
fn round_up(x: Ratio<u128>, grid: u128) -> Option<u128> {
    let (mut numer, mut denom) = (*x.numer(), *x.denom());
    let whole = (numer / denom).checked_mul(grid)?;
    numer %= denom;
    // Larger numerator over smaller denominator: only ever up. The fraction stays below 1, so a
    // numerator that grew past the denominator is cut back to it.
    while denom >= u128::MAX / grid {
        (numer, denom) = (numer / 2 + 1, denom / 2);
    }
    whole.checked_add(numer.min(denom).checked_mul(grid)?.div_ceil(denom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_while_they_fit() {
        let cap = Price::pure(Ratio::new(3, 10));
        let tenth = Price::pure(Ratio::new(1, 10));
        let mut spent = Spent::default();
        for _ in 0..3 {
            spent = spent.plus(tenth, cap).unwrap();
            assert!(spent.within(cap));
        }
        assert_eq!(spent.main, Ratio::new(3, 10));
        assert_eq!(spent.left(cap), Price::pure(Ratio::ZERO));
        assert!(
            !spent
                .plus(Price::pure(Ratio::new(1, 1_000_000)), cap)
                .unwrap()
                .within(cap)
        );
    }

    #[test]
    fn sums_off_the_grid_are_exact_too() {
        let third = Ratio::new(1, 3);
        let two_thirds = add_up(third, third).unwrap();
        assert_eq!(add_up(two_thirds, third), Some(1.into()));
        // Over a shared denominator nothing outgrows 128 bits.
        let tiny = Ratio::new(1, 1 << 100);
        assert_eq!(add_up(tiny, tiny), Some(Ratio::new(1, 1 << 99)));
    }

    #[test]
    fn what_is_left_is_reported_in_the_notion_of_the_cap() {
        let left = |spent, cap| Spent::default().plus(spent, cap).unwrap().left(cap);
        let (third, half) = (Ratio::new(1, 3), Ratio::new(1, 2));
        // One denominator: exact.
        let spent = Price::pure(third);
        assert_eq!(
            left(spent, Price::pure(Ratio::new(2, 3))),
            Price::pure(third)
        );
        // Two that fit 128 bits together: exact.
        let sixth = Ratio::new(1, 6);
        assert_eq!(left(spent, Price::pure(half)), Price::pure(sixth));
        assert_eq!(
            left(Price::zcdp(third), Price::zcdp(half)),
            Price::zcdp(sixth)
        );
        let price = |epsilon, a| Price::approximate(epsilon, Ratio::new(a, 1_000_000));
        assert_eq!(left(price(third, 1), price(half, 3)), price(sixth, 2));
        // Two that do not: on the grid, the rounding against the spender.
        let odd = Price::pure(Ratio::new(1, 3u128.pow(80)));
        let even = Price::pure(Ratio::new(1, 1 << 10));
        let rest = Ratio::new(GRID.div_ceil(1 << 10) - 1, GRID);
        assert_eq!(left(odd, even), Price::pure(rest));
        // Two sums together, and a sum as a price.
        let spent = Spent::default().plus(Price::pure(third), even).unwrap();
        assert_eq!(
            spent.and(spent).unwrap().price(even),
            Price::pure(Ratio::new(2, 3))
        );
        // More than the cap leaves nothing, on the grid and off it.
        let nothing = Price::pure(Ratio::ZERO);
        assert_eq!(left(Price::pure(half), Price::pure(third)), nothing);
        assert_eq!(
            left(Price::pure(Ratio::new(2, 3)), Price::pure(third)),
            nothing
        );
    }

    #[test]
    fn sums_that_outgrow_128_bits_only_ever_round_up() {
        let cap = Price::pure(1024.into());
        let mut spent = Spent::default();
        let mut truth = 0.0;
        // The product of the first 40 or so primes is far beyond 128 bits.
        for prime in (3u128..1000).filter(|p| (2..*p).all(|d| p % d != 0)) {
            spent = spent.plus(Price::pure(Ratio::new(1, prime)), cap).unwrap();
            truth += 1.0 / prime as f64;
            let spent = *spent.main.numer() as f64 / *spent.main.denom() as f64;
            assert!(
                spent > truth - 1e-12 && spent < truth + 1e-12,
                "{spent} {truth}"
            );
        }
    }

    #[test]
    fn rounding_up_never_rounds_down() {
        for (n, d) in [
            (1, 3),
            (u128::MAX / 2 - 1, u128::MAX / 2),
            (1, u128::MAX),
            (5, 7),
        ] {
            let x = Ratio::new(n, d);
            let up = round_up(x, GRID).unwrap();
            assert!(Ratio::new(up, GRID) >= x, "{x}");
            assert!(Ratio::new(up.saturating_sub(2), GRID) <= x, "{x}");
        }
        assert_eq!(round_up(Ratio::new(1, 4), GRID), Some(GRID / 4));
    }

    /// Found by an attack: denominators that end just below the largest that can be multiplied.
    #[test]
    fn rounding_up_does_not_wrap_at_the_edge() {
        let edge = u128::MAX / GRID;
        for shift in [0, 1, 7, 45] {
            for denom in [edge - 2, edge - 1, edge, edge + 1] {
                let denom = (denom << shift) | ((1 << shift) - 1);
                for numer in [1, denom / 2, denom - 2, denom - 1] {
                    let x = Ratio::new_raw(numer, denom);
                    let up = round_up(x, GRID).unwrap();
                    assert!(up <= GRID, "{x}");
                    assert!(Ratio::new(up, GRID) >= Ratio::new(numer, denom), "{x}");
                }
            }
        }
    }

    #[test]
    fn a_sum_never_goes_down() {
        // The price lists of the attack, which wrapped a sum of 0.999… to 10^-18.
        let lists: [&[(u128, u128)]; 2] = [
            &[
                (1931225228, 2866048529),
                (373492077, 4055706103),
                (95162048, 2439584479),
                (82361, 422205),
                (1, 1_000_000_002),
            ],
            &[
                (87090869, 284151759),
                (5501169, 41091487),
                (475552924, 1025385197),
                (95849882, 1000000000),
                (1, 1_000_000_002),
            ],
        ];
        let cap = Price::pure(1.into());
        let mut spent = Spent::default();
        for &(numer, denom) in lists.iter().copied().flatten() {
            let after = spent
                .plus(Price::pure(Ratio::new(numer, denom)), cap)
                .unwrap();
            assert!(
                after.main > spent.main,
                "{} after {}",
                after.main,
                spent.main
            );
            spent = after;
        }
        assert!(!spent.within(cap));
    }

    #[test]
    fn a_pure_price_in_a_zcdp_cap_is_half_its_square() {
        let cap = Price::zcdp(Ratio::new(1, 8));
        let spent = Spent::default()
            .plus(Price::pure(Ratio::new(1, 2)), cap)
            .unwrap();
        assert_eq!(spent.main, Ratio::new(1, 8));
        assert!(spent.within(cap));
        let delta = Price::approximate(Ratio::new(1, 2), Ratio::new(1, 1000));
        assert!(Spent::default().plus(delta, cap).is_none());
        let pure = Price::pure(1.into());
        assert!(
            Spent::default()
                .plus(Price::zcdp(Ratio::new(1, 2)), pure)
                .is_none()
        );
    }
}
