//! Chooses one of the public keys: the more rows have a key, the likelier it is.

use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::mechanism::{EpsOrRho, Mechanism};
use crate::noise::{self, Entropy, LaplaceScale, NoiseError};
use crate::query::{HasL1, Histogram, Query, Sensitivity};

impl<In: Domain, S, E> Query<In, Histogram<S, E>>
where
    Histogram<S, E>: HasL1<In>,
{
    /// Chooses one of the public keys by the exponential mechanism, and returns its place. Key i is
    /// chosen with probability proportional to exp(ε·countᵢ/Δ₁). It costs ε, or ρ = ε²/8, and only the place is
    /// released.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private and ε²/8-zCDP for neighbours of `In`. *Compiler-verified:* the
    /// sensitivity and the scale Δ₁/ε (from it and ε alone). *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Let d be how far the counts move between neighbours. The weight of i changes by
    /// exp(ε·dᵢ/Δ₁) and the sum of all weights by at least exp(ε·min d/Δ₁), so the probability
    /// changes by at most exp(ε·(max d − min d)/Δ₁). The spread max d − min d is at most |d|₁ ≤ Δ₁,
    /// so no factor of 2 is missing. The logarithms of these ratios lie in an interval of length ε, and that
    /// alone is ε²/8-zCDP. See [its proof](crate::guide::proofs::choose).
    ///
    /// # Accuracy
    ///
    /// Of k keys, those that have at least t rows fewer than the best are chosen with probability at
    /// most k·exp(−ε·t/Δ₁) in total.
    ///
    /// The number of rounds that drawing takes depends on the counts. Where running time is observed,
    /// use [`noisy_max`](Query::noisy_max).
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
    /// let patients = vec![Ward::Maternity; 500].into_iter().map(|ward| Patient { ward });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let busiest = rows::<Patient>().histogram(|p| p.ward).choose::<Eps<1, 2>>();
    /// let (place, vault) = vault.release(busiest)?;
    /// assert_eq!(Ward::NAMES[place], "Maternity"); // another with probability 2·e^-250
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
    /// # let patients = vec![Ward::Maternity; 500].into_iter().map(|ward| Patient { ward });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let busiest = rows::<Patient>().histogram(|p| p.ward).choose::<Eps<2, 2>>();
    /// let (place, vault) = vault.release(busiest)?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn choose<C: EpsOrRho>(self) -> Mechanism<In, usize, C> {
        const {
            assert!(
                choice::<C>(<Histogram<S, E> as HasL1<In>>::L1).is_some(),
                "this sensitivity and ε are outside what can be drawn exactly: raise ε"
            );
        }
        let scale = const { choice::<C>(<Histogram<S, E> as HasL1<In>>::L1) };
        let label = Label::new::<C>(format!("a key of {}, by its count", self.term()));
        // PRIVACY: mints ε or ρ; the scale is derived from the query and `C` alone.
        // Proved: Choose.choose_private
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            let counts = self.exact_cells(exact);
            // The number of keys is public, so this error reveals nothing.
            let most = counts.iter().copied().max().ok_or(Error::NothingToChoose)?;
            let losses: Vec<u128> = counts.iter().map(|count| most.abs_diff(*count)).collect();
            Ok(exponential(run.entropy()?, &losses, scale)?)
        })
    }
}

/// The scale for the price `C` where utilities move apart by at most `spread` between neighbours.
pub(super) const fn choice<C: EpsOrRho>(spread: Sensitivity) -> Option<Noise<LaplaceScale>> {
    scale::choice(spread, C::NUM, C::DEN, C::CONCENTRATED)
}

/// Draws a place with probability proportional to exp(−loss/scale), or takes a place of least loss
/// where the losses are the same on all neighbours. There is at least one place.
///
/// EXACT: a uniform place is kept with probability exp(−(loss − least)/scale); otherwise another is
/// drawn. So each place is returned in proportion to that probability. A place of least loss is always
/// kept, so the average number of rounds is at most the number of places.
pub(super) fn exponential(
    entropy: &mut Entropy,
    losses: &[u128],
    scale: Noise<LaplaceScale>,
) -> Result<usize, NoiseError> {
    let least = losses.iter().copied().min().ok_or(NoiseError::Range)?;
    let Noise::Of(scale) = scale else {
        return Ok(losses.iter().position(|loss| *loss == least).unwrap_or(0));
    };
    loop {
        let place = noise::uniform_below(entropy, losses.len() as u128)? as usize;
        // Losses are below 2^95 (counts below 2^63, times a 32-bit denominator), the factor below
        // 2^32, so the product does not saturate.
        let num = (losses[place] - least).saturating_mul(scale.den().into());
        if noise::bernoulli_exp(entropy, num, scale.num())? {
            return Ok(place);
        }
    }
}
