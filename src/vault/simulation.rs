//! Repeatable runs on data that is declared public: for tests, teaching and auditing.

use core::fmt;

use crate::data::load::{LoadReport, Source};
use crate::data::{Data, Domain, OrderKey};
use crate::error::Result;
use crate::mechanism::Mechanism;
use crate::mechanism::Supply;
use crate::noise::Entropy;

/// Runs mechanisms on data that its holder declares public, with a seed.
///
/// No budget is involved and the noise can be repeated, so it protects nothing. The rows must be
/// synthetic or published. It takes rows, never a vault, so private data cannot get here. There is
/// no budget that a fork could copy, so a forked child may go on with its parent's simulation, and
/// repeats its noise.
///
/// ```
/// use privet::Simulation;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// # fn main() -> privet::Result<()> {
/// let count = rows::<Patient>().count().laplace::<Eps<1, 2>>();
/// let run = |seed| Simulation::of_public(vec![Patient { age: 71 }], seed)?.run(&count);
/// assert_eq!(run(7)?, run(7)?);
/// # Ok(()) }
/// ```
pub struct Simulation<In: Domain> {
    data: In::Data,
    supply: Supply,
}

impl<In: Domain> Simulation<In> {
    /// Declares rows public, and seeds the noise and the order in which each person's rows are kept.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of_public(rows: impl Source<In>, seed: u64) -> Result<Self> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Ok(Simulation {
            data: rows
                .load(&mut LoadReport::default())?
                .ordered_by(OrderKey::of_seed(seed)),
            supply: Supply::public(Entropy::public(key)),
        })
    }

    /// The same simulation, with the noise of a vault opened
    /// [in constant time](crate::Vault::in_constant_time).
    #[must_use]
    pub fn in_constant_time(self) -> Self {
        Simulation {
            data: self.data,
            supply: self.supply.in_constant_time(),
        }
    }

    /// Runs the mechanism once. The next run continues the same stream of noise.
    ///
    /// # Errors
    ///
    /// The same as for [`Vault::release`](crate::Vault::release).
    pub fn run<Out: 'static, C>(&mut self, mechanism: &Mechanism<In, Out, C>) -> Result<Out> {
        // PRIVACY: the rows were declared public; no vault's data reaches this type.
        mechanism.run_seeded(&self.data, &mut self.supply)
    }

    /// Equivalent to calling [`run`](Simulation::run) that many times and passing each answer to `see`. The
    /// exact queries that are known beforehand are asked only once.
    ///
    /// ```
    /// # use privet::Simulation;
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 2>>();
    /// let mut total = 0;
    /// let mut simulation = Simulation::of_public(vec![Patient { age: 71 }], 7)?;
    /// simulation.run_many(&count, 10_000, |n| total += n)?;
    /// assert!((total - 10_000).abs() < 2_000); // on average 1, give or take 0.028
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`run`](Simulation::run). It stops at the first error.
    pub fn run_many<Out: 'static, C>(
        &mut self,
        mechanism: &Mechanism<In, Out, C>,
        times: u64,
        see: impl FnMut(Out),
    ) -> Result<()> {
        // PRIVACY: as above.
        mechanism.run_many(&self.data, &mut self.supply, times, see)
    }
}

/// Shows nothing of the data.
impl<In: Domain> fmt::Debug for Simulation<In> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Simulation")
    }
}
