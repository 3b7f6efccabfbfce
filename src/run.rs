//! How a mechanism meets the data: exact questions in one pass, then noisy answers.

use std::sync::Arc;

use crate::Result;

/// Private data that can answer exact questions. Only this crate implements it.
///
/// PRIVACY: `scan` returns exact answers; it is reachable from [`Run`] alone, which never leaves
/// the crate.
pub trait Data: Send + Sync + 'static {
    /// An exact question: a fixed number of integer cells, each a sum over the records.
    type Leaf: ?Sized + Send + Sync + 'static;

    /// Answers all questions in one pass, each by its cells, in the order asked.
    fn scan(&self, leaves: &[Arc<Self::Leaf>]) -> Vec<Vec<i128>>;
}

/// One execution of a mechanism.
pub struct Run<'a, D: Data> {
    data: &'a D,
    exact: Vec<Vec<i128>>,
    next: usize,
}

pub(crate) type Answer<D, Out> = Arc<dyn Fn(&mut Run<'_, D>) -> Result<Out> + Send + Sync>;

impl<'a, D: Data> Run<'a, D> {
    /// Asks `leaves` in one pass and lets `answer` turn the exact cells into a release.
    pub(crate) fn execute<Out>(
        data: &'a D,
        leaves: &[Arc<D::Leaf>],
        answer: &Answer<D, Out>,
    ) -> Result<Out> {
        let mut run = Run { data, exact: data.scan(leaves), next: 0 };
        answer(&mut run)
    }

    /// Runs another plan on the same data: a pass of its own.
    pub(crate) fn nested<Out>(
        &mut self,
        leaves: &[Arc<D::Leaf>],
        answer: &Answer<D, Out>,
    ) -> Result<Out> {
        Run::execute(self.data, leaves, answer)
    }

    /// The exact cells of the next question, in the order they were asked.
    pub(crate) fn exact(&mut self) -> Vec<i128> {
        let cells = std::mem::take(&mut self.exact[self.next]);
        self.next += 1;
        cells
    }
}
