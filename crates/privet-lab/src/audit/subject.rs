//! The subject of an audit, which can be run many times, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use privet::load::Source;
use privet::{Domain, Mechanism, Simulation};

use super::outcome::{Notes, Outcome, mix};
use super::progress::Bar;
use super::sheet::{Lenses, Sheet};
use crate::{Coins, Error};

/// Draws that share one generator, so that results do not depend on the number of threads.
const BATCH: u64 = 1 << 16;

pub(super) trait Subject: Sync {
    /// Runs it that many times with its own generator and shows every output.
    fn batch(&self, seed: u64, draws: u64, see: &mut dyn FnMut(&Notes)) -> Result<(), Error>;

    /// Finds where the outputs lie.
    fn scout(&self, draws: u64, seed: u64, lenses: &mut Lenses) -> Result<(), Error> {
        self.batch(seed, draws, &mut |notes| lenses.scout(notes))
    }
}

/// A function of coins.
pub(super) struct Closure<F>(pub F);

impl<O: Outcome, F: Fn(&mut Coins) -> O + Sync> Subject for Closure<F> {
    fn batch(&self, seed: u64, draws: u64, see: &mut dyn FnMut(&Notes)) -> Result<(), Error> {
        let mut coins = Coins::new(seed);
        let mut notes = Notes::default();
        for _ in 0..draws {
            notes.clear();
            (self.0)(&mut coins).note(&mut notes);
            see(&notes);
        }
        if coins.failed() {
            Err(Error::Noise)
        } else {
            Ok(())
        }
    }
}

/// A mechanism of `privet` on public data.
pub(super) struct Simulated<'a, In: Domain, Out, C, F> {
    mechanism: &'a Mechanism<In, Out, C>,
    data: F,
}

impl<'a, In: Domain, Out, C, F> Simulated<'a, In, Out, C, F> {
    pub(super) fn new(mechanism: &'a Mechanism<In, Out, C>, data: F) -> Self {
        Simulated { mechanism, data }
    }
}

impl<In, Out, C, F, S> Subject for Simulated<'_, In, Out, C, F>
where
    In: Domain,
    Out: Outcome + 'static,
    F: Fn() -> S + Sync,
    S: Source<In>,
{
    fn batch(&self, seed: u64, draws: u64, see: &mut dyn FnMut(&Notes)) -> Result<(), Error> {
        let mut simulation = Simulation::<In>::of_public((self.data)(), seed)?;
        let mut notes = Notes::default();
        simulation.run_many(self.mechanism, draws, |out| {
            notes.clear();
            out.note(&mut notes);
            see(&notes);
        })?;
        Ok(())
    }
}

/// Counts `draws` outputs, in batches spread over threads.
pub(super) fn sample(
    subject: &impl Subject,
    draws: u64,
    seed: u64,
    lenses: &Lenses,
    threads: usize,
    bar: &Bar,
) -> Result<Sheet, Error> {
    let batches = draws.div_ceil(BATCH);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Ok(Sheet::default()));
    let work = || {
        let mut sheet = Sheet::default();
        let outcome = loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= batches {
                break Ok(sheet);
            }
            let size = BATCH.min(draws - batch * BATCH);
            let seed = mix(seed ^ mix(batch));
            if let Err(error) = subject.batch(seed, size, &mut |notes| sheet.add(notes, lenses)) {
                next.store(batches, Ordering::Relaxed);
                break Err(error);
            }
            bar.advance(size);
        };
        // A panic of the subject on another thread ends the audit below; the counts stay usable.
        let mut total = total.lock().unwrap_or_else(|poison| poison.into_inner());
        match (&mut *total, outcome) {
            (Ok(sum), Ok(sheet)) => sum.merge(sheet),
            (Ok(_), Err(error)) => *total = Err(error),
            (Err(_), _) => {}
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(batches as usize) {
            scope.spawn(work);
        }
        work();
    });
    total
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner())
}
