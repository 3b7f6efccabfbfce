//! What Gaussian releases that are each stated as (ε, δ) would cost if they were added up in ρ.

use core::fmt;

use num_rational::Ratio;

use super::Price;
use super::exact::add_up;
use crate::number::covers;

/// Gaussian releases that were stated as (ε, δ) one by one, and what the same noise costs if ρ is added up and stated as
/// (ε, δ) once ([T16](crate::guide::theory#t16-concentrated-privacy)). Made by
/// [`Explanation::in_rho`](crate::report::Explanation::in_rho) and [`Receipts::in_rho`](crate::vault::Receipts::in_rho).
/// It implements `Display`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InRho {
    /// How many there are.
    pub releases: u64,
    /// What they cost one by one.
    pub one_by_one: Price,
    /// The ρ of the same noise, rounded up as a type can write it.
    pub rho: Price,
    /// The least (ε, δ) of three digits that `concentrated` turns into this ρ, with δ as above.
    pub in_all: Price,
}

impl fmt::Display for InRho {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} Gaussian releases are stated as (ε, δ) one by one: {} together; the same noise costs {} in all, which \
             {} pays for: see `Vault::concentrated`",
            self.releases, self.one_by_one, self.rho, self.in_all
        )
    }
}

/// Gaussian noise with this price, and the ρ of that noise, some times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    pub(crate) times: u64,
    pub(crate) price: Price,
    pub(crate) rho: Ratio<u128>,
}

/// How many releases it takes before there is something to say. For two the difference is small.
const FEW: u64 = 3;

/// What is to be said about these releases. None if they are few, or if adding up ρ would not be cheaper.
pub(crate) fn in_rho<'a>(all: impl IntoIterator<Item = &'a Stated>) -> Option<InRho> {
    let (mut releases, zero) = (0_u64, Ratio::from_integer(0));
    let (mut epsilon, mut delta, mut rho) = (zero, zero, zero);
    for one in all {
        releases = releases.checked_add(one.times)?;
        epsilon = add_up(epsilon, times(one.price.epsilon()?, one.times)?)?;
        delta = add_up(delta, times(one.price.delta()?, one.times)?)?;
        rho = add_up(rho, times(one.rho, one.times)?)?;
    }
    if releases < FEW {
        return None;
    }
    let (rho, (a, k)) = (short_above(rho)?, short_below(delta)?);
    let least = least(rho, (a, k))?;
    let whole = |(num, den): (u64, u64)| Ratio::new(u128::from(num), u128::from(den));
    (whole(least) < epsilon).then(|| InRho {
        releases,
        one_by_one: Price::approximate(epsilon, delta),
        rho: Price::zcdp(whole(rho)),
        in_all: Price::approximate(whole(least), Ratio::new(u128::from(a), 10_u128.pow(k))),
    })
}

fn times(x: Ratio<u128>, times: u64) -> Option<Ratio<u128>> {
    Some(Ratio::new(x.numer().checked_mul(times.into())?, *x.denom()))
}

/// The next number of three digits above, with a power of ten up to 10^9 below. None above 1000, and for zero.
fn short_above(x: Ratio<u128>) -> Option<(u64, u64)> {
    if *x.numer() == 0 {
        return None;
    }
    (0..=9).find_map(|k| {
        let den = 10_u64.pow(k);
        let num = x.numer().checked_mul(den.into())?.div_ceil(*x.denom());
        (num <= 1000 && (num >= 100 || k == 9)).then_some((num as u64, den))
    })
}

/// The number A·10^-K that this is, or the next one below it of three digits. None for zero.
fn short_below(x: Ratio<u128>) -> Option<(u64, u32)> {
    (0..=30).find_map(|k| {
        let num = x.numer().checked_mul(10_u128.pow(k))?;
        let (floor, rest) = (num / x.denom(), num % x.denom());
        let fits = floor <= 1024 && floor > 0;
        (fits && (rest == 0 || floor >= 100)).then_some((floor as u64, k))
    })
}

/// The least ε of three digits that ρ and δ imply in types.
fn least(rho: (u64, u64), delta: (u64, u32)) -> Option<(u64, u64)> {
    let den = (0..=9).rev().map(|k| 10_u64.pow(k));
    let den = den
        .into_iter()
        .find(|&den| covers((1000, den), rho, delta))?;
    let (mut low, mut high) = (1, 1000);
    while low < high {
        let middle = (low + high) / 2;
        if covers((middle, den), rho, delta) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some((high, den))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(times: u64, epsilon: (u128, u128), delta: (u128, u128), rho: (u128, u128)) -> Stated {
        let ratio = |(num, den)| Ratio::new(num, den);
        Stated {
            times,
            price: Price::approximate(ratio(epsilon), ratio(delta)),
            rho: ratio(rho),
        }
    }

    #[test]
    fn a_few_releases_are_left_alone() {
        let two = [stated(2, (1, 2), (1, 1_000_000), (1, 800))];
        assert_eq!(in_rho(&two), None);
        assert_eq!(in_rho(&[]), None);
    }

    #[test]
    fn three_releases_are_added_up_in_rho() {
        let three = [
            stated(2, (1, 2), (1, 1_000_000), (1, 800)),
            stated(1, (1, 4), (2, 1_000_000), (1, 800)),
        ];
        let found = in_rho(&three).expect("cheaper");
        assert_eq!(found.releases, 3);
        let one_by_one = Price::approximate(Ratio::new(5, 4), Ratio::new(4, 1_000_000));
        assert_eq!(found.one_by_one, one_by_one);
        assert_eq!(found.rho, Price::zcdp(Ratio::new(375, 100_000)));
        assert_eq!(found.in_all.delta(), one_by_one.delta());
        let epsilon = found.in_all.epsilon().expect("an ε");
        let rho = (375, 100_000);
        let of = |x: Ratio<u128>| (*x.numer() as u64, *x.denom() as u64);
        // Types accept it, and nothing of three digits below.
        assert!(covers(of(epsilon), rho, (4, 6)));
        let less = epsilon - Ratio::new(1, 1000);
        assert!(!covers(of(less), rho, (4, 6)));
    }

    #[test]
    fn what_is_not_cheaper_is_not_recommended() {
        // More noise than its ε needs would be cheaper in ρ; less is not.
        assert_eq!(in_rho(&[stated(3, (1, 100), (1, 1000), (100, 1))]), None);
    }

    #[test]
    fn numbers_become_short_against_the_spender() {
        assert_eq!(short_above(Ratio::new(1, 3)), Some((334, 1000)));
        assert_eq!(short_above(Ratio::new(12, 1)), Some((120, 10)));
        assert_eq!(
            short_above(Ratio::new(1, u128::MAX)),
            Some((1, 1_000_000_000))
        );
        assert_eq!(short_above(Ratio::new(1001, 1)), None);
        assert_eq!(short_below(Ratio::new(3, 1_000_000)), Some((3, 6)));
        assert_eq!(short_below(Ratio::new(1, 3)), Some((333, 3)));
        assert_eq!(short_below(Ratio::new(0, 3)), None);
    }
}
