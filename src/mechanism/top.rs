//! Chooses several of the public keys: the more rows have a key, the likelier it is.

use super::choose::exponential;
use crate::cost::Epsilon;
use crate::data::Domain;
use crate::error::Error;
use crate::expr::Keyed;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale;
use crate::query::{HasL1, Histogram, Query};

impl<In: Domain, S, E: Keyed> Query<In, Histogram<S, E>>
where
    Histogram<S, E>: HasL1<In>,
{
    /// Chooses `K` different public keys with many rows, and returns their places in the order chosen. It
    /// costs ε in all, and only the places are released.
    ///
    /// Each is [chosen](Query::choose) among the keys that are left, key i with probability proportional
    /// to exp(ε·countᵢ/(K·Δ₁)).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of `In`. *Compiler-verified:* the
    /// sensitivity, the scale K·Δ₁/ε (from it, K and ε alone), that there are `K` keys. *Caller-verified:*
    /// nothing.
    ///
    /// # Why it holds
    ///
    /// Each choice is ε/K-private, whatever was chosen before, since it is the exponential mechanism on
    /// some of the keys; K of them compose to ε. See [its proof](crate::guide::proofs::choose).
    ///
    /// # Accuracy
    ///
    /// Of k keys, a choice has t rows fewer than the best of those left with probability at most
    /// k·exp(−ε·t/(K·Δ₁)).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { ward: Ward }
    /// #[derive(Category, Clone, Copy)]
    /// enum Ward { Surgery, Maternity, Oncology }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let wards = [vec![Ward::Maternity; 900], vec![Ward::Oncology; 400]].concat();
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> =
    ///     Vault::open(wards.into_iter().map(|ward| Patient { ward }));
    /// let busiest = rows::<Patient>().histogram(|p| p.ward).top::<2, Eps<1, 2>>();
    /// let (places, vault) = vault.release(busiest)?;
    /// // Others with probability below 3·e^-100.
    /// assert_eq!(places.map(|place| Ward::NAMES[place]), ["Maternity", "Oncology"]);
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { ward: Ward }
    /// # #[derive(Category, Clone, Copy)] enum Ward { Surgery, Maternity, Oncology }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![]);
    /// let (places, vault) = vault.release(rows::<Patient>().histogram(|p| p.ward).top::<2, Eps<2, 2>>())?;
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # More keys than there are do not compile
    ///
    /// ```compile_fail,E0080
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { smoker: bool }
    /// let three = rows::<Patient>().histogram(|p| p.smoker).top::<3, Eps<1, 2>>();
    /// ```
    pub fn top<const K: usize, C: Epsilon>(self) -> Mechanism<In, [usize; K], C> {
        const {
            assert!(K > 0, "choose one key or more");
            assert!(
                K <= E::CELLS,
                "there are fewer public keys than are to be chosen"
            );
            assert!(
                scale::laplace(
                    <Histogram<S, E> as HasL1<In>>::L1.times(K as u128),
                    C::NUM,
                    C::DEN
                )
                .is_some(),
                "this sensitivity and ε are outside what can be drawn exactly: raise ε"
            );
        }
        let scale = const {
            scale::laplace(
                <Histogram<S, E> as HasL1<In>>::L1.times(K as u128),
                C::NUM,
                C::DEN,
            )
        };
        let label = Label::new::<C>(format!("{K} keys of {}, by their counts", self.term()));
        // PRIVACY: mints ε for K choices of ε/K each; the scale is derived from the query, K and `C` alone.
        // Not proved: K choices in turn; each is Choose.choose_private, and they compose by Mechanism.T_Repeat.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            let mut left: Vec<(usize, i128)> =
                self.exact_cells(exact).into_iter().enumerate().collect();
            let entropy = run.entropy()?;
            let mut chosen = [0; K];
            for place in &mut chosen {
                // There are more keys than were chosen: the type says so.
                let counts = left.iter().map(|(_, count)| *count);
                let most = counts.clone().max().unwrap_or(0);
                let losses: Vec<u128> = counts.map(|count| most.abs_diff(count)).collect();
                *place = left.remove(exponential(entropy, &losses, scale)?).0;
            }
            Ok(chosen)
        })
    }
}
