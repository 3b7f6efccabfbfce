//! How far a noisy answer is from the exact one, which is known before anything is released.
//!
//! Floating point is fine here, because no privacy guarantee depends on it.

use core::fmt;

use num_rational::Ratio;

use crate::cost::Price;
use crate::data::Domain;
use crate::mechanism::scale::{self, Noise};
use crate::mechanism::{Mechanism, Spread};
use crate::noise::tails::Law;
use crate::query::{HasL1, Query, QueryKind};
#[cfg(any(feature = "ledger", feature = "serde"))]
use crate::stored::{Number, Plain, stored};

/// How far an answer is from the exact one, at a confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// Every cell of the answer is this close to the exact one, or closer…
    pub plus_or_minus: f64,
    /// …with at least this probability, over the noise.
    pub confidence: f64,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
stored! {
    [] Accuracy {
        plus_or_minus as Number,
        confidence as Number,
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.confidence * 100.0;
        write!(f, "±{} with probability {percent} %", self.plus_or_minus)
    }
}

/// An answer that carries its accuracy: see [`Mechanism::with_interval`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer<Out> {
    /// The noisy answer.
    pub value: Out,
    /// How far it is from the exact one. None if the mechanism does not know.
    pub accuracy: Option<Accuracy>,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
stored! {
    Answer<Out> {
        value as Plain,
        accuracy as Plain,
    }
}

/// Why an answer will be almost worthless
/// ([T20](crate::guide::theory#t20-enough-rows)): see [`Mechanism::advisory`]. It implements `Display`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Advisory {
    /// How far the answer will be off.
    pub accuracy: Accuracy,
    /// The number of rows that the caller named.
    pub rows: u64,
    /// The most that this many rows can move the answer.
    pub signal: f64,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
stored! {
    [] Advisory {
        accuracy as Plain,
        rows as Plain,
        signal as Number,
    }
}

impl fmt::Display for Advisory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Advisory {
            accuracy,
            rows,
            signal,
        } = self;
        write!(
            f,
            "the noise is {accuracy}, and {rows} rows move the answer by {signal} at most: it will \
             tell next to nothing; raise ε well above 1/{rows}, or ask about more rows"
        )
    }
}

impl<In: Domain, Out: 'static, C> Mechanism<In, Out, C> {
    /// Says before a release how far the answer will be from the exact one, from the exact tails of the
    /// noise over all cells together
    /// ([T18](crate::guide::theory#t18-error-of-laplace-noise)).
    ///
    /// None where the mechanism does not know: for a composition (but for blocks by
    /// [`group_by`](crate::query::Rows::group_by) whose noise is alike), for an answer that [`map`](Mechanism::map)
    /// changed, which a statistic of [`estimate`](crate::query::Rows::estimate) is, for a choice such as a median,
    /// and for a confidence that is not between 0 and 1. [What to use
    /// instead](crate::guide::mechanisms#where-accuracy-is-none).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 10>>();
    /// assert_eq!(count.accuracy(0.95).unwrap().plus_or_minus, 30.0);
    ///
    /// let by_age = rows::<Patient>().histogram(|p| p.age.clamp::<0, 99>()).laplace::<Eps<1, 10>>();
    /// assert_eq!(by_age.accuracy(0.95).unwrap().plus_or_minus, 76.0);
    ///
    /// // A count of each block is as good as a histogram: all 100 are this close, together.
    /// let each = rows::<Patient>()
    ///     .group_by(|p| p.age.clamp::<0, 99>())
    ///     .each(|_| rows::<Patient>().count().laplace::<Eps<1, 10>>());
    /// assert_eq!(each.accuracy(0.95), by_age.accuracy(0.95));
    /// ```
    pub fn accuracy(&self, confidence: f64) -> Option<Accuracy> {
        let plus_or_minus = self.spread()?.reach(confidence)?;
        Some(Accuracy {
            plus_or_minus,
            confidence,
        })
    }

    /// The same mechanism, whose answers carry their accuracy.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![Patient { age: 71 }]);
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 2>>().with_interval(0.95);
    /// let (answer, vault) = vault.release(count)?;
    /// println!("{} {}", answer.value, answer.accuracy.unwrap()); // 3 ±6 with probability 95 %
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn with_interval(self, confidence: f64) -> Mechanism<In, Answer<Out>, C> {
        let accuracy = self.accuracy(confidence);
        self.map(move |value| Answer { value, accuracy })
    }

    /// Warns if the noise would drown everything that `rows` rows can say
    /// ([T20](crate::guide::theory#t20-enough-rows)). Give the fewest rows that the data may have;
    /// nothing is looked up.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 100>>();
    /// assert!(count.advisory(100, 0.95).is_some()); // ε = 1/n
    /// assert!(count.advisory(100_000, 0.95).is_none());
    /// ```
    pub fn advisory(&self, rows: u64, confidence: f64) -> Option<Advisory> {
        let accuracy = self.accuracy(confidence)?;
        let signal = rows as f64 * self.spread()?.record;
        (accuracy.plus_or_minus > 0.0 && accuracy.plus_or_minus >= signal).then_some(Advisory {
            accuracy,
            rows,
            signal,
        })
    }
}

