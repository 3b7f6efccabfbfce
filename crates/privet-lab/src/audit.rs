//! Black-box audits: how much privacy loss a mechanism can be *shown* to spend.
//!
//! An audit runs a mechanism many times on two neighbouring inputs and looks for an event that is
//! more likely on one of them than the claim allows. It never shows that a claim holds.
//!
//! 1. A *scout* of a few thousand draws finds where the outputs lie.
//! 2. A *pilot*, a quarter of the draws, proposes events: single outcomes, half-lines, residues,
//!    and sets of the outcomes with the largest ratios, of each part of the output, of differences
//!    of parts, and of all parts together.
//! 3. The *test*, on the other draws, bounds the probabilities of the best few by Clopper–Pearson,
//!    at an error divided by the number of bounds. The events were chosen before, on other draws,
//!    so nothing else needs a correction.

mod beta;
mod claim;
mod events;
mod outcome;
mod progress;
mod sheet;
mod subject;

use std::fmt;

pub use beta::{lower_bound, upper_bound};
pub use claim::Claim;
pub(crate) use outcome::mix;
pub use outcome::{Notes, Outcome};

use privet::load::Source;
use privet::{Cost, Domain, Mechanism};

use crate::{Coins, Error};
use events::Event;
use sheet::{Lenses, Sheet};
use subject::{Closure, Simulated, Subject};

/// How many events are tested.
const EVENTS: usize = 24;
/// How many draws on each input the scout makes.
const SCOUT: u64 = 20_000;

/// An audit: a claim, and how hard to try to refute it.
///
/// ```
/// use privet_lab::{Audit, Claim};
///
/// # fn main() -> Result<(), privet_lab::Error> {
/// // Noise of scale 1 on a count, sold at ε = 1/2.
/// let report = Audit::new(Claim::Pure(0.5))
///     .draws(200_000)
///     .run(|coins| 7 + coins.laplace(1, 1), |coins| 8 + coins.laplace(1, 1))?;
/// assert!(report.is_refuted());
/// assert!(report.spent() > 0.9);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "an audit does nothing until it is run"]
pub struct Audit {
    claim: Claim,
    draws: u64,
    confidence: f64,
    seed: u64,
    threads: usize,
    name: String,
}

