//! How a mechanism meets the data: exact queries in one pass, then noisy answers.

use std::sync::Arc;

use super::stack::deeper;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::noise::Entropy;
use crate::process::Process;

/// One execution of a mechanism.
pub(super) struct Run<'a, D: Data> {
    data: &'a D,
    exact: Vec<Vec<i128>>,
    next: usize,
    supply: Supply,
}

/// What an execution takes its noise from, and where it may run.
pub(crate) struct Supply {
    /// There is none before the first draw, except for data declared public.
    entropy: Option<Entropy>,
    timing: Timing,
    /// The process that opened the data; none for data declared public, which has no budget.
    process: Option<Process>,
}

/// What the time that noise takes may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Timing {
    /// It may depend on the noise, which allows the fastest samplers.
    #[default]
    Free,
    /// It must not depend on the noise.
    Constant,
}

impl Supply {
    /// A generator that the first draw will have keyed by the operating system.
    pub(crate) fn system(timing: Timing, process: Process) -> Self {
        Supply {
            entropy: None,
            timing,
            process: Some(process),
        }
    }

    /// A given generator: for data declared public.
    pub(crate) fn public(entropy: Entropy) -> Self {
        Supply {
            entropy: Some(entropy),
            timing: Timing::Free,
            process: None,
        }
    }

    /// PRIVACY: whether this process holds the budget, and not a copy that a fork made of it.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`] in a child of the process that opened the data.
    pub(crate) fn check(&self) -> Result<()> {
        match self.process {
            Some(process) if !process.is_current() => Err(Error::Forked),
            _ => Ok(()),
        }
    }

    /// The same generator, in constant time.
    pub(crate) fn in_constant_time(self) -> Self {
        Supply {
            timing: Timing::Constant,
            ..self
        }
    }
}

/// A portion of the data: one of several tables, or a view of one.
pub(super) enum Portion<'a, P> {
    /// A table of its own.
    Whole(&'a P),
    /// A view, made for one run.
    View(P),
    /// A view, and the exact cells of the queries that are asked of it.
    Answered(P, Vec<Vec<i128>>),
}

/// A function from exact cells to a released answer.
///
/// Mechanisms nest such functions as deeply as a program likes, even inside user functions. Each call and
/// each return makes sure that there is enough stack.
pub(super) struct Finish<D: Data, Out>(Option<Arc<Function<D, Out>>>);

