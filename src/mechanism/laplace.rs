//! Laplace noise on integers and on grids of reals.

use super::additive::{add, description};
use super::quoted::fraction;
use crate::cost::Price;
use crate::cost::Quoted;
use crate::data::Domain;
use crate::error::{Error, Result};
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::mechanism::spread::{Spread, float};
use crate::mechanism::{EpsOrRho, Mechanism};
use crate::noise::LaplaceScale;
use crate::noise::tails::Law;
use crate::query::{HasL1, Query, QueryKind, Sensitivity};

const KIND: &str = "Laplace noise of scale";

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// Adds exact discrete Laplace noise of scale Δ₁/ε to every cell of the answer. It costs
    /// ε ([T3](crate::guide::theory#t3-laplace-noise)), or a ρ below ε²/2
    /// ([T16](crate::guide::theory#t16-concentrated-privacy)).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of `In`. Priced in ρ it is ρ-zCDP, with the largest ε
    /// for which ε − (η/sinh η)·(1 − e^−ε) ≤ ρ, where η = ε/Δ₁. *Compiler-verified:* the
    /// sensitivity (a constant of the query's type), the scale (from it and the price alone), the norm (a
    /// query without a rational L1 sensitivity has no `laplace`). *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// P(k) ∝ exp(−|k|·ε/Δ₁) on the integers. For neighbours the exact cells differ by a vector d
    /// with |d|₁ ≤ Δ₁, so the probability of any answer changes by a factor of at most
    /// exp(|d|₁·ε/Δ₁) ≤ e^ε. The Rényi divergence of order α is at most α times that of order 1, which is the ρ above.
    /// See [its proof](crate::guide::proofs::laplace).
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
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().laplace::<Eps<1, 2>>())?;
    /// assert!((n - 1).abs() < 200); // off by more with probability e^-100
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().laplace::<Eps<2, 2>>())?;
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Priced in ρ
    ///
    /// From a `Rho` budget, name the ρ. A sum at ρ = 37/100 has noise of ε = 1; at ε²/2 the noise of ε = 1 would
    /// cost 1/2. A count gains less: ε = 1 costs 463/1000.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, 1000>());
    /// let (by_epsilon, by_rho) = (bills.clone().laplace::<Eps<1, 1>>(), bills.laplace::<Rho<37, 100>>());
    /// assert!(by_rho.accuracy(0.95).unwrap().plus_or_minus < by_epsilon.accuracy(0.95).unwrap().plus_or_minus);
    /// ```
    ///
    /// # Noise that an `i64` cannot hold does not compile
    ///
    /// Where answers are `i64`, the scale must be below 2^56. Then the noise reaches 2^62 with
    /// probability below 2^−91; with a scale far above 2^63 the answer would almost always be
    /// one end of the range. A sum that itself exceeds ±2^63 is cut off there, after the noise.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.laplace::<Eps<1, 31>>();
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.laplace::<Eps<1, 32>>();
    /// ```
    pub fn laplace<C: EpsOrRho>(self) -> Mechanism<In, Q::Answer, C>
    where
        Q: HasL1<In>,
    {
        const {
            assert!(
                scale_for::<C>(Q::L1).is_some(),
                "the noise for this sensitivity and price is too large to draw exactly: \
                 clamp to smaller bounds, use a coarser grid, or raise ε or ρ"
            );
            assert!(
                scale::laplace_fits(Q::INTEGERS, scale_for::<C>(Q::L1)),
                "the noise for this sensitivity and price would leave the range of an `i64` answer: \
                 clamp to smaller bounds, or raise ε or ρ"
            );
        }
        let scale = const { scale_for::<C>(Q::L1) };
        let label = Label::new::<C>(description(&self, KIND, scale));
        self.with_laplace(scale, label)
    }

    /// The same noise at a price that is known only at run time. A [`Meter`](crate::Meter) can pay for
    /// it, but a vault cannot.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    /// let price = "3/10".parse()?; // from a request
    /// meter.release(rows::<Patient>().count().laplace_at(price)?)?;
    /// assert_eq!(meter.remaining().to_string(), "ε = 7/10");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Quote`] unless the price is pure, above zero, and a fraction of numbers below 2^32.
    pub fn laplace_at(self, price: Price) -> Result<Mechanism<In, Q::Answer, Quoted>>
    where
        Q: HasL1<In>,
    {
        let (num, den) = fraction(price, false)?;
        let scale = scale::laplace(Q::L1, num, den);
        if !scale::laplace_fits(Q::INTEGERS, scale) {
            return Err(Error::Scale);
        }
        let label = Label::priced(description(&self, KIND, scale), Some(price));
        // PRIVACY: the quote is the price that the scale was derived from.
        Ok(self.with_laplace(scale, label).with_quote(Some(price)))
    }

    /// PRIVACY: mints a cost. The callers derive `scale` from `Q::L1` and the price they name.
    fn with_laplace<C>(
        self,
        scale: Option<Noise<LaplaceScale>>,
        label: Label,
    ) -> Mechanism<In, Q::Answer, C>
    where
        Q: HasL1<In>,
    {
        let law = match scale {
            Some(Noise::Of(scale)) => Some(Law::Laplace(scale)),
            _ => None,
        };
        let spread = Spread::new(&self, law, float(Q::L1));
        // Proved: Laplace.laplace_mechanism (in ε; in ρ on paper: `proofs/laplace.md`)
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            self.finish(exact, |cells| add(run, scale, Q::COUNTS, cells))
        })
        .with_spread(spread)
    }
}

/// The scale for the price `C`.
const fn scale_for<C: EpsOrRho>(l1: Sensitivity) -> Option<Noise<LaplaceScale>> {
    scale::laplace_for(l1, C::NUM, C::DEN, C::CONCENTRATED)
}
