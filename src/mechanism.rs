//! Mechanisms: what they run on, what they return, and what they cost.
//!
//! [`Mechanism`] is the one type that a program needs. The traits here are bounds for code that is
//! generic over a mechanism's price or over what several mechanisms have in common.

mod above;
mod additive;
mod choose;
mod coin_flips;
mod compose;
mod eps_or_rho;
mod epsilon_delta;
mod frequent_keys;
mod gaussian;
mod gaussian_approx;
mod label;
mod laplace;
mod largest;
pub mod local;
mod locked;
mod noisy_max;
mod pair;
mod quantile;
mod quoted;
mod run;
pub(crate) mod scale;
mod spread;
mod stack;
mod statistic;
mod top;

pub use coin_flips::MovesByOne;
pub use compose::{Bundle, Together};
pub use eps_or_rho::{EpsOrRho, InOneNumber};
pub use epsilon_delta::EpsilonDelta;
pub use gaussian_approx::SmallEpsilon;
pub(crate) use label::{Label, LabelPart};
pub use quoted::ByQuote;
pub(crate) use run::{Supply, Timing};
pub(crate) use spread::Spread;

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

pub(crate) use locked::Locked;
use run::{Finish, Run};

use crate::cost::{Cost, Price};
use crate::data::{Data, Domain, NamesData};
use crate::error::Result;

/// The queries, the function from their cells to the answer, and the label.
type Parts<D, Out> = (Vec<Arc<<D as Data>::Query>>, Finish<D, Out>, Arc<Label>);

/// A randomized computation on private data `In` that returns `Out` and costs `C`.
///
/// Its type says what it costs. A mechanism holds no data and runs only when a
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
pub struct Mechanism<In: NamesData, Out, C> {
    /// The exact queries that can be asked before anything is released.
    queries: Vec<Arc<<In::Data as Data>::Query>>,
    /// The function from exact cells to the released answer.
    answer: Finish<In::Data, Out>,
    label: Arc<Label>,
    /// A price named at run time, where the cost's type is [`Quoted`](crate::Quoted).
    quote: Option<Price>,
    /// How far the noise reaches, where the answer is the noisy cells unchanged.
    spread: Option<Spread>,
    cost: PhantomData<fn() -> C>,
}

/// A mechanism to be run, without its domain and its cost in its type: what a vault does with it is compiled once for
/// each type of answer, and not for each price.
pub(crate) struct Runnable<'a, D: Data, Out> {
    queries: &'a [Arc<D::Query>],
    answer: &'a Finish<D, Out>,
    label: &'a Label,
}

impl<D: Data, Out> Runnable<'_, D, Out> {
    pub(crate) fn label(&self) -> &Label {
        self.label
    }

    /// Whether the data can answer the queries that are known beforehand; to be asked before a charge.
    ///
    /// # Errors
    ///
    /// If an engine has the data, and cannot answer one of them.
    pub(crate) fn answerable(&self, data: &Locked<D>) -> Result<()> {
        data.answers(self.queries)
    }

    /// PRIVACY: touches raw data. The caller has paid what the mechanism costs.
    pub(crate) fn run(&self, data: &Locked<D>) -> Result<Out> {
        Run::execute(data.open(), self.queries, self.answer, &mut data.supply())
    }
}