impl Audit {
    /// An audit of a claim: a million draws on each input, wrong once in a million.
    pub fn new(claim: Claim) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Audit {
            claim,
            draws: 1_000_000,
            confidence: 1.0 - 1e-6,
            seed: 0,
            threads,
            name: "audit".into(),
        }
    }

    /// How many times the mechanism is run on each of the two inputs, not counting the scout.
    pub fn draws(mut self, draws: u64) -> Self {
        self.draws = draws;
        self
    }

    /// The probability with which the reported loss is truly a lower bound.
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }

    /// Sets the seed. Another seed gives another sample.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many threads draw; the result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The name that the progress bar of a long audit shows.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Audits two functions: one mechanism on two neighbouring inputs.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] for a claim, confidence or number of draws that makes no sense;
    /// [`Error::Noise`] if the functions asked for noise out of range.
    pub fn run<O: Outcome>(
        &self,
        left: impl Fn(&mut Coins) -> O + Sync,
        right: impl Fn(&mut Coins) -> O + Sync,
    ) -> Result<Report, Error> {
        self.subjects(&Closure(left), &Closure(right))
    }

    /// Audits a mechanism of `privet` on two neighbouring data sets that are public.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet_lab::Audit;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> Result<(), privet_lab::Error> {
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 2>>();
    /// let report = Audit::of(&count)
    ///     .draws(100_000)
    ///     .mechanism(&count, || vec![Patient { age: 71 }], Vec::new)?;
    /// assert!(!report.is_refuted());
    /// assert!(report.spent() > 0.4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`run`](Audit::run), and [`Error::Mechanism`] if the mechanism fails.
    pub fn mechanism<In, Out, C, L, R>(
        &self,
        mechanism: &Mechanism<In, Out, C>,
        left: impl Fn() -> L + Sync,
        right: impl Fn() -> R + Sync,
    ) -> Result<Report, Error>
    where
        In: Domain,
        Out: Outcome + 'static,
        L: Source<In>,
        R: Source<In>,
    {
        self.subjects(
            &Simulated::new(mechanism, left),
            &Simulated::new(mechanism, right),
        )
    }

    /// An audit of what a mechanism's type claims.
    pub fn of<In: Domain, Out: 'static, C: Cost>(mechanism: &Mechanism<In, Out, C>) -> Self {
        Self::new(Claim::of(&mechanism.price())).named(mechanism.name())
    }

    fn subjects(&self, left: &impl Subject, right: &impl Subject) -> Result<Report, Error> {
        self.claim.validate()?;
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::Settings("the confidence must be between 0 and 1"));
        }
        if self.draws < 100 {
            return Err(Error::Settings("an audit needs at least 100 draws"));
        }
        let pilot_draws = self.draws / 4;
        let test_draws = self.draws - pilot_draws;
        let bar = progress::Bar::new(&self.name, 2 * self.draws);
        let sample = |phase: u64, draws: u64, lenses: &Lenses| -> Result<[Sheet; 2], Error> {
            let seed = |side| mix(self.seed ^ mix(2 * phase + side));
            Ok([
                subject::sample(left, draws, seed(0), lenses, self.threads, &bar)?,
                subject::sample(right, draws, seed(1), lenses, self.threads, &bar)?,
            ])
        };
        let mut lenses = Lenses::default();
        for (side, phase) in [(0, 10), (1, 11)] {
            let seed = mix(self.seed ^ mix(phase));
            match side {
                0 => left.scout(SCOUT, seed, &mut lenses)?,
                _ => right.scout(SCOUT, seed, &mut lenses)?,
            }
        }
        lenses.focus();
        let pilot = sample(1, pilot_draws, &lenses)?;
        let events = events::propose(&pilot, &lenses, &self.claim, EVENTS);
        let test = sample(2, test_draws, &lenses)?;
        Ok(self.judge(&events, &test, test_draws))
    }

    fn judge(&self, events: &[Event], test: &[Sheet; 2], draws: u64) -> Report {
        let error = (1.0 - self.confidence) / (2 * events.len().max(1)) as f64;
        let mut report = Report {
            claim: self.claim,
            spent: 0.0,
            draws: self.draws,
            confidence: self.confidence,
            event: None,
        };
        for event in events {
            let [p, q] = event.sides.map(|side| event.count(&test[side]));
            let low = lower_bound(p, draws, error);
            let high = upper_bound(q, draws, error);
            let spent = self.claim.loss(low, high);
            if spent > report.spent {
                report.spent = spent;
                report.event = Some(Found {
                    what: event.what.clone(),
                    on: if event.sides[0] == 0 {
                        "the left input"
                    } else {
                        "the right input"
                    },
                    seen: [p, q],
                    draws,
                });
            }
        }
        report
    }
}

/// What an audit found.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report {
    claim: Claim,
    spent: f64,
    draws: u64,
    confidence: f64,
    event: Option<Found>,
}

#[derive(Clone, Debug)]
struct Found {
    what: String,
    on: &'static str,
    seen: [u64; 2],
    draws: u64,
}

impl Report {
    /// The least that the mechanism spends, in the unit of the claim: ε, ε at the claimed δ, or ρ.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// What was claimed.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// How many draws were made on each input.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Whether the mechanism provably spends more than it claims.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.spent > self.claim.value()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_refuted() {
            "REFUTED"
        } else {
            "not refuted"
        };
        let unit = self.claim.unit();
        write!(
            f,
            "{verdict}: claims {}, spends at least {unit} = {:.4} ({} draws on each input, wrong once in {:.0})",
            self.claim,
            self.spent,
            self.draws,
            1.0 / (1.0 - self.confidence),
        )?;
        if let Some(found) = &self.event {
            write!(
                f,
                "; {} was seen {} times in {} on {}, {} on the other",
                found.what, found.seen[0], found.draws, found.on, found.seen[1]
            )?;
        }
        Ok(())
    }
}

/// The number of draws that the environment variable `PRIVET_LAB_DRAWS` asks for, or `usual`.
///
/// `PRIVET_LAB_DRAWS=1e9` is the long mode of this crate's tests.
#[must_use]
pub fn draws_or(usual: u64) -> u64 {
    std::env::var("PRIVET_LAB_DRAWS")
        .ok()
        .and_then(|text| text.replace('_', "").parse::<f64>().ok())
        .filter(|draws| (100.0..=1e13).contains(draws))
        .map_or(usual, |draws| draws as u64)
}
