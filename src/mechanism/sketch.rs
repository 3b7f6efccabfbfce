//! The private count-mean sketch: how often each of very many values occurs, in the local model.

use core::fmt;
use core::marker::PhantomData;

use crate::Mechanism;
use crate::cost::Epsilon;
use crate::explain::Node;
use crate::local::{Ask, Hashed, Held, Person, PersonLeaf};
use crate::noise;

/// One device's report to a [`Sketch`]: which hash function it drew, and its noisy bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchReport {
    /// The hash function, counted from 0.
    pub hash: usize,
    /// One bit for each bucket.
    pub bits: Vec<bool>,
}

impl<T: Held> Ask<T> {
    /// Reports a noisy sketch of the value: one of `M` public hash functions, drawn at random, and
    /// a row of `N` bits, all 0 but the one at the value's bucket, each flipped with probability
    /// 1/(e^(ε/2) + 1). Costs ε (T8).
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private, whatever two values are compared.
    /// *Compiler-verified:* the probability of a flip (from ε alone), that every bit is flipped.
    /// *Caller-verified:* nothing; hash functions are public and privacy does not rest on them.
    ///
    /// # Why it holds
    ///
    /// The hash function is drawn without looking at the value. Given it, the rows of two values
    /// differ in at most two bits, and each changes the probability of a report by e^(ε/2). See
    /// `proofs/sketch.md`.
    ///
    /// # Accuracy
    ///
    /// [`Sketch::standard_error`] for the noise: about √n·2/ε at small ε. Collisions of hash functions
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
        let about = Node::new::<E>(format!("count-mean sketch of {M} hashes to {N} buckets"));
        // PRIVACY: touches the raw value: its buckets under all hash functions.
        let buckets = PersonLeaf::new(|value: &T::Stored| {
            (0..M).map(|hash| bucket(value, hash, N) as i128).collect()
        });
        // PRIVACY: mints ε; the probability of a flip is derived from `E` alone.
        Mechanism::leaf(buckets, about, |run, buckets| {
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

const fn check<const M: usize, const N: usize>() {
    assert!(
        M >= 1 && M <= 1 << 16,
        "a sketch has 1 to 65536 hash functions"
    );
    assert!(N >= 2 && N <= 1 << 16, "a sketch has 2 to 65536 buckets");
}

/// The bucket of a value under a public hash function: below `buckets`, whatever the value.
fn bucket(value: &impl Hashed, hash: usize, buckets: usize) -> usize {
    let start = mix(hash as u64 ^ 0x7072_6976_6574_0001);
    let state = value
        .words()
        .fold(start, |state, word| mix(state ^ mix(word)));
    ((u128::from(state) * buckets as u128) >> 64) as usize
}

/// SplitMix64's step: a public permutation of 64-bit words.
const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Reports of [`sketch`](Ask::sketch), added up: what a server does with public reports.
///
/// With n reports, the estimate of how many devices hold d is
/// N/(N − 1)·(Σⱼ debiasedⱼ\[hⱼ(d)\] − n/N), unbiased over the noise and over hash functions.
#[derive(Clone)]
pub struct Sketch<T, const M: usize, const N: usize> {
    /// The probability q that a 0 is reported as 1, and p − q with p = 1 − q.
    flip: f64,
    advantage: f64,
    /// Reports by hash function, and their ones by bucket.
    reports: Vec<u64>,
    ones: Vec<u64>,
    of: PhantomData<fn() -> T>,
}

impl<T: Held, const M: usize, const N: usize> Sketch<T, M, N> {
    /// No reports yet, of devices that pay ε each.
    #[must_use]
    pub fn new<E: Epsilon>() -> Self {
        const { check::<M, N>() };
        let half = E::NUM as f64 / E::DEN as f64 / 2.0;
        Sketch {
            flip: 1.0 / (half.exp() + 1.0),
            advantage: (half / 2.0).tanh(),
            reports: vec![0; M],
            ones: vec![0; M * N],
            of: PhantomData,
        }
    }

    /// Adds a report; one of another shape is left out.
    pub fn add(&mut self, report: &SketchReport) {
        if report.hash >= M || report.bits.len() != N {
            return;
        }
        self.reports[report.hash] += 1;
        let row = &mut self.ones[report.hash * N..][..N];
        for (ones, bit) in row.iter_mut().zip(&report.bits) {
            *ones += u64::from(*bit);
        }
    }

    /// How many reports.
    #[must_use]
    pub fn reports(&self) -> u64 {
        self.reports.iter().sum()
    }

    /// How many devices hold a value, by estimate.
    #[must_use]
    pub fn estimate(&self, value: T) -> f64 {
        let value = value.store();
        let debiased = |hash: usize| {
            let ones = self.ones[hash * N + bucket(&value, hash, N)] as f64;
            (ones - self.reports[hash] as f64 * self.flip) / self.advantage
        };
        let sum: f64 = (0..M).map(debiased).sum();
        let (n, buckets) = (self.reports() as f64, N as f64);
        buckets / (buckets - 1.0) * (sum - n / buckets)
    }

    /// The part of an estimate's standard deviation that the noise makes:
    /// N/(N − 1)·√n·√(q(1 − q))/(p − q). Collisions of hash functions come on top.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let (n, buckets) = (self.reports() as f64, N as f64);
        buckets / (buckets - 1.0) * (n * self.flip * (1.0 - self.flip)).sqrt() / self.advantage
    }
}

impl<T, const M: usize, const N: usize> fmt::Debug for Sketch<T, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sketch")
            .field("reports", &self.reports)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::{One, person};
    use crate::{Eps, Simulation};

    #[test]
    fn buckets_are_even_and_in_range() {
        for hash in 0..4 {
            let mut counts = [0_u32; 7];
            for value in 0..70_000_u64 {
                counts[bucket(&value, hash, 7)] += 1;
            }
            assert!(
                counts.iter().all(|count| count.abs_diff(10_000) < 500),
                "{counts:?}"
            );
        }
        let text = |text: &str| bucket(&String::from(text).store(), 0, 1 << 16);
        assert_ne!(text("a"), text("a\0"));
        assert_ne!(text("abcdefgh"), text("abcdefghi"));
    }

    #[test]
    fn estimates_are_unbiased() {
        let report = person::<u32>().sketch::<8, 16, Eps<2, 1>>();
        let mut sketch = Sketch::<u32, 8, 16>::new::<Eps<2, 1>>();
        for i in 0..20_000_u32 {
            let value = One::new(i % 5);
            let mut device = Simulation::of_public(value, i.into()).unwrap();
            sketch.add(&device.run(&report).unwrap());
        }
        // Noise 181, collisions on 8 hash functions a few hundred more.
        for value in 0..5 {
            assert!((sketch.estimate(value) - 4_000.0).abs() < 2_500.0);
        }
        assert!(sketch.standard_error() < 250.0);
    }
}
