//! How a server evaluates randomized responses.

use core::fmt;
use core::marker::PhantomData;

use super::Choice;
use crate::cost::Epsilon;

/// The sum of randomized responses: reports are public, and a server adds them up.
///
/// Estimates are unbiased. If a share c of the reports says v, and the truth is reported with probability p
/// and each other value with probability q, then the share of v is (c − q)/(p − q). Some estimates may
/// lie outside 0 to 1, and together they add up to 1.
#[derive(Clone)]
pub struct Tally<T> {
    /// The probability p of the truth, and p − q.
    truth: f64,
    advantage: f64,
    counts: Vec<u64>,
    of: PhantomData<fn() -> T>,
}

impl<T: Choice> Tally<T> {
    /// Starts without reports, for [`respond`](super::Ask::respond) at ε.
    #[must_use]
    pub fn new<E: Epsilon>() -> Self {
        let epsilon = E::NUM as f64 / E::DEN as f64;
        let truth = 1.0 / (1.0 + (T::CHOICES as f64 - 1.0) * (-epsilon).exp());
        Tally::at(truth, -truth * (-epsilon).exp_m1())
    }

    fn at(truth: f64, advantage: f64) -> Self {
        Tally {
            truth,
            advantage,
            counts: vec![0; T::CHOICES],
            of: PhantomData,
        }
    }

    /// Adds a report. A report that is not a valid value is ignored.
    pub fn add(&mut self, report: T::Report) {
        if let Some(count) = self.counts.get_mut(T::place(report)) {
            *count += 1;
        }
    }

    /// How many reports were added.
    #[must_use]
    pub fn reports(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The estimated share of each value, in order; zeros where there are no reports.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let n = self.reports().max(1) as f64;
        let other = self.truth - self.advantage;
        let share = |count: &u64| match self.reports() {
            0 => 0.0,
            _ => (*count as f64 / n - other) / self.advantage,
        };
        self.counts.iter().map(share).collect()
    }

    /// An upper bound on the standard deviation of each share: 1/(2(p − q)√n).
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        0.5 / (self.advantage * (self.reports() as f64).sqrt())
    }
}

impl Tally<bool> {
    /// Starts without reports, for [`respond_by_gamma`](super::Ask::respond_by_gamma).
    #[must_use]
    pub fn by_gamma<const A: u32, const B: u32>() -> Self {
        const {
            assert!(
                2 * (A as u64) < B as u64 && A > 0,
                "γ = A/B is above 0 and below 1/2"
            )
        };
        let gamma = f64::from(A) / f64::from(B);
        Tally::at(0.5 + gamma, 2.0 * gamma)
    }
}

impl<T> fmt::Debug for Tally<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally")
            .field("counts", &self.counts)
            .finish()
    }
}
