//! Prices as the tool adds, compares and states them: exact, and rounded up where they cannot be.

use privet::Price;
use privet::audit::{add_up, difference, half_square};
use privet::cost::Ratio;
use serde::{Deserialize, Serialize};

type Q = Ratio<u128>;

/// The δ at which a ρ is stated as (ε, δ): one in a million.
const DELTA: (u128, u128) = (1, 1_000_000);

/// What is rounded is rounded up to a multiple of this.
const GRID: u128 = 1_000_000_000_000;

/// More than the error of a few operations in floating point: 2^-46.
const MARGIN: f64 = 1.0 + 64.0 * f64::EPSILON;

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
            let converted = half_square(e).unwrap_or_else(|| up(float(e).powi(2) / 2.0));
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
            // (1 + e^ε) δ, rounded up.
            let delta = (1.0 + float(e).exp()) * float(d) * (1.0 + 1e-12);
            let delta = if d == Q::from_integer(0) {
                d
            } else {
                up_small(delta)
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
            // guide::theory, T16, with a margin for the floating point.
            let (p, c, d) = (float(p), float(c), float(d));
            Some(d > 0.0 && epsilon_of(p, d) <= c * (1.0 - 1e-12))
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
        (Kind::Zcdp(p), Kind::Approximate(c, d)) => (epsilon_of(float(p), float(d)), float(c)),
        _ => return None,
    };
    (ceiling > 0.0 && price.is_finite()).then(|| price / ceiling)
}

/// The ε of a ρ at a δ
/// ([T16](privet::guide::theory#t16-concentrated-privacy)).
fn epsilon_of(rho: f64, delta: f64) -> f64 {
    rho + 2.0 * (rho * (1.0 / delta).ln()).sqrt()
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
    let rho = price.rho().map_or(0.0, float);
    let epsilon = epsilon_of(rho, DELTA.0 as f64 / DELTA.1 as f64);
    let thousandths = (epsilon * 1000.0 * MARGIN).ceil() as u128;
    Price::approximate(Q::new(thousandths, 1000), Q::new(DELTA.0, DELTA.1))
}

/// The library's sum, rounded up; more than any budget where even that does not fit.
fn add(a: Q, b: Q) -> Q {
    add_up(a, b).unwrap_or_else(|| Q::from_integer(u128::MAX))
}

/// The exact difference; none where there is none.
fn subtract(a: Q, b: Q) -> Option<Q> {
    if a < b { None } else { difference(a, b) }
}

/// A small number, rounded up on a finer grid: at most one.
fn up_small(x: f64) -> Q {
    const FINE: u128 = 10_u128.pow(36);
    Q::new(
        ((x.min(1.0) * FINE as f64) as u128)
            .saturating_add(FINE >> 60)
            .min(FINE),
        FINE,
    )
}

fn up(x: f64) -> Q {
    Q::new((x * GRID as f64 * MARGIN).ceil() as u128, GRID)
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
        assert_eq!(state(price("rho = 1/8")).implies, ["ε = 2.754, δ = 1e-6"]);
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
