//! The private count-mean sketch: how often each of very many values occurs, in the local model.

use super::Ask;
use crate::cost::Epsilon;
use crate::data::{Held, Person, PersonQuery};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::local::estimate::{SketchReport, bucket, check};
use crate::noise;

impl<T: Held> Ask<T> {
    /// Reports a noisy sketch of the value: one of `M` public hash functions, drawn at random, and
    /// a row of `N` bits, all 0 but the one at the value's bucket, each flipped with probability
    /// 1/(e^(ε/2) + 1). It costs ε ([T8](crate::guide::theory#t8-count-mean-sketch)).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private, whatever two values are compared.
    /// *Compiler-verified:* the probability of a flip (from ε alone), that every bit is flipped.
    /// *Caller-verified:* nothing; hash functions are public and privacy does not depend on them.
    ///
    /// # Why it holds
    ///
    /// The hash function is drawn without looking at the value. Given it, the rows of two values
    /// differ in at most two bits, and each changes the probability of a report by e^(ε/2). See
    /// [its proof](crate::guide::proofs::sketch).
    ///
    /// # Accuracy
    ///
    /// The noise alone has the standard deviation that
    /// [`Sketch::standard_error`](crate::local::Sketch::standard_error) returns: about √n·2/ε at small ε. Collisions of hash functions
    /// add an error of the order of n/√(M·N), whatever the noise.
    ///
    /// # Example
    ///
    /// ```
    /// use privet::local::{Person, Sketch, person};
    /// use privet::prelude::*;
    ///
    /// # fn main() -> privet::Result<()> {
    /// let mut sketch = Sketch::<String, 16, 64>::new::<Eps<4, 1>>();
    /// for i in 0..4_000 {
    ///     let word = if i % 4 == 0 { "rare" } else { "common" };
    ///     let device: Vault<Person<String>, Eps<4, 1>> = Vault::of_person(word.to_string());
    ///     let (report, _) = device.release(person::<String>().sketch::<16, 64, Eps<4, 1>>())?;
    ///     sketch.add(&report);
    /// }
    /// assert!((sketch.estimate("common".to_string()) - 3_000.0).abs() < 1_000.0);
    /// assert!(sketch.estimate("absent".to_string()).abs() < 1_000.0);
    /// # Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::local::{Person, Sketch, person};
    /// # use privet::prelude::*;
    /// # fn main() -> privet::Result<()> {
    /// let device: Vault<Person<String>, Eps<4, 1>> = Vault::of_person("common".to_string());
    /// let (report, _) = device.release(person::<String>().sketch::<16, 64, Eps<5, 1>>())?;
    /// # Ok(()) }
    /// ```
    pub fn sketch<const M: usize, const N: usize, E: Epsilon>(
        self,
    ) -> Mechanism<Person<T>, SketchReport, E> {
        const { check::<M, N>() };
        let label = Label::new::<E>(format!("count-mean sketch of {M} hashes to {N} buckets"));
        // PRIVACY: touches the raw value: its buckets under all hash functions.
        let buckets = PersonQuery::new(|value: &T::Stored| {
            (0..M).map(|hash| bucket(value, hash, N) as i128).collect()
        });
        // PRIVACY: mints ε; the probability of a flip is derived from `E` alone.
        // Not proved: `proofs/sketch.md`.
        Mechanism::of_query(buckets, label, |run, buckets| {
            let entropy = run.entropy()?;
            let hash = noise::uniform_below(entropy, M as u128)? as usize;
            let own = buckets[hash];
            let mut bits = Vec::with_capacity(N);
            for bucket in 0..N as i128 {
                // Half of ε for each of the two bits that may differ.
                let honest =
                    noise::bernoulli_logistic(entropy, E::NUM.into(), 2 * u128::from(E::DEN))?;
                bits.push((bucket == own) == honest);
            }
            Ok(SketchReport { hash, bits })
        })
    }
}
