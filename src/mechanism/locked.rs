//! Private data, locked.

use std::sync::Arc;

use super::{Supply, Timing};
use crate::data::{Data, OrderKey};
use crate::error::Result;
use crate::process::Process;

/// Private data that only a mechanism can look into, while it runs.
///
/// A vault holds its data in this form, so that no line of a vault, a meter or a report can read it.
pub(crate) struct Locked<D> {
    data: Arc<D>,
    timing: Timing,
    /// The process that locked it.
    process: Process,
}

impl<D> Locked<D> {
    /// Locks data away permanently.
    ///
    /// The caller notes the process before it takes the data, which may run user code. If
    /// that code forks, the budget stays with the original process.
    ///
    /// Where the number of a person's rows is bounded, this also chooses, once for all releases, which rows
    /// are kept: by a key from the operating system.
    pub(crate) fn new(process: Process, data: D) -> Self
    where
        D: Data,
    {
        Locked {
            data: Arc::new(data.ordered_by(OrderKey::of_system())),
            timing: Timing::Free,
            process,
        }
    }

    /// The same data, with noise that is drawn in constant time.
    pub(crate) fn in_constant_time(&self) -> Self {
        Locked {
            data: Arc::clone(&self.data),
            timing: Timing::Constant,
            process: self.process,
        }
    }

    /// PRIVACY: the raw data, for a mechanism that was paid for.
    pub(super) fn open(&self) -> &D {
        &self.data
    }

    /// Whether the data can be asked these queries: a public matter, to be settled before a charge.
    ///
    /// # Errors
    ///
    /// If an engine has the data, and cannot answer one of them.
    pub(super) fn answers(&self, queries: &[Arc<D::Query>]) -> Result<()>
    where
        D: Data,
    {
        self.data.check(queries)
    }

    /// Noise from the operating system, in the process that locked the data.
    pub(super) fn supply(&self) -> Supply {
        Supply::system(self.timing, self.process)
    }

    /// PRIVACY: whether this process holds the budget, and not a copy that a fork made of it.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`](crate::Error::Forked) in a child of the process that locked the data.
    pub(crate) fn check(&self) -> Result<()> {
        self.supply().check()
    }
}
