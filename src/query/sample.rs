//! A sample of the rows, drawn while a mechanism runs.

use core::fmt;
use core::marker::PhantomData;

use super::{All, Rows, Selection};
use crate::data::plan::Plan;
use crate::data::{Places, Record, Sampled, TableData};
use crate::expr::Eval;

/// A sample of the rows of `S`, which has each row with probability `NUM`/`DEN`.
///
/// Like a mechanism, it holds no row. See [`once`](Sample::once).
#[must_use = "a sample alone releases nothing; run a mechanism on it with `.once(|sample| ..)`"]
pub struct Sample<R, S, const NUM: usize, const DEN: usize> {
    rows: S,
    input: PhantomData<fn() -> R>,
}

impl<R: Record, S: Selection<R>, const NUM: usize, const DEN: usize> Sample<R, S, NUM, DEN> {
    pub(super) fn new(rows: S) -> Self {
        Sample {
            rows,
            input: PhantomData,
        }
    }

    /// The rows of the sample, symbolically.
    pub(crate) fn symbols() -> Rows<R, Sampled<NUM, DEN>, All> {
        Rows::of_sample()
    }

    /// Draws a sample: `toss` fills coins of probability `NUM`/`DEN`.
    pub(crate) fn draw<E>(
        &self,
        data: &TableData<R>,
        toss: impl FnMut(&mut [bool]) -> Result<(), E>,
    ) -> Result<Places, E> {
        data.draw(toss, |chunk, kept| {
            let keep = self.rows.bind(chunk);
            // PRIVACY: looks at raw rows; what it finds stays in the crate.
            chunk.each(|row| kept[row] = keep.at(row));
        })
    }

    /// Which rows a sample is drawn from, as plain data.
    pub(crate) fn plan(&self) -> Plan {
        Plan::new(self.rows.term())
    }

    /// The sample in words.
    pub(crate) fn describe(&self) -> String {
        match self.rows.term() {
            Some(condition) => format!("a sample of {NUM}/{DEN} of the rows where {condition}"),
            None => format!("a sample of {NUM}/{DEN} of the rows"),
        }
    }
}

impl<R: Record, S: Selection<R>, const NUM: usize, const DEN: usize> fmt::Debug
    for Sample<R, S, NUM, DEN>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sample({})", self.describe())
    }
}
