//! How far the noise of a mechanism reaches: known before anything is released.
//!
//! Floating point is fine here, because no privacy guarantee depends on it.

use crate::data::Domain;
use crate::noise::tails::{Law, tail};
use crate::query::{Query, QueryKind, Sensitivity};

/// Independent noise of one law on every cell of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    law: Option<Law>,
    cells: usize,
    /// Steps of the grid per unit of the answer.
    steps: f64,
    /// How far one record moves the answer, in units.
    pub(crate) record: f64,
}

impl Spread {
    /// Noise on the cells of a query whose answer moves by `record` steps with one record. None where
    /// the answer is more than its noisy cells.
    pub(crate) fn new<In: Domain, Q: QueryKind<In>>(
        query: &Query<In, Q>,
        law: Option<Law>,
        record: f64,
    ) -> Option<Self> {
        let (cells, steps) = query.shape()?;
        let steps = steps as f64 / query.unit();
        Some(Spread {
            law,
            cells,
            steps,
            record: record / steps,
        })
    }

    /// Of mechanisms side by side, if the noise of all is alike: as one answer with the cells of all.
    pub(super) fn side_by_side(parts: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let parts: Option<Vec<Self>> = parts.into_iter().collect();
        let parts = parts?;
        let first = *parts.first()?;
        let like_first = |part: &Self| {
            part.law == first.law && part.steps == first.steps && part.record == first.record
        };
        parts.iter().all(like_first).then(|| Spread {
            cells: parts.iter().map(|part| part.cells).sum(),
            ..first
        })
    }

    /// In units: the least x such that all cells are within ±x with probability `confidence`.
    pub(crate) fn reach(self, confidence: f64) -> Option<f64> {
        let tail = tail(confidence, self.cells)?;
        Some(self.law.map_or(0.0, |law| law.reach(tail)) / self.steps)
    }
}

/// A sensitivity, for reports.
pub(crate) fn float(sensitivity: Sensitivity) -> f64 {
    sensitivity.num() as f64 / sensitivity.den() as f64
}
