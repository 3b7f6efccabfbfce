//! How far a pass is.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far a pass over the data is, for a progress bar. Each pass starts again from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many parts of the data were read.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

/// Counts parts, and tells the owner's function.
#[derive(Clone, Default)]
pub(crate) struct Meter {
    see: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
    done: Arc<AtomicU64>,
}

impl Meter {
    pub(crate) fn new(see: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Meter {
            see: Some(Arc::new(see)),
            done: Arc::default(),
        }
    }

    /// One more part of so many.
    pub(crate) fn step(&self, total: usize) {
        if let Some(see) = &self.see {
            let total = total as u64;
            // Passes of one vault may run at once; then the bar is of all of them.
            let before = self.done.fetch_add(1, Ordering::Relaxed);
            let done = before % total.max(1) + 1;
            see(Progress { done, total });
        }
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Meter")
    }
}
