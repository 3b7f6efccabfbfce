//! Private data, locked.

use std::sync::Arc;

use super::Timing;

/// Private data that only a mechanism can look into, while it runs.
///
/// A vault holds its data in this form, so that no line of a vault, a meter or a report can read it.
pub(crate) struct Locked<D> {
    data: Arc<D>,
    timing: Timing,
}

impl<D> Locked<D> {
    /// Locks data away, for good.
    pub(crate) fn new(data: D) -> Self {
        Locked {
            data: Arc::new(data),
            timing: Timing::Free,
        }
    }

    /// The same data, whose noise takes a time that does not depend on the noise.
    pub(crate) fn in_constant_time(&self) -> Self {
        Locked {
            data: Arc::clone(&self.data),
            timing: Timing::Constant,
        }
    }

    /// PRIVACY: the raw data, for a mechanism that was paid for.
    pub(super) fn open(&self) -> &D {
        &self.data
    }

    pub(super) fn timing(&self) -> Timing {
        self.timing
    }
}