impl<In: Domain, Q: HasL1<In>> Query<In, Q> {
    /// The least ε of three digits at which [`laplace`](Query::laplace) is within ±`plus_or_minus`
    /// with probability `confidence`. None if no ε up to 1000 is, or the query does not know.
    ///
    /// Write the result into a type, or pass it to [`laplace_at`](Query::laplace_at).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let count = rows::<Patient>().count();
    /// assert_eq!(count.epsilon_for(30.0, 0.95).unwrap().to_string(), "ε = 983/10000");
    /// let count = count.laplace::<Eps<983, 10_000>>();
    /// assert!(count.accuracy(0.95).unwrap().plus_or_minus <= 30.0);
    /// ```
    #[must_use]
    pub fn epsilon_for(&self, plus_or_minus: f64, confidence: f64) -> Option<Price> {
        least(|num, den| {
            let law = match scale::laplace(Q::L1, num, den)? {
                Noise::None => None,
                Noise::Of(scale) => Some(Law::Laplace(scale)),
            };
            Some(Spread::new(self, law, 0.0)?.reach(confidence)? <= plus_or_minus)
        })
        .map(Price::pure)
    }
}

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// The least ρ of three digits at which [`gaussian`](Query::gaussian) is within
    /// ±`plus_or_minus` with probability `confidence`. None if no ρ up to 1000 is, or the query
    /// does not know.
    #[must_use]
    pub fn rho_for(&self, plus_or_minus: f64, confidence: f64) -> Option<Price> {
        least(|num, den| {
            let law = match scale::gaussian(Q::L2_SQUARED, num, den)? {
                Noise::None => None,
                Noise::Of(variance) => Some(Law::Gaussian(variance)),
            };
            Some(Spread::new(self, law, 0.0)?.reach(confidence)? <= plus_or_minus)
        })
        .map(Price::zcdp)
    }
}

/// The least price of three digits that is enough and that a type can write, where a larger one
/// is always enough as well.
fn least(enough: impl Fn(u64, u64) -> Option<bool>) -> Option<Ratio<u128>> {
    // 1/10^9 to 1000/10^9, then 101/10^8 to 1000/10^8, and so on up to 1000.
    let price = |i: u64| match i {
        0..1000 => (i + 1, 1_000_000_000),
        _ => (
            101 + (i - 1000) % 900,
            10_u64.pow(8 - ((i - 1000) / 900) as u32),
        ),
    };
    let good = |i: u64| {
        let (num, den) = price(i);
        enough(num, den).unwrap_or(false)
    };
    let (mut low, mut high) = (0, 1000 + 9 * 900 - 1);
    if !good(high) {
        return None;
    }
    while low < high {
        let middle = (low + high) / 2;
        if good(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const POWERS: [u128; 6] = [
        10_000,
        100_000,
        1_000_000,
        10_000_000,
        100_000_000,
        1_000_000_000,
    ];
    // In lowest terms some would have a denominator that no type can write, such as 5000.
    (low..)
        .map(|i| {
            let (num, den) = price(i);
            Ratio::new(u128::from(num), u128::from(den))
        })
        .find(|price| *price.denom() <= 1024 || POWERS.contains(price.denom()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_price_is_found() {
        for least_num in [1_u64, 17, 999_999_999, 1_000_000_001, 37_250_000_000] {
            let found = least(|num, den| {
                Some(u128::from(num) * 1_000_000_000 >= u128::from(least_num) * u128::from(den))
            })
            .unwrap();
            let target = Ratio::new(u128::from(least_num), 1_000_000_000);
            assert!(
                found >= target && found <= target * Ratio::new(1011, 1000),
                "{found}"
            );
        }
        assert!(least(|_, _| Some(false)).is_none());
    }
}
