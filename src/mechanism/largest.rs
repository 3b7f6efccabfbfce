//! The exponential mechanism on the answers of queries.

use super::choose::{choice, exponential};
use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::label::Label;
use crate::mechanism::{EpsOrRho, Mechanism};
use crate::query::{HasL1, Query};

impl<In: Domain, C: EpsOrRho> Mechanism<In, usize, C> {
    /// Chooses a query with a large answer by the exponential mechanism, and returns its place in the
    /// list. Query i is chosen with probability proportional to exp(ε·answerᵢ/(2Δ)). It costs ε or
    /// ρ = ε²/8, however many queries there are. An empty list is [`Error::NothingToChoose`].
    ///
    /// Only the place is released. To learn the answer itself, pay for it separately.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of `In`. *Compiler-verified:* the
    /// sensitivity Δ of every query (all have one type and hence one constant) and the scale 2Δ/ε.
    /// *Caller-verified:* nothing; the queries are public.
    ///
    /// # Why it holds
    ///
    /// On a neighbour every answer moves by at most Δ, in either direction. So each weight changes by a
    /// factor of at most e^(ε/2), and so does the sum of all weights. See
    /// [its proof](crate::guide::proofs::largest).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// /// The decade of life with the most patients.
    /// fn busiest() -> Mechanism<Table<Patient>, usize, Eps<1, 2>> {
    ///     Mechanism::largest((0..12).map(|decade| {
    ///         let in_it = move |p: <Patient as Record>::Columns| p.age.ge(10 * decade) & p.age.lt(10 * decade + 10);
    ///         rows::<Patient>().filter(in_it).count()
    ///     }))
    /// }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let patients = (0..1000).map(|_| Patient { age: 71 });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let (decade, vault) = vault.release(busiest())?;
    /// assert_eq!(decade, 7); // another with probability 11·e^-250
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn busiest() -> Mechanism<Table<Patient>, usize, Eps<1, 2>> {
    /// #     Mechanism::largest([rows::<Patient>().count()])
    /// # }
    /// # fn main() -> privet::Result<()> {
    /// # let patients = (0..1000).map(|_| Patient { age: 71 });
    /// let vault: Vault<Table<Patient>, Eps<1, 4>> = Vault::open(patients);
    /// let (decade, vault) = vault.release(busiest())?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn largest<Q>(queries: impl IntoIterator<Item = Query<In, Q>>) -> Self
    where
        Q: HasL1<In, Answer = i64>,
    {
        const {
            assert!(
                choice::<C>(Q::L1.times(2)).is_some(),
                "this sensitivity and ε are outside what can be drawn exactly: raise ε"
            );
        }
        let scale = const { choice::<C>(Q::L1.times(2)) };
        let queries: Vec<_> = queries.into_iter().collect();
        let label = Label::new::<C>(format!("the largest of {} answers", queries.len()));
        let asked = queries.iter().map(Query::exact_query).collect();
        // PRIVACY: mints ε or ρ; the scale is derived from `Q` and `C` alone. The answers are compared
        // here and then dropped.
        // Not proved: `proofs/largest.md`.
        Mechanism::mint(asked, label, move |run| {
            let scale = scale.ok_or(Error::Scale)?;
            let answers: Vec<i128> = queries
                .iter()
                .map(|query| query.exact_cells(run.exact()).first().copied().unwrap_or(0))
                .collect();
            // The number of queries is public, so this error reveals nothing.
            let most = answers
                .iter()
                .copied()
                .max()
                .ok_or(Error::NothingToChoose)?;
            let losses: Vec<u128> = answers
                .iter()
                .map(|answer| most.abs_diff(*answer))
                .collect();
            Ok(exponential(run.entropy()?, &losses, scale)?)
        })
    }
}
