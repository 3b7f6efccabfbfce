//! A private query: what it takes, what it returns, and what it costs.

mod above;
mod additive;
mod choose;
mod coin_flips;
mod epsilon_delta;
mod frequent_keys;
mod gaussian;
mod gaussian_approx;
mod laplace;
mod largest;
mod noisy_max;
mod quantile;
mod randomized_response;
mod sketch;

pub use coin_flips::MovesByOne;
pub use epsilon_delta::EpsilonDelta;
pub use gaussian_approx::SmallEpsilon;

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use crate::explain::{Explanation, Node};
use crate::run::{Answer, Data, Run, Supply};
use crate::vault::Contents;
use crate::{Cost, Domain, Result};

/// The questions, the way from their cells to the answer, and the description.
type Parts<D, Out> = (Vec<Arc<<D as Data>::Leaf>>, Answer<D, Out>, Arc<Node>);

/// A randomized computation on private data `In` that returns `Out` and costs `C`.
///
/// What it costs is its type. A mechanism is a *plan*: it holds no data and runs only when a
/// [`Vault`](crate::Vault) pays for it, so it can be cloned, stored, sent to another thread and
/// published by a library. Its fields are private and there is no public way to make one from a
/// function of the data: every mechanism is built from the crate's own, by
/// [`and`](Mechanism::and), [`then`](Mechanism::then), [`map`](Mechanism::map) and their
/// relatives.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, smoker: bool }
///
/// fn smokers() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
///     rows::<Patient>().filter(|p| p.smoker).count().laplace()
/// }
///
/// let both: Mechanism<_, (i64, i64), Eps<2, 4>> = smokers().and(smokers());
/// assert_eq!(both.price().to_string(), "ε = 1/2");
/// ```
///
/// Understating a cost does not compile:
///
/// ```compile_fail,E0308
/// # use privet::prelude::*;
/// # #[derive(Record)] struct Patient { age: i64, smoker: bool }
/// # fn smokers() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
/// #     rows::<Patient>().filter(|p| p.smoker).count().laplace()
/// # }
/// let both: Mechanism<_, (i64, i64), Eps<1, 4>> = smokers().and(smokers());
/// ```
#[must_use = "a mechanism does nothing until a vault releases it"]
pub struct Mechanism<In: Domain, Out, C> {
    /// The exact questions that can be asked before anything is released.
    leaves: Vec<Arc<<In::Data as Data>::Leaf>>,
    /// From exact cells to the released answer.
    answer: Answer<In::Data, Out>,
    about: Arc<Node>,
    cost: PhantomData<fn() -> C>,
}

impl<In: Domain, Out: 'static, C> Mechanism<In, Out, C> {
    /// PRIVACY: mints a cost. The caller argues that `answer` on the cells of `leaves` is
    /// `C`-private for neighbours of `In`. Crate-private, and called only from `compose.rs` (the
    /// laws) and the mechanisms (each with its proof).
    pub(crate) fn mint(
        leaves: Vec<Arc<<In::Data as Data>::Leaf>>,
        about: Node,
        answer: impl Fn(&mut Run<'_, In::Data>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        Mechanism {
            leaves,
            answer: Arc::new(answer),
            about: Arc::new(about),
            cost: PhantomData,
        }
    }

    /// PRIVACY: mints a cost, as [`mint`](Self::mint), from one exact question.
    pub(crate) fn leaf(
        leaf: Arc<<In::Data as Data>::Leaf>,
        about: Node,
        answer: impl Fn(&mut Run<'_, In::Data>, Vec<i128>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        // Not proved: not a law; the callers are.
        Self::mint(vec![leaf], about, move |run| {
            let cells = run.exact();
            answer(run, cells)
        })
    }

    /// The same plan under another domain with the same data, or another cost.
    ///
    /// PRIVACY: the caller argues why the plan is `D`-private for neighbours of `To`.
    pub(crate) fn relabel<To: Domain<Data = In::Data>, D>(
        self,
        about: Arc<Node>,
    ) -> Mechanism<To, Out, D> {
        Mechanism {
            leaves: self.leaves,
            answer: self.answer,
            about,
            cost: PhantomData,
        }
    }

    pub(crate) fn into_parts(self) -> Parts<In::Data, Out> {
        (self.leaves, self.answer, self.about)
    }

    pub(crate) fn about(&self) -> &Arc<Node> {
        &self.about
    }

    /// PRIVACY: touches raw data. The caller has paid `C`.
    pub(crate) fn run(&self, contents: &Contents<In::Data>) -> Result<Out> {
        self.run_seeded(&contents.data, &mut Supply::system(contents.timing))
    }

    /// PRIVACY: touches raw data with a given generator. The data is public, or the generator is
    /// the system's.
    pub(crate) fn run_seeded(&self, data: &In::Data, supply: &mut Supply) -> Result<Out> {
        Run::execute(data, &self.leaves, &self.answer, supply)
    }

    /// As many times [`run_seeded`](Self::run_seeded).
    ///
    /// PRIVACY: the data is public; no budget could be known to suffice.
    pub(crate) fn run_many(
        &self,
        data: &In::Data,
        supply: &mut Supply,
        times: u64,
        see: impl FnMut(Out),
    ) -> Result<()> {
        Run::execute_many(data, &self.leaves, &self.answer, supply, times, see)
    }

    /// PRIVACY: touches raw data, inside a run that has paid for this mechanism.
    pub(crate) fn run_in(&self, run: &mut Run<'_, In::Data>) -> Result<Out> {
        run.nested(&self.leaves, &self.answer)
    }

    /// Gives the mechanism a name, for [`explain`](Mechanism::explain).
    pub fn named(mut self, name: impl Into<String>) -> Self {
        let about = Arc::unwrap_or_clone(self.about);
        self.about = Arc::new(about.named(name.into()));
        self
    }

    /// What the mechanism is called: the name given by [`named`](Mechanism::named), or what it does.
    pub fn name(&self) -> &str {
        self.about.name()
    }
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// What it costs, as a value. The type already says so.
    pub fn price(&self) -> crate::Price {
        C::price()
    }

    /// The mechanism as a tree: its name, its cost and its parts.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64, smoker: bool }
    /// let count: Mechanism<Table<Patient>, i64, Eps<1, 4>> = rows::<Patient>().count().laplace();
    /// println!("{}", count.clone().and(count).named("twice").explain());
    /// ```
    pub fn explain(&self) -> Explanation {
        Explanation::new(&self.about)
    }
}

/// A plan can be copied: each release of it is paid for.
impl<In: Domain, Out, C> Clone for Mechanism<In, Out, C> {
    fn clone(&self) -> Self {
        Mechanism {
            leaves: self.leaves.clone(),
            answer: Arc::clone(&self.answer),
            about: Arc::clone(&self.about),
            cost: PhantomData,
        }
    }
}

impl<In: Domain, Out: 'static, C> fmt::Debug for Mechanism<In, Out, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mechanism").field(&self.name()).finish()
    }
}