type Function<D, Out> = dyn Fn(&mut Run<'_, D>) -> Result<Out> + Send + Sync;

impl<D: Data, Out> Finish<D, Out> {
    pub(crate) fn new(
        answer: impl Fn(&mut Run<'_, D>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        Finish(Some(Arc::new(answer)))
    }

    pub(super) fn make(&self, run: &mut Run<'_, D>) -> Result<Out> {
        match &self.0 {
            Some(answer) => deeper(|| answer(run)),
            None => unreachable!("only `drop` takes the function"),
        }
    }
}

impl<D: Data, Out> Clone for Finish<D, Out> {
    fn clone(&self) -> Self {
        Finish(self.0.clone())
    }
}

impl<D: Data, Out> Drop for Finish<D, Out> {
    fn drop(&mut self) {
        let answer = self.0.take();
        deeper(|| drop(answer));
    }
}

impl<'a, D: Data> Run<'a, D> {
    /// Asks `queries` in one pass and lets `answer` turn the exact cells into a release.
    pub(super) fn execute<Out>(
        data: &'a D,
        queries: &[Arc<D::Query>],
        answer: &Finish<D, Out>,
        supply: &mut Supply,
    ) -> Result<Out> {
        let mut run = Run::new(data, queries, supply)?;
        let out = answer.make(&mut run);
        *supply = run.supply;
        out
    }

    /// Equivalent to calling [`execute`](Run::execute) `times` times, with one pass for all. Exact cells
    /// are deterministic, so only the answers are drawn again.
    pub(super) fn execute_many<Out>(
        data: &'a D,
        queries: &[Arc<D::Query>],
        answer: &Finish<D, Out>,
        supply: &mut Supply,
        times: u64,
        mut see: impl FnMut(Out),
    ) -> Result<()> {
        let mut run = Run::new(data, queries, supply)?;
        let result = (0..times).try_for_each(|_| {
            run.rewind(0);
            answer.make(&mut run).map(&mut see)
        });
        *supply = run.supply;
        result
    }

    /// Asks `queries` in one pass. The run holds the supply until it gives it back.
    fn new(data: &'a D, queries: &[Arc<D::Query>], supply: &mut Supply) -> Result<Self> {
        // Before the data is read, and before a thread pool is asked that a fork left without threads.
        supply.check()?;
        Ok(Run::answered(data, data.scan(queries)?, supply))
    }

    /// A run whose queries were answered before.
    fn answered(data: &'a D, exact: Vec<Vec<i128>>, supply: &mut Supply) -> Self {
        let (timing, process) = (supply.timing, supply.process);
        let emptied = Supply {
            entropy: None,
            timing,
            process,
        };
        Run {
            data,
            exact,
            next: 0,
            supply: std::mem::replace(supply, emptied),
        }
    }

    /// Runs another mechanism on the same data, in a pass of its own, with the same generator.
    pub(super) fn nested<Out>(
        &mut self,
        queries: &[Arc<D::Query>],
        answer: &Finish<D, Out>,
    ) -> Result<Out> {
        Run::execute(self.data, queries, answer, &mut self.supply)
    }

    /// Runs a mechanism on part of the data, in a pass of its own, with the same generator.
    pub(super) fn within<P: Data, Out>(
        &mut self,
        part: impl FnOnce(&'a D) -> Portion<'a, P>,
        queries: &[Arc<P::Query>],
        answer: &Finish<P, Out>,
    ) -> Result<Out> {
        // A view reads the data.
        self.supply.check()?;
        let supply = &mut self.supply;
        match part(self.data) {
            Portion::Whole(data) => Run::execute(data, queries, answer, supply),
            Portion::View(data) => Run::execute(&data, queries, answer, supply),
            Portion::Answered(data, exact) => {
                let mut run = Run::answered(&data, exact, supply);
                let out = answer.make(&mut run);
                *supply = run.supply;
                out
            }
        }
    }

    /// PRIVACY: whether this process holds the budget; to be asked before the raw data is read.
    pub(super) fn check(&self) -> Result<()> {
        self.supply.check()
    }

    /// PRIVACY: the raw data, for mechanisms whose cells have private names and for blocks.
    pub(super) fn data(&self) -> &'a D {
        self.data
    }

    /// The exact cells of the next query, in the order they were asked.
    pub(super) fn exact(&mut self) -> Vec<i128> {
        let cells = self.exact[self.next].clone();
        self.next += 1;
        cells
    }

    /// The place of the next query, to come back to.
    pub(super) fn mark(&self) -> usize {
        self.next
    }

    /// Goes back to a mark, to use the same exact answers with fresh noise.
    pub(super) fn rewind(&mut self, mark: usize) {
        self.next = mark;
    }

    /// The generator of this execution: seeded by the operating system, for it alone.
    ///
    /// PRIVACY: nobody outside can supply or seed it, and none is kept between executions.
    ///
    /// # Errors
    ///
    /// [`Error::VariableTime`] in a vault opened in constant time. A mechanism that can draw in constant
    /// time uses [`Run::noise`] instead, so every other mechanism is refused by default.
    pub(super) fn entropy(&mut self) -> Result<&mut Entropy> {
        match self.noise()? {
            (entropy, Timing::Free) => Ok(entropy),
            (_, Timing::Constant) => Err(Error::VariableTime),
        }
    }

    /// Like [`Run::entropy`], for mechanisms that respect what the time may depend on.
    ///
    /// PRIVACY: asks each time which process this is, since user code between two draws (in
    /// `map` or `then`) may have forked, and the child would hold exact cells that it has not paid for.
    pub(super) fn noise(&mut self) -> Result<(&mut Entropy, Timing)> {
        self.supply.check()?;
        let Supply {
            entropy, timing, ..
        } = &mut self.supply;
        if entropy.is_none() {
            *entropy = Some(Entropy::os().map_err(Error::from)?);
        }
        Ok((entropy.as_mut().ok_or(Error::Entropy)?, *timing))
    }
}
