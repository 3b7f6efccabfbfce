//! Prices as the tool adds, compares and states them: exact, and rounded up where they cannot be.

use privet::Price;
use privet::audit::{add_up, difference, half_square};
use privet::cost::Ratio;
use serde::{Deserialize, Serialize};

use crate::bounds::{Above, epsilon_of, exp};

type Q = Ratio<u128>;

/// The δ at which a ρ is stated as (ε, δ): one in a million.
const DELTA: (u128, u128) = (1, 1_000_000);

/// What is rounded is rounded up to a multiple of one over this.
const GRID: u128 = 1_000_000_000_000;
/// The same for a δ.
const FINE: u128 = 10_u128.pow(36);

/// An exact number. Strings, since numbers of JSON lose digits in many readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fraction {
    pub numerator: String,
    pub denominator: String,
}

impl From<Q> for Fraction {
    fn from(x: Q) -> Self {
        Fraction {
            numerator: x.numer().to_string(),
            denominator: x.denom().to_string(),
        }
    }
}

/// A price as the reports show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// `pure`, `zcdp` or `approximate`: the notion it is exact in.
    pub notion: String,
    /// As a person reads it: `ε = 3/4`.
    pub text: String,
    /// The same as exact numbers, those that the notion has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<Fraction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Fraction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Fraction>,
    /// In the weaker notions: what it implies there.
    pub implies: Vec<String>,
    /// e^(2ε), rounded up: how much an attacker's conclusions can shift
    /// ([T21](privet::guide::theory#t21-what-an-attacker-concludes)). None for zCDP.
    pub odds: Option<String>,
    /// The same as a sentence.
    pub meaning: String,
}

impl Stated {
    /// The price itself.
    pub fn price(&self) -> Option<Price> {
        self.text.parse().ok()
    }
}

/// A price in every form that a report needs.
pub fn state(price: Price) -> Stated {
    let (notion, implies) = match (price.epsilon(), price.rho()) {
        (Some(epsilon), _) if price.is_pure() => {
            let rho = half_square(epsilon).map(Price::zcdp);
            ("pure", rho.iter().map(Price::to_string).collect())
        }
        (None, Some(_)) => {
            let epsilon = as_approximate(price).epsilon().map_or(0.0, float);
            let delta = DELTA.1.ilog10();
            (
                "zcdp",
                vec![format!("ε = {epsilon}, δ = {}e-{delta}", DELTA.0)],
            )
        }
        _ => ("approximate", Vec::new()),
    };
    Stated {
        notion: notion.to_string(),
        text: price.to_string(),
        implies,
        epsilon: price.epsilon().map(Fraction::from),
        delta: price.delta().map(Fraction::from),
        rho: price.rho().map(Fraction::from),
        odds: privet::audit::factor(price),
        meaning: price.meaning(),
    }
}

/// The price of both, in the strongest notion that has one.
pub fn plus(a: Price, b: Price) -> Price {
    match (kind(a), kind(b)) {
        (Kind::Pure(a), Kind::Pure(b)) => Price::pure(add(a, b)),
        (Kind::Zcdp(a), Kind::Zcdp(b)) => Price::zcdp(add(a, b)),
        (Kind::Pure(e), Kind::Zcdp(r)) | (Kind::Zcdp(r), Kind::Pure(e)) => {
            let converted = half_square(e).unwrap_or_else(|| {
                let e = Above::of(e);
                e.times(&e)
                    .times(&Above::of(Q::new(1, 2)))
                    .on_grid(GRID)
                    .unwrap_or(ENDLESS)
            });
            Price::zcdp(add(converted, r))
        }
        (Kind::Zcdp(_), Kind::Approximate(..)) => plus(as_approximate(a), b),
        (Kind::Approximate(..), Kind::Zcdp(_)) => plus(a, as_approximate(b)),
        (Kind::Approximate(e, d), Kind::Approximate(f, g)) => {
            Price::approximate(add(e, f), add(d, g))
        }
        (Kind::Approximate(e, d), Kind::Pure(f)) | (Kind::Pure(f), Kind::Approximate(e, d)) => {
            Price::approximate(add(e, f), d)
        }
    }
}

/// What went in minus what came out; none if that is not a price.
pub fn minus(budget: Price, left: Price) -> Option<Price> {
    Some(match (kind(budget), kind(left)) {
        (Kind::Pure(b), Kind::Pure(l)) => Price::pure(subtract(b, l)?),
        (Kind::Zcdp(b), Kind::Zcdp(l)) => Price::zcdp(subtract(b, l)?),
        (Kind::Approximate(b, c), Kind::Approximate(l, m)) => {
            Price::approximate(subtract(b, l)?, subtract(c, m)?)
        }
        _ => return None,
    })
}

