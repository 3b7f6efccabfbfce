//! Which rows of a file were skipped, for its owner.

use core::fmt;

use crate::error::Fault;

/// A line that was skipped.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Which rows were skipped when a vault was loaded. **Private, like the rows themselves.**
///
/// It is for the data owner, who gets it beside the vault from
/// [`Vault::load_with_report`](crate::Vault::load_with_report) or `Vault::load_on_with_report` and must
/// keep it private: no budget pays for the number of skipped rows. The vault, its meters and its mechanisms do not
/// have it. `Debug` shows nothing of it, so that it does not end up in a log by accident.
///
/// ```
/// use privet::load::Csv;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// # fn main() -> privet::Result<()> {
/// let file = Csv::<Patient>::from_reader("patients", "age\n44\n4x\n51\n".as_bytes());
/// let (vault, report) = Vault::<Table<Patient>, Eps<1, 1>>::load_with_report(file.skip_malformed())?;
/// assert_eq!(report.skipped(), 1);
/// assert_eq!(report.first_skipped()[0].line, 3);
/// # let _ = vault; Ok(()) }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
#[must_use = "it says which rows are missing from the table"]
pub struct LoadReport {
    skipped: u64,
    first: Vec<Skipped>,
}

impl LoadReport {
    /// How many skipped lines are kept with their places.
    pub const KEPT: usize = 100;

    /// How many rows were skipped.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The first [`KEPT`](Self::KEPT) lines that were skipped, and why.
    #[must_use]
    pub fn first_skipped(&self) -> &[Skipped] {
        &self.first
    }

    pub(super) fn skip(&mut self, file: &str, line: u64, fault: Fault) {
        self.skipped += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(Skipped {
                file: file.to_owned(),
                line,
                fault,
            });
        }
    }
}

impl LoadReport {
    /// Counts more lines than are kept with their places.
    pub(super) fn more(&mut self, lines: u64) {
        self.skipped += lines;
    }
}

impl fmt::Debug for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoadReport { .. }")
    }
}

impl fmt::Debug for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Skipped { .. }")
    }
}
