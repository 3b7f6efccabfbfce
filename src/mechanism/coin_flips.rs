//! Noise from fair coins alone.

use super::additive::{add, description};
use crate::cost::Eps;
use crate::data::Domain;
use crate::data::{AddRemove, Replace, Sampled, Table};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::mechanism::spread::{Spread, float};
use crate::noise::tails::Law;
use crate::noise::{self, Entropy, NoiseError};
use crate::query::{Count, Distinct, HasL1, Histogram, Query, QueryKind};

/// Queries whose cells one neighbour moves by 1 in total, which fair coins can hide. Sealed.
#[diagnostic::on_unimplemented(
    message = "a neighbour may move the answers of `{Self}` by more than 1, or it has no such bound",
    label = "moves by more than 1",
    note = "fair coins hide counts, and under `AddRemove` histograms; for the rest there is `.laplace()`"
)]
pub trait MovesByOne<In: Domain>: HasL1<In> {}

impl<R, S> MovesByOne<Table<R, AddRemove>> for Count<S>
where
    Self: HasL1<Table<R, AddRemove>>,
    Table<R, AddRemove>: Domain,
{
}
impl<R, S> MovesByOne<Table<R, Replace>> for Count<S>
where
    Self: HasL1<Table<R, Replace>>,
    Table<R, Replace>: Domain,
{
}
impl<R, S, E> MovesByOne<Table<R, AddRemove>> for Distinct<S, E>
where
    Self: HasL1<Table<R, AddRemove>>,
    Table<R, AddRemove>: Domain,
{
}
impl<R, S, E> MovesByOne<Table<R, Replace>> for Distinct<S, E>
where
    Self: HasL1<Table<R, Replace>>,
    Table<R, Replace>: Domain,
{
}
impl<R, S, E> MovesByOne<Table<R, AddRemove>> for Histogram<S, E>
where
    Self: HasL1<Table<R, AddRemove>>,
    Table<R, AddRemove>: Domain,
{
}
impl<R, S, const NUM: usize, const DEN: usize> MovesByOne<Table<R, Sampled<NUM, DEN>>> for Count<S>
where
    Self: HasL1<Table<R, Sampled<NUM, DEN>>>,
    Table<R, Sampled<NUM, DEN>>: Domain,
{
}
impl<R, S, E, const NUM: usize, const DEN: usize> MovesByOne<Table<R, Sampled<NUM, DEN>>>
    for Distinct<S, E>
where
    Self: HasL1<Table<R, Sampled<NUM, DEN>>>,
    Table<R, Sampled<NUM, DEN>>: Domain,
{
}
impl<R, S, E, const NUM: usize, const DEN: usize> MovesByOne<Table<R, Sampled<NUM, DEN>>>
    for Histogram<S, E>
where
    Self: HasL1<Table<R, Sampled<NUM, DEN>>>,
    Table<R, Sampled<NUM, DEN>>: Domain,
{
}

/// P(0) = 1/2 and P(±k) = 2^−(k+2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Coins;

impl core::fmt::Display for Coins {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("fair coins")
    }
}

impl super::additive::Sampler for Coins {
    /// EXACT: heads of the first coin is 0. Otherwise the second is the sign, and the magnitude is
    /// the number of tosses up to the first heads: P(k) = 1/2 · 1/2 · 2^−k on each side.
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError> {
        let mut heads = || noise::bernoulli(entropy, 1, 2);
        if heads()? {
            return Ok(0);
        }
        let negative = heads()?;
        let mut tosses: i128 = 1;
        while !heads()? {
            // Nobody lives to see 2^127 tosses.
            tosses = tosses.saturating_add(1);
        }
        Ok(if negative { -tosses } else { tosses })
    }

    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError> {
        for place in out {
            *place = self.one(entropy)? as i64;
        }
        Ok(())
    }

    type Steady = Self;
    fn steady(self) -> Option<Self> {
        None
    }
}

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// Adds noise made of fair coin tosses to every cell: 0 with probability 1/2, and ±k with
    /// probability 2^−(k+2). It costs ln 4, rounded up to `Eps<25, 18>`
    /// ([T4](crate::guide::theory#t4-noise-from-fair-coins)).
    ///
    /// # Claim
    ///
    /// The mechanism is 25/18-differentially private for neighbours of `In`. *Compiler-verified:*
    /// a neighbour moves one cell by 1 (a bound of this method, and a constant of the query's type),
    /// and e^(25/18) ≥ 4 (a constant). *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Moving a cell by 1 changes the probability of an answer by P(0)/P(1) = 4 at most; the other
    /// steps change it by 2. ln 4 = 1.3862… is irrational; 25/18 = 1.3888… is above it. See
    /// [its proof](crate::guide::proofs::coin_flips).
    ///
    /// # Accuracy
    ///
    /// A cell is off by more than g with probability exactly 2^−(g+1): see [`Mechanism::accuracy`].
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
    /// let vault: Vault<Table<Patient>, Eps<25, 18>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().coin_flips())?;
    /// assert!((n - 1).abs() < 200); // off by more with probability 2^-200
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<24, 18>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().coin_flips())?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn coin_flips(self) -> Mechanism<In, Q::Answer, Eps<25, 18>>
    where
        Q: MovesByOne<In>,
    {
        const {
            assert!(
                Q::L1.num() <= Q::L1.den(),
                "this query can move by more than 1"
            );
            assert!(scale::exp_at_least(25, 18, 4, 1), "25/18 is below ln 4");
        }
        let label =
            Label::new::<Eps<25, 18>>(description(&self, "noise from", Some(Noise::Of(Coins))));
        let spread = Spread::new(&self, Some(Law::Coins), float(Q::L1));
        // PRIVACY: mints 25/18 ≥ ln 4; a neighbour moves one cell, by 1.
        // Not proved: that e^ε is at least 4 is a test in integers; `proofs/coin_flips.md`.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            self.finish(exact, |cells| add(run, Noise::Of(Coins), Q::COUNTS, cells))
        })
        .with_spread(spread)
    }
}
