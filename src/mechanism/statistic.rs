//! Whole statistics as mechanisms: noise on all their sums, and an interval from its tails.

use crate::cost::{Concentrated, Price, Quoted};
use crate::data::Domain;
use crate::error::Result;
use crate::mechanism::{EpsOrRho, Mechanism};
use crate::query::{HasL1, Query, QueryKind, Statistic};

impl<In: Domain, Q: QueryKind<In>, Out: 'static> Statistic<In, Q, Out> {
    /// Adds Laplace noise to all sums of the statistic, as [`Query::laplace`] does. It costs
    /// ε or ρ ([T3](crate::guide::theory#t3-laplace-noise)), and the interval follows from the noise's exact tails
    /// ([T18](crate::guide::theory#t18-error-of-laplace-noise)).
    pub fn laplace<C: EpsOrRho>(self) -> Mechanism<In, Out, C>
    where
        Q: HasL1<In>,
    {
        self.with(|query| query.laplace())
    }

    /// Adds Gaussian noise to all sums of the statistic, as [`Query::gaussian`] does. It
    /// costs ρ in zCDP ([T16](crate::guide::theory#t16-concentrated-privacy)).
    pub fn gaussian<R: Concentrated>(self) -> Mechanism<In, Out, R> {
        self.with(|query| query.gaussian())
    }

    /// The same Laplace noise at a price that is known only at run time, as
    /// [`Query::laplace_at`] adds it. It is charged once.
    ///
    /// # Errors
    ///
    /// [`Error::Quote`](crate::Error::Quote) unless the price is pure, above zero, and a fraction of numbers below 2^32.
    pub fn laplace_at(self, price: Price) -> Result<Mechanism<In, Out, Quoted>>
    where
        Q: HasL1<In>,
    {
        let noisy = self.query.clone().laplace_at(price)?;
        Ok(self.with(|_| noisy))
    }

    /// Post-processing of a noisy answer: the mechanism is priced already.
    fn with<C>(
        self,
        noise: impl FnOnce(Query<In, Q>) -> Mechanism<In, Q::Answer, C>,
    ) -> Mechanism<In, Out, C> {
        let (query, confidence, finish) = self.into_parts();
        let noisy = noise(query);
        // All cells are this close to the exact ones, together, with the probability asked for.
        let reach = match noisy.spread() {
            Some(spread) => spread.reach(confidence).unwrap_or(f64::INFINITY),
            None => f64::INFINITY,
        };
        noisy.map(move |answer| finish(answer, reach))
    }
}
