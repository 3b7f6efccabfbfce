//! Gaussian noise, priced in zCDP.

use super::additive::{add, description};
use crate::mechanism::spread::{Spread, float};
use crate::noise::tails::Law;

use crate::cost::Concentrated;
use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::noise::GaussianVariance;
use crate::query::{Query, QueryKind};

pub(super) const KIND: &str = "Gaussian noise of variance";

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// Adds exact discrete Gaussian noise of variance Δ₂²/(2ρ) to every cell of the answer. It
    /// costs ρ in zCDP ([T16](crate::guide::theory#t16-concentrated-privacy)).
    ///
    /// # Claim
    ///
    /// The mechanism is ρ-zCDP for neighbours of `In`. *Compiler-verified:* the squared L2
    /// sensitivity, the variance (from it and ρ alone). *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// P(k) ∝ exp(−k²/(2σ²)) on the integers. Shifting it by a whole number d has Rényi divergence
    /// of order α at most αd²/(2σ²), as for the continuous Gaussian (Canonne, Kamath and Steinke
    /// 2020); over cells the squares add up to at most Δ₂². See
    /// [its proof](crate::guide::proofs::gaussian).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Rho<1, 8>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().gaussian::<Rho<1, 8>>())?;
    /// assert!((n - 1).abs() < 40); // twenty standard deviations
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # A pure budget cannot pay for it
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().gaussian::<Rho<1, 8>>())?;
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Noise that an `i64` cannot hold does not compile
    ///
    /// Where answers are `i64`, the standard deviation must be below 2^56: see
    /// [`laplace`](Query::laplace).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.gaussian::<Rho<1, 1000>>();
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.gaussian::<Rho<1, 10000>>();
    /// ```
    pub fn gaussian<R: Concentrated>(self) -> Mechanism<In, Q::Answer, R> {
        const {
            assert!(
                scale::gaussian(Q::L2_SQUARED, R::NUM, R::DEN).is_some(),
                "the noise for this sensitivity and ρ is too large to draw exactly: \
                 clamp to smaller bounds, use a coarser grid, or raise ρ"
            );
            assert!(
                scale::gaussian_fits(Q::INTEGERS, scale::gaussian(Q::L2_SQUARED, R::NUM, R::DEN)),
                "the noise for this sensitivity and ρ would leave the range of an `i64` answer: \
                 clamp to smaller bounds, or raise ρ"
            );
        }
        let variance = const { scale::gaussian(Q::L2_SQUARED, R::NUM, R::DEN) };
        let label = Label::new::<R>(description(&self, KIND, variance));
        let spread = spread(&self, variance);
        self.with_gaussian(variance, label).with_spread(spread)
    }

    /// PRIVACY: mints ρ = Δ₂²/(2σ²). The callers derive the variance from `Q::L2_SQUARED` and the price
    /// they name.
    pub(super) fn with_gaussian<C>(
        self,
        variance: Option<Noise<GaussianVariance>>,
        label: Label,
    ) -> Mechanism<In, Q::Answer, C> {
        // Not proved: `proofs/gaussian.md`; zCDP itself and its composition are.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let variance = variance.ok_or(Error::Scale)?;
            self.finish(exact, |cells| add(run, variance, Q::COUNTS, cells))
        })
    }
}

/// How far Gaussian noise reaches.
pub(super) fn spread<In: Domain, Q: QueryKind<In>>(
    query: &Query<In, Q>,
    variance: Option<Noise<GaussianVariance>>,
) -> Option<Spread> {
    let law = match variance {
        Some(Noise::Of(variance)) => Some(Law::Gaussian(variance)),
        _ => None,
    };
    Spread::new(query, law, float(Q::L2_SQUARED).sqrt())
}