// PRIVACY: everything that mints a cost or sees an exact answer is visible in this module only:
// the mechanisms (each with its proof), `compose` (the laws), `pair` and `local`.
impl<In: Domain, Out: 'static, C> Mechanism<In, Out, C> {
    /// PRIVACY: mints a cost. The caller argues that `answer` on the cells of `queries` is
    /// `C`-private for neighbours of `In`.
    fn mint(
        queries: Vec<Arc<<In::Data as Data>::Query>>,
        label: Label,
        answer: impl Fn(&mut Run<'_, In::Data>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        Mechanism {
            queries,
            answer: Finish::new(answer),
            label: Arc::new(label),
            quote: None,
            spread: None,
            cost: PhantomData,
        }
    }

    /// PRIVACY: mints a cost, like [`mint`](Self::mint), from one exact query.
    fn of_query(
        query: Arc<<In::Data as Data>::Query>,
        label: Label,
        answer: impl Fn(&mut Run<'_, In::Data>, Vec<i128>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        // Not proved: not a law; the callers are.
        Self::mint(vec![query], label, move |run| {
            let cells = run.exact();
            answer(run, cells)
        })
    }

    /// The same mechanism under another domain with the same data, or another cost.
    ///
    /// PRIVACY: the caller argues why the mechanism is `D`-private for neighbours of `To`.
    fn relabel<To: Domain<Data = In::Data>, D>(self, label: Arc<Label>) -> Mechanism<To, Out, D> {
        Mechanism {
            queries: self.queries,
            answer: self.answer,
            label,
            quote: None,
            spread: None,
            cost: PhantomData,
        }
    }

    fn into_parts(self) -> Parts<In::Data, Out> {
        (self.queries, self.answer, self.label)
    }

    fn with_spread(mut self, spread: Option<Spread>) -> Self {
        self.spread = spread;
        self
    }

    /// PRIVACY: names what a meter charges. The caller argues that the mechanism costs no more.
    fn with_quote(mut self, quote: Option<Price>) -> Self {
        self.quote = quote;
        self
    }

    /// The price named at run time, if the type does not say it.
    pub(crate) fn quote(&self) -> Option<Price> {
        self.quote
    }

    pub(crate) fn label(&self) -> &Arc<Label> {
        &self.label
    }

    /// Everything that tells this mechanism from another: the domain, the exact queries, the noise
    /// and the prices of all parts, the type of the answer. Code in `map` and `then` is not in it.
    #[cfg(feature = "ledger")]
    pub(crate) fn identity(&self) -> String {
        let mut text = format!("{}\n{}", In::describe(), core::any::type_name::<Out>());
        for query in &self.queries {
            text += "\n";
            text += &In::Data::describe(query);
        }
        text += "\n";
        self.label.spell(&mut text);
        text
    }

    pub(crate) fn spread(&self) -> Option<Spread> {
        self.spread
    }

    /// What of it a vault needs to run it.
    pub(crate) fn runnable(&self) -> Runnable<'_, In::Data, Out> {
        Runnable {
            queries: &self.queries,
            answer: &self.answer,
            label: &self.label,
        }
    }

    /// PRIVACY: touches raw data with a given generator. The data is public, or the generator is
    /// the system's.
    pub(crate) fn run_seeded(&self, data: &In::Data, supply: &mut Supply) -> Result<Out> {
        Run::execute(data, &self.queries, &self.answer, supply)
    }

    /// Runs the mechanism `times` times on one scan.
    ///
    /// PRIVACY: only for public data, since no budget could be known to suffice.
    pub(crate) fn run_many(
        &self,
        data: &In::Data,
        supply: &mut Supply,
        times: u64,
        see: impl FnMut(Out),
    ) -> Result<()> {
        Run::execute_many(data, &self.queries, &self.answer, supply, times, see)
    }

    /// PRIVACY: touches raw data, inside a run that has paid for this mechanism.
    fn run_in(&self, run: &mut Run<'_, In::Data>) -> Result<Out> {
        run.nested(&self.queries, &self.answer)
    }

    /// Gives the mechanism a name, for [`explain`](Mechanism::explain).
    pub fn named(mut self, name: impl Into<String>) -> Self {
        let label = Arc::unwrap_or_clone(self.label);
        self.label = Arc::new(label.named(name.into()));
        self
    }

    /// What the mechanism is called: the name given by [`named`](Mechanism::named), or what it does.
    pub fn name(&self) -> &str {
        self.label.name()
    }
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// What it costs, as a value. The type already says so.
    pub fn price(&self) -> Price {
        C::price()
    }
}

/// A mechanism can be copied, because each release of it is paid for.
impl<In: Domain, Out, C> Clone for Mechanism<In, Out, C> {
    fn clone(&self) -> Self {
        Mechanism {
            queries: self.queries.clone(),
            answer: self.answer.clone(),
            label: Arc::clone(&self.label),
            quote: self.quote,
            spread: self.spread,
            cost: PhantomData,
        }
    }
}

impl<In: Domain, Out: 'static, C> fmt::Debug for Mechanism<In, Out, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mechanism").field(&self.name()).finish()
    }
}
