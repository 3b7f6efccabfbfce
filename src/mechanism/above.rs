//! The first of many answers that is above a threshold, for the price of one.

use std::sync::Arc;

use crate::cost::{Epsilon, Times};
use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::noise::{self, Entropy, LaplaceScale, NoiseError};
use crate::query::{HasL1, Query};

/// The noise of the threshold and of the answers.
type Scales = (Noise<LaplaceScale>, Noise<LaplaceScale>);

impl<In: Domain, C: Epsilon> Mechanism<In, Option<usize>, C> {
    /// Finds the place of the first query whose noisy answer reaches a noisy threshold, or none
    /// (above-threshold, the sparse vector technique). It costs ε, however many queries are asked.
    ///
    /// The threshold gets Laplace noise of scale 2Δ/ε once; every answer gets fresh noise of scale
    /// 4Δ/ε. Only places are released. To learn an answer itself, pay for it separately.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of `In`. *Compiler-verified:* the
    /// sensitivity Δ of every query (all have one type and hence one constant) and both scales.
    /// *Caller-verified:* nothing; threshold and queries are public.
    ///
    /// # Why it holds
    ///
    /// On a neighbour answers move by at most Δ. Move the noisy threshold up by Δ (a factor of
    /// e^(ε/2)). Then every answer that stayed below still does, at no further cost, however many there
    /// are. Move the noise of the answer found up by 2Δ (a factor of e^(ε/2)). Then it still reaches the
    /// threshold. See
    /// [its proof](crate::guide::proofs::above).
    ///
    /// # Accuracy
    ///
    /// With m answers and probability 1 − β, all noise together is at most (6Δ/ε)·ln((m + 1)/β). An
    /// answer further above the threshold than that is found, and one further below is not.
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// /// The first age that more than about 500 patients have passed, from above.
    /// fn oldest_crowd() -> Mechanism<Table<Patient>, Option<usize>, Eps<1, 1>> {
    ///     let older = (0..120).rev().map(|age| rows::<Patient>().filter(move |p| p.age.gt(age)).count());
    ///     Mechanism::first_above(500, older)
    /// }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let patients = (0..1000).map(|_| Patient { age: 71 });
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    /// let (place, vault) = vault.release(oldest_crowd())?;
    /// assert_eq!(place, Some(119 - 70)); // another with probability below e^-60
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn oldest_crowd() -> Mechanism<Table<Patient>, Option<usize>, Eps<1, 1>> {
    /// #     let older = (0..120).rev().map(|age| rows::<Patient>().filter(move |p| p.age.gt(age)).count());
    /// #     Mechanism::first_above(500, older)
    /// # }
    /// # fn main() -> privet::Result<()> {
    /// # let patients = (0..1000).map(|_| Patient { age: 71 });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let (place, vault) = vault.release(oldest_crowd())?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn first_above<Q>(threshold: i64, queries: impl IntoIterator<Item = Query<In, Q>>) -> Self
    where
        Q: HasL1<In, Answer = i64>,
    {
        Mechanism::<In, Vec<usize>, C>::places(1, threshold, queries)
            .map(|places| places.first().copied())
    }

    /// Finds the places of the first queries, at most `K`, whose noisy answers reach noisy thresholds: ε
    /// for each, found or not.
    ///
    /// After an answer is found, the search continues after it as a separate
    /// [`first_above`](Mechanism::first_above), with fresh noise on the threshold.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let on = (0..120).map(|age| rows::<Patient>().filter(move |p| p.age.eq_to(age)).count());
    /// let crowds: Mechanism<_, Vec<usize>, Eps<3, 2>> =
    ///     Mechanism::<_, _, Eps<1, 2>>::first_few_above::<3, _>(500, on);
    /// ```
    pub fn first_few_above<const K: usize, Q>(
        threshold: i64,
        queries: impl IntoIterator<Item = Query<In, Q>>,
    ) -> Mechanism<In, Vec<usize>, C::Product>
    where
        C: Times<K>,
        Q: HasL1<In, Answer = i64>,
    {
        let one = Mechanism::<In, Vec<usize>, C>::places(K, threshold, queries);
        let label = Label::new::<C::Product>(format!("{K} times at most")).repeated(K, one.label());
        // PRIVACY: adaptive composition of `K` searches of cost `C`: each starts after the place
        // that the last one released.
        // Proved: Noisy.first_above_private, Mechanism.mechanism_sound (rule T_Iterate)
        one.relabel(Arc::new(label))
    }
}

impl<In: Domain, C: Epsilon> Mechanism<In, Vec<usize>, C> {
    /// Up to `found` places. PRIVACY: each costs `C`; the caller charges `found` times that.
    fn places<Q>(
        found: usize,
        threshold: i64,
        queries: impl IntoIterator<Item = Query<In, Q>>,
    ) -> Self
    where
        Q: HasL1<In, Answer = i64>,
    {
        const {
            assert!(
                scale::above(Q::L1, C::NUM, C::DEN).is_some(),
                "the noise for this sensitivity and ε is too large to compare exactly: \
                 clamp to smaller bounds, or raise ε"
            );
        }
        let scales = const { scale::above(Q::L1, C::NUM, C::DEN) };
        let queries: Vec<_> = queries.into_iter().collect();
        let label = Label::priced(
            format!("the first of {} answers above {threshold}", queries.len()),
            Some(C::price()),
        );
        let asked = queries.iter().map(Query::exact_query).collect();
        // PRIVACY: mints ε per place; scales are derived from `Q` and `C` alone. Noisy answers are
        // compared here and then dropped.
        // Proved: Noisy.first_above_private
        Mechanism::mint(asked, label, move |run| {
            let scales = scales.ok_or(Error::Scale)?;
            let answers: Vec<i128> = queries
                .iter()
                .map(|query| query.exact_cells(run.exact()).first().copied().unwrap_or(0))
                .collect();
            let entropy = run.entropy()?;
            let mut places = Vec::new();
            let mut start = 0;
            while places.len() < found {
                let rest = &answers[start..];
                match search(entropy, rest, threshold.into(), scales)? {
                    Some(place) => {
                        places.push(start + place);
                        start += place + 1;
                    }
                    None => break,
                }
            }
            Ok(places)
        })
    }
}

/// One search. Answers are below 2^115 and noise is below 2^126, so nothing saturates.
fn search(
    entropy: &mut Entropy,
    answers: &[i128],
    threshold: i128,
    (of_threshold, of_answer): Scales,
) -> Result<Option<usize>, NoiseError> {
    let mut noisy = |value: i128, scale| match scale {
        Noise::None => Ok(value),
        Noise::Of(scale) => Ok(value.saturating_add(noise::laplace(entropy, scale)?)),
    };
    let threshold = noisy(threshold, of_threshold)?;
    for (place, answer) in answers.iter().enumerate() {
        if noisy(*answer, of_answer)? >= threshold {
            return Ok(Some(place));
        }
    }
    Ok(None)
}
