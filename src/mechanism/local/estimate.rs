//! How a server evaluates private count-mean sketches.

use core::fmt;
use core::marker::PhantomData;

use crate::cost::Epsilon;
use crate::data::{Hashed, Held};

/// One device's report to a [`Sketch`]: which hash function it drew, and its noisy bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchReport {
    /// The hash function, counted from 0.
    pub hash: usize,
    /// One bit for each bucket.
    pub bits: Vec<bool>,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::stored! {
    [] SketchReport {
        hash as crate::stored::Plain,
        bits as crate::stored::Plain,
    }
}

/// Stops the compilation of a sketch of an invalid shape.
pub(crate) const fn check<const M: usize, const N: usize>() {
    assert!(
        M >= 1 && M <= 1 << 16,
        "a sketch has 1 to 65536 hash functions"
    );
    assert!(N >= 2 && N <= 1 << 16, "a sketch has 2 to 65536 buckets");
}

/// The bucket of a value under a public hash function: below `buckets`, whatever the value.
pub(crate) fn bucket(value: &impl Hashed, hash: usize, buckets: usize) -> usize {
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

/// The sum of reports of [`sketch`](super::Ask::sketch): reports are public, and a server adds them up.
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
    /// Starts without reports, for devices that pay ε each.
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

    /// Adds a report. A report of another shape is ignored.
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

    /// How many reports were added.
    #[must_use]
    pub fn reports(&self) -> u64 {
        self.reports.iter().sum()
    }

    /// Estimates how many devices hold a value.
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
    use crate::cost::Eps;
    use crate::mechanism::local::{One, person};
    use crate::vault::Simulation;

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
