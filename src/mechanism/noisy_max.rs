//! The public key with the most rows, by noisy counts.

use crate::cost::Epsilon;
use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::noise;
use crate::query::{HasL1, Histogram, Query};

impl<In: Domain, S, E> Query<In, Histogram<S, E>>
where
    Histogram<S, E>: HasL1<In>,
{
    /// Releases the place of the largest noisy count, but not the counts (report-noisy-max). It costs ε.
    ///
    /// Every count gets discrete Laplace noise of scale Δ₁/ε; of equal counts the first wins.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of `In`. *Compiler-verified:* the
    /// sensitivity and the scale (from it and ε alone). *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Fix the noise of all counts but the i-th. Then i wins if and only if its own noise reaches some
    /// whole number t. On a neighbour, where counts move by d, it wins if its noise reaches
    /// t + (max d − min d), and max d − min d ≤ |d|₁ ≤ Δ₁. Each step of 1 costs a factor of at most
    /// e^(ε/Δ₁). Under `Replace` Δ₁ is 2, the well-known factor. See
    /// [its proof](crate::guide::proofs::noisy_max).
    ///
    /// # Accuracy
    ///
    /// Of k keys, one that has t rows fewer than the best is released only if two noises differ by t:
    /// with probability at most about k·(1 + ε·t/(2Δ₁))·exp(−ε·t/Δ₁).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { smoker: bool }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let patients = (0..500).map(|_| Patient { smoker: true });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let more = rows::<Patient>().histogram(|p| p.smoker).noisy_max::<Eps<1, 2>>();
    /// let (place, vault) = vault.release(more)?;
    /// assert_eq!(place, 1); // 0 with probability below e^-120
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { smoker: bool }
    /// # fn main() -> privet::Result<()> {
    /// # let patients = (0..500).map(|_| Patient { smoker: true });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let more = rows::<Patient>().histogram(|p| p.smoker).noisy_max::<Eps<2, 2>>();
    /// let (place, vault) = vault.release(more)?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn noisy_max<C: Epsilon>(self) -> Mechanism<In, usize, C> {
        const {
            assert!(
                scale::comparable(<Histogram<S, E> as HasL1<In>>::L1, C::NUM, C::DEN).is_some(),
                "the noise for this sensitivity and ε is too large to compare exactly: raise ε"
            );
        }
        let scale = const { scale::comparable(<Histogram<S, E> as HasL1<In>>::L1, C::NUM, C::DEN) };
        let label = Label::new::<C>(format!("the key of {} with the most rows", self.term()));
        // PRIVACY: mints ε; the scale is derived from the query and `C` alone. Noisy counts are
        // compared here and then dropped.
        // Proved: Noisy.noisy_max_private
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            let counts = self.exact_cells(exact);
            let entropy = run.entropy()?;
            let mut best: Option<(i128, usize)> = None;
            for (place, count) in counts.into_iter().enumerate() {
                let noise = match scale {
                    Noise::None => 0,
                    Noise::Of(scale) => noise::laplace(entropy, scale)?,
                };
                let noisy = count.saturating_add(noise);
                if best.is_none_or(|(most, _)| noisy > most) {
                    best = Some((noisy, place));
                }
            }
            // The number of keys is public, so this error reveals nothing.
            best.map(|(_, place)| place).ok_or(Error::NothingToChoose)
        })
    }
}
