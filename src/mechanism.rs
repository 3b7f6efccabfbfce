//! A private query: what it takes, what it returns, and what it costs.

use core::marker::PhantomData;
use std::sync::Arc;

use crate::run::{Answer, Data, Run};
use crate::{Cost, Domain, Result};

/// A randomized computation on private data `In` that returns `Out` and costs `C`.
pub struct Mechanism<In: Domain, Out, C> {
    /// The exact questions that can be asked before anything is released.
    pub(crate) leaves: Vec<Arc<<In::Data as Data>::Leaf>>,
    /// From exact cells to the released answer.
    pub(crate) answer: Answer<In::Data, Out>,
    cost: PhantomData<fn() -> C>,
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// PRIVACY: mints a cost. The caller argues that `answer` on the cells of `leaf` is
    /// `C`-private for neighbours of `In`.
    pub(crate) fn leaf(
        leaf: Arc<<In::Data as Data>::Leaf>,
        answer: impl Fn(&mut Run<'_, In::Data>, Vec<i128>) -> Result<Out> + Send + Sync + 'static,
    ) -> Self {
        Mechanism {
            leaves: vec![leaf],
            answer: Arc::new(move |run| {
                let cells = run.exact();
                answer(run, cells)
            }),
            cost: PhantomData,
        }
    }
}
