//! Randomized response: the truth, or by chance another value.

use super::Ask;
use crate::cost::Epsilon;
use crate::data::{Choice, Held, Person, PersonQuery};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale;
use crate::noise::{self, Entropy, NoiseError};

impl<T: Held> Ask<T> {
    /// Reports the value, or by chance another. Of k values, the true one is reported with probability
    /// e^ε/(e^ε + k − 1) and each other one with probability 1/(e^ε + k − 1). It costs ε
    /// ([T5](crate::guide::theory#t5-randomized-response)).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private, whatever two values are compared.
    /// *Compiler-verified:* the probabilities (from ε and the number of values alone).
    /// *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Each report has one of two probabilities, and their ratio is e^ε exactly. The coins are
    /// exact. See [its proof](crate::guide::proofs::randomized_response).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::local::{Person, person};
    /// use privet::prelude::*;
    ///
    /// # fn main() -> privet::Result<()> {
    /// let device: Vault<Person<bool>, Eps<50, 1>> = Vault::of_person(true);
    /// let (report, device) = device.release(person::<bool>().respond::<Eps<50, 1>>())?;
    /// assert!(report); // false with probability e^-50
    /// # drop(device); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::local::{Person, person};
    /// # use privet::prelude::*;
    /// # fn main() -> privet::Result<()> {
    /// let device: Vault<Person<bool>, Eps<50, 1>> = Vault::of_person(true);
    /// let (report, device) = device.release(person::<bool>().respond::<Eps<51, 1>>())?;
    /// # drop(device); Ok(()) }
    /// ```
    pub fn respond<E: Epsilon>(self) -> Mechanism<Person<T>, T::Report, E>
    where
        T: Choice,
    {
        const { assert!(T::CHOICES >= 2, "a response needs at least two values") };
        let label = Label::new::<E>(format!("randomized response of {} values", T::CHOICES));
        // PRIVACY: mints ε; the probabilities are derived from `T` and `E` alone.
        // Proved: Response.respond_private, Choose.respond_among_private
        Mechanism::of_query(truth::<T>(), label, |run, exact| {
            let entropy = run.entropy()?;
            let place = respond(entropy, place(&exact), T::CHOICES, (E::NUM, E::DEN))?;
            Ok(T::report(place))
        })
    }
}

impl Ask<bool> {
    /// Reports the true bit with probability 1/2 + γ, where γ = `A`/`B`, and otherwise the
    /// other one. It costs ln((1/2 + γ)/(1/2 − γ)), or any ε that the caller states above it
    /// ([T5](crate::guide::theory#t5-randomized-response)).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private. *Compiler-verified:* γ < 1/2, and
    /// e^ε ≥ (1/2 + γ)/(1/2 − γ), by a lower bound of e^ε in integers. *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// Each report has one of two probabilities, and their ratio is (B + 2A)/(B − 2A), which is at
    /// most e^ε. See [its proof](crate::guide::proofs::randomized_response).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::local::{Person, Tally, person};
    /// use privet::prelude::*;
    ///
    /// /// Tells the truth three times out of four: ln 3 = 1.0986…
    /// fn coin() -> Mechanism<Person<bool>, bool, Eps<11, 10>> {
    ///     person::<bool>().respond_by_gamma::<1, 4, Eps<11, 10>>()
    /// }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let mut tally = Tally::<bool>::by_gamma::<1, 4>();
    /// for _ in 0..10_000 {
    ///     let device: Vault<Person<bool>, Eps<11, 10>> = Vault::of_person(true);
    ///     tally.add(device.release(coin())?.0);
    /// }
    /// assert!((tally.shares()[1] - 1.0).abs() < 20.0 * tally.standard_error());
    /// # Ok(()) }
    /// ```
    ///
    /// # A price below the logarithm does not compile
    ///
    /// ```compile_fail,E0080
    /// # use privet::local::{Person, person};
    /// # use privet::prelude::*;
    /// fn coin() -> Mechanism<Person<bool>, bool, Eps<10, 10>> {
    ///     person::<bool>().respond_by_gamma::<1, 4, Eps<10, 10>>()
    /// }
    /// # coin();
    /// ```
    pub fn respond_by_gamma<const A: u32, const B: u32, E: Epsilon>(
        self,
    ) -> Mechanism<Person<bool>, bool, E> {
        const {
            let (a, b) = (A as u64, B as u64);
            assert!(2 * a < b, "γ = A/B must be below 1/2");
            assert!(
                scale::exp_at_least(E::NUM, E::DEN, b + 2 * a, b - 2 * a),
                "the stated ε is below ln((1/2 + γ)/(1/2 − γ)): state a larger ε or a smaller γ"
            );
        }
        let label = Label::new::<E>(format!("randomized response with γ = {A}/{B}"));
        // PRIVACY: mints ε, which the constant above proves to be at least the logarithm.
        // Not proved: that e^ε is at least the ratio is a test in integers; `proofs/randomized_response.md`.
        Mechanism::of_query(truth::<bool>(), label, |run, exact| {
            let (a, b) = (u128::from(A), u128::from(B));
            let honest = noise::bernoulli(run.entropy()?, b + 2 * a, 2 * b)?;
            Ok((place(&exact) == 1) == honest)
        })
    }
}

/// The exact query: which of the values it is.
pub(super) fn truth<T: Choice>() -> std::sync::Arc<PersonQuery<T>> {
    // PRIVACY: touches the raw value.
    PersonQuery::new(|value: &u64| vec![i128::from(*value)])
}

fn place(exact: &[i128]) -> usize {
    exact.first().map_or(0, |place| *place as usize)
}

/// EXACT: a uniform place is reported if it is the true one, and with probability e^−ε if it is
/// not; otherwise another is drawn. So the true place and any other are reported in the ratio 1 to
/// e^−ε, and how many are drawn reveals nothing
/// of which is true.
fn respond(
    entropy: &mut Entropy,
    truth: usize,
    choices: usize,
    (num, den): (u64, u64),
) -> Result<usize, NoiseError> {
    if choices == 2 {
        let honest = noise::bernoulli_logistic(entropy, num.into(), den.into())?;
        return Ok(if honest { truth } else { 1 - truth.min(1) });
    }
    loop {
        let place = noise::uniform_below(entropy, choices as u128)? as usize;
        // The coin is tossed in either case, so that time does not reveal the true value.
        let kept = noise::bernoulli_exp(entropy, num.into(), den.into())?;
        if place == truth || kept {
            return Ok(place);
        }
    }
}