/// The price for a group of two: one person is removed and another is added
/// ([T12](privet::guide::theory#t12-group-privacy)).
pub fn twice(price: Price) -> Price {
    match kind(price) {
        Kind::Pure(e) => Price::pure(add(e, e)),
        Kind::Zcdp(r) => Price::zcdp(add(add(r, r), add(r, r))),
        Kind::Approximate(e, d) => {
            // (1 + e^ε) δ, rounded up; at most 1.
            let one = Q::from_integer(1);
            let factor = exp(e).map(|power| power.plus(&Above::of(one)));
            let delta = match factor {
                _ if d == Q::from_integer(0) => d,
                Some(factor) => {
                    let delta = factor.times(&Above::of(d)).on_grid(FINE);
                    delta.map_or(one, |delta| delta.min(one))
                }
                None => one,
            };
            Price::approximate(add(e, e), delta)
        }
    }
}

/// Whether a price is at most a ceiling; none where the two notions do not compare.
pub fn at_most(price: Price, ceiling: Price) -> Option<bool> {
    match (kind(price), kind(ceiling)) {
        (Kind::Pure(p), Kind::Pure(c)) | (Kind::Zcdp(p), Kind::Zcdp(c)) => Some(p <= c),
        (Kind::Pure(p), Kind::Approximate(c, _)) => Some(p <= c),
        (Kind::Pure(p), Kind::Zcdp(c)) => Some(half_square(p)? <= c),
        (Kind::Approximate(p, d), Kind::Approximate(c, e)) => Some(p <= c && d <= e),
        (Kind::Zcdp(p), Kind::Approximate(c, d)) => {
            Some(epsilon_of(p, d).is_some_and(|epsilon| epsilon.is_at_most(c)))
        }
        (Kind::Zcdp(_) | Kind::Approximate(..), Kind::Pure(_))
        | (Kind::Approximate(..), Kind::Zcdp(_)) => None,
    }
}

/// The same for stated prices; false where they do not compare.
pub fn at_most_both(price: &Stated, ceiling: &Stated) -> bool {
    let both = price.price().zip(ceiling.price());
    both.and_then(|(price, ceiling)| at_most(price, ceiling)) == Some(true)
}

/// Which share of a ceiling a price is, for a bar. Nothing rests on it.
pub fn share(price: Price, ceiling: Price) -> Option<f64> {
    let (price, ceiling) = match (kind(price), kind(ceiling)) {
        (Kind::Zcdp(p), Kind::Zcdp(c)) => (float(p), float(c)),
        (Kind::Pure(p) | Kind::Approximate(p, _), Kind::Pure(c) | Kind::Approximate(c, _)) => {
            (float(p), float(c))
        }
        (Kind::Pure(p), Kind::Zcdp(c)) => (float(p).powi(2) / 2.0, float(c)),
        (Kind::Zcdp(p), Kind::Approximate(c, d)) => {
            (float(epsilon_of(p, d)?.on_grid(GRID)?), float(c))
        }
        _ => return None,
    };
    (ceiling > 0.0 && price.is_finite()).then(|| price / ceiling)
}

enum Kind {
    Pure(Q),
    Zcdp(Q),
    Approximate(Q, Q),
}

fn kind(price: Price) -> Kind {
    match (price.epsilon(), price.delta(), price.rho()) {
        (Some(epsilon), _, _) if price.is_pure() => Kind::Pure(epsilon),
        (Some(epsilon), delta, _) => {
            Kind::Approximate(epsilon, delta.unwrap_or_else(|| Q::from_integer(0)))
        }
        (None, _, rho) => Kind::Zcdp(rho.unwrap_or_else(|| Q::from_integer(0))),
    }
}

/// (ε, δ) of a ρ at the stated δ, with ε rounded up to a thousandth
/// ([T16](privet::guide::theory#t16-concentrated-privacy)).
fn as_approximate(price: Price) -> Price {
    let delta = Q::new(DELTA.0, DELTA.1);
    let rho = price.rho().unwrap_or(ENDLESS);
    let epsilon = epsilon_of(rho, delta).and_then(|epsilon| epsilon.on_grid(1000));
    Price::approximate(epsilon.unwrap_or(ENDLESS), delta)
}

/// More than any budget.
const ENDLESS: Q = Q::new_raw(u128::MAX, 1);

/// The library's sum, rounded up; more than any budget where even that does not fit.
fn add(a: Q, b: Q) -> Q {
    add_up(a, b).unwrap_or(ENDLESS)
}

