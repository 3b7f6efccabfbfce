//! Prices that are known at run time only.

use super::exact::{add_up, half_square};
use super::{Books, Cost, Debits, Overspent, Price};
use num_rational::Ratio;

/// A price named at run time. Only a [`Meter`](crate::Meter) can pay it, since no type says what it is.
///
/// Made by `laplace_at` and its relatives, and composed by [`ByQuote`](crate::ByQuote). It is not a
/// [`Cost`], so it cannot be released from a vault.
#[derive(Debug)]
pub enum Quoted {}

// PRIVACY: inert. `PaidFrom` requires a `Cost`, which `Quoted` is not. This entry in the books only
// limits the errors to one.
#[diagnostic::do_not_recommend]
impl<B: Cost> Debits<B, Quoted> for Books {
    type Verdict = crate::number::Yes;
    type Left = Overspent;
}

/// What two prices sum to. None where one is ρ and the other has a δ, or the sum outgrows 128 bits.
///
/// PRIVACY: never below the true sum.
// Proved: Ledger.add_up_sound
pub(crate) fn total(a: Price, b: Price) -> Option<Price> {
    together(a, b, add_up)
}

/// The dearer of two prices, part by part. None as for [`total`].
///
/// PRIVACY: never below either.
pub(crate) fn dearest(a: Price, b: Price) -> Option<Price> {
    together(a, b, |a, b| Some(a.max(b)))
}

/// What all prices come to, by [`total`] or [`dearest`]. None if there are none, or one is not known.
pub(crate) fn of_all(
    mut prices: impl Iterator<Item = Option<Price>>,
    of: fn(Price, Price) -> Option<Price>,
) -> Option<Price> {
    let first = prices.next().flatten()?;
    prices.try_fold(first, |so_far, price| of(so_far, price?))
}

fn together(
    a: Price,
    b: Price,
    of: impl Fn(Ratio<u128>, Ratio<u128>) -> Option<Ratio<u128>>,
) -> Option<Price> {
    // A pure price as ρ: ε²/2 (guide::theory, T16).
    let rho = |price: Price| match price.rho() {
        Some(rho) => Some(rho),
        None if price.is_pure() => half_square(price.epsilon()?),
        None => None,
    };
    if a.rho().is_some() || b.rho().is_some() {
        return Some(Price::zcdp(of(rho(a)?, rho(b)?)?));
    }
    let epsilon = of(a.epsilon()?, b.epsilon()?)?;
    match a.is_pure() && b.is_pure() {
        true => Some(Price::pure(epsilon)),
        false => Some(Price::approximate(epsilon, of(a.delta()?, b.delta()?)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_of_all_notions_add() {
        let price = |text: &str| text.parse::<Price>().unwrap();
        let sum = |a, b| total(price(a), price(b)).map(|sum| sum.to_string());
        let most = |a, b| dearest(price(a), price(b)).map(|most| most.to_string());
        assert_eq!(sum("1/3", "1/6").as_deref(), Some("ε = 1/2"));
        assert_eq!(most("1/3", "1/6").as_deref(), Some("ε = 1/3"));
        assert_eq!(sum("rho = 1/8", "1/2").as_deref(), Some("ρ = 1/4"));
        assert_eq!(sum("1/2", "rho = 1/8").as_deref(), Some("ρ = 1/4"));
        assert_eq!(most("rho = 1/4", "1/2").as_deref(), Some("ρ = 1/4"));
        let approx = "eps = 1/2, delta = 1e-6";
        assert_eq!(sum(approx, "1/4").as_deref(), Some("ε = 3/4, δ = 1e-6"));
        assert_eq!(sum(approx, approx).as_deref(), Some("ε = 1, δ = 2e-6"));
        assert_eq!(most(approx, "3/4").as_deref(), Some("ε = 3/4, δ = 1e-6"));
        assert_eq!(sum(approx, "rho = 1/8"), None);
        assert_eq!(most("rho = 1/8", approx), None);
        let all = Price::pure(Ratio::from_integer(u128::MAX));
        assert_eq!(total(all, all), None);
    }
}