/// The exact difference; none where there is none.
fn subtract(a: Q, b: Q) -> Option<Q> {
    if a < b { None } else { difference(a, b) }
}

fn float(x: Q) -> f64 {
    *x.numer() as f64 / *x.denom() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(text: &str) -> Price {
        text.parse().expect("a price")
    }

    #[test]
    fn sums_are_exact_and_take_the_weaker_notion() {
        let sum = |a, b| plus(price(a), price(b)).to_string();
        assert_eq!(sum("1/3", "1/6"), "ε = 1/2");
        assert_eq!(sum("1", "rho = 1/8"), "ρ = 5/8");
        assert_eq!(sum("1", "eps = 1/2, delta = 1e-6"), "ε = 3/2, δ = 1e-6");
        assert_eq!(
            sum("eps = 1, delta = 1e-30", "eps = 1, delta = 1e-30"),
            "ε = 2, δ = 2e-30"
        );
    }

    #[test]
    fn a_sum_that_does_not_fit_is_rounded_up() {
        let total = (1..=400_u128).fold(price("0"), |total, n| {
            plus(total, Price::pure(Ratio::new(1, n)))
        });
        let harmonic: f64 = (1..=400).map(|n| 1.0 / f64::from(n)).sum();
        let total = total.epsilon().map(float).expect("pure");
        assert!(total >= harmonic && total < harmonic + 1e-6);
    }

    #[test]
    fn ceilings_compare_across_notions_where_a_promise_follows() {
        let within = |a, b| at_most(price(a), price(b));
        assert_eq!(within("1/2", "1/2"), Some(true));
        assert_eq!(within("1/2", "rho = 1/8"), Some(true));
        assert_eq!(within("1/2", "rho = 1/9"), Some(false));
        assert_eq!(within("rho = 1/8", "eps = 3, delta = 1e-6"), Some(true));
        assert_eq!(within("rho = 1/8", "eps = 2, delta = 1e-6"), Some(false));
        assert_eq!(within("rho = 1/8", "1"), None);
    }

    #[test]
    fn what_a_price_means_is_stated() {
        let stated = state(price("1/2"));
        assert_eq!(stated.odds.as_deref(), Some("2.72"));
        assert_eq!(stated.implies, ["ρ = 1/8"]);
        assert_eq!(state(price("rho = 1/8")).implies, ["ε = 2.42, δ = 1e-6"]);
    }

    /// To the nearest digit they would say less than the price allows.
    #[test]
    fn factors_are_rounded_up_as_in_their_sentence() {
        // e^10 = 22026.5, and e^(2ε) is above 1 for every price but 0.
        for (text, odds) in [
            ("5", "2.3e4"),
            ("9/2", "8.2e3"),
            ("1e-12", "1.01"),
            ("0", "1.00"),
        ] {
            let stated = state(price(text));
            assert_eq!(stated.odds.as_deref(), Some(odds), "{text}");
            assert!(stated.meaning.ends_with(&format!("= {odds}")), "{text}");
        }
    }

    #[test]
    fn a_group_of_two_has_a_bound_from_above() {
        let two = |text| twice(price(text)).to_string();
        assert_eq!(two("1/2"), "ε = 1");
        assert_eq!(two("rho = 1/8"), "ρ = 1/2");
        // (1 + e)·10^-6 = 3.71828182845904523536…·10^-6, up to 10^-36.
        let delta = twice(price("eps = 1, delta = 1e-6")).delta().expect("a δ");
        assert_eq!(delta, Q::new(3_718281828459045235360287471353, FINE));
        let delta = twice(price("eps = 99, delta = 1e-6")).delta();
        assert_eq!(delta, Some(Q::from_integer(1)), "no more than certain");
        assert_eq!(two("eps = 99, delta = 0"), "ε = 198, δ = 0");
    }

    /// Where the numbers of a floating point are further apart than the grid.
    #[test]
    fn large_sums_that_do_not_fit_are_rounded_up() {
        // Two denominators without a common factor: the exact sum is beyond 128 bits.
        let (a, b) = ((1 << 41) - 1, (1 << 43) - 1);
        for whole in [(1 << 53) + 1, (1 << 53) + 3, (1 << 60) + 1] {
            let (x, y) = (Q::new(whole * a + 1, a), Q::new(b + 1, b));
            assert_eq!(difference(x, y), None, "beyond 128 bits");
            let sum = add(x, y);
            assert!(sum > Q::from_integer(whole + 1), "{sum} for {x} + {y}");
        }
    }
}
