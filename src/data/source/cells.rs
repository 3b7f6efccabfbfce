//! Exact cells on their way from an engine.

use core::fmt;
use std::collections::BTreeMap;

use super::sweep::Place;
use crate::error::EngineError;

/// The first bytes of encoded cells; the last is the version.
const HEAD: &[u8; 8] = b"privcel\x03";

/// The exact answers of a [`Task`](super::Task) over some rows: as private as the rows.
///
/// Only a [`Worker`](super::Worker) makes them from rows, which is `unsafe`.
#[derive(Clone, PartialEq, Eq)]
pub struct Cells {
    pub(crate) rows: u64,
    /// If some rows of each person were looked at: of which partitions of the sweep.
    pub(crate) persons: Option<Place>,
    pub(crate) cells: Vec<Vec<i128>>,
    /// For each query that counts texts, how many rows have each that occurs.
    pub(crate) texts: Vec<Texts>,
}

/// How many rows have each text.
pub(crate) type Texts = BTreeMap<String, i128>;

/// Shows nothing of them.
impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cells { .. }")
    }
}

fn refused(reason: &'static str) -> EngineError {
    EngineError::Failed {
        data: "an engine".into(),
        reason,
    }
}

/// Adds the counts of other rows; none if a sum does not fit.
fn add_texts(totals: &mut Texts, texts: &Texts) -> Option<()> {
    for (text, count) in texts {
        match totals.get_mut(text) {
            Some(total) => *total = total.checked_add(*count)?,
            None => drop(totals.insert(text.clone(), *count)),
        }
    }
    Some(())
}

impl Cells {
    /// Adds the cells of other rows, for the same task. A sum that does not fit is an error: a cell is at
    /// most 2^51 for each row.
    ///
    /// # Errors
    ///
    /// If they are of another task. What was added before stays, so give the sum up.
    pub fn merge(&mut self, other: &Cells) -> Result<(), EngineError> {
        let shape = |cells: &Cells| cells.cells.iter().map(Vec::len).collect::<Vec<_>>();
        if shape(self) != shape(other) || self.texts.len() != other.texts.len() {
            return Err(refused("cells of two different tasks were added up"));
        }
        // PRIVACY: ranks of other rows could let a person keep more rows than were asked for.
        match (&mut self.persons, &other.persons) {
            (None, None) => {}
            (Some(this), Some(other)) if this.of_all == other.of_all => {
                this.here = this.here.wrapping_add(other.here);
            }
            _ => return Err(refused("its machines do not have the same rows")),
        }
        let overflow = || refused("cells are too large to be added up");
        self.rows = self.rows.checked_add(other.rows).ok_or_else(overflow)?;
        let totals = self.cells.iter_mut().flatten();
        for (total, cell) in totals.zip(other.cells.iter().flatten()) {
            *total = total.checked_add(*cell).ok_or_else(overflow)?;
        }
        for (totals, texts) in self.texts.iter_mut().zip(&other.texts) {
            add_texts(totals, texts).ok_or_else(overflow)?;
        }
        Ok(())
    }

    /// How many bytes cells of these numbers take, but for texts.
    pub(super) fn size(cells: impl Iterator<Item = usize>, texts: usize) -> usize {
        let head = HEAD.len() + 6 * 8;
        let cells = cells.fold(head, |size, cells| size.saturating_add(8 + 16 * cells));
        cells.saturating_add(8 * texts)
    }

    /// The cells as bytes. PRIVACY: as private as the rows; seal them before they leave the process.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = HEAD.to_vec();
        out.extend(self.rows.to_le_bytes());
        out.extend(u64::from(self.persons.is_some()).to_le_bytes());
        let place = self
            .persons
            .map_or((0, 0), |place| (place.of_all, place.here));
        out.extend(place.0.to_le_bytes());
        out.extend(place.1.to_le_bytes());
        out.extend((self.cells.len() as u64).to_le_bytes());
        for cells in &self.cells {
            out.extend((cells.len() as u64).to_le_bytes());
            out.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        }
        out.extend((self.texts.len() as u64).to_le_bytes());
        for texts in &self.texts {
            out.extend((texts.len() as u64).to_le_bytes());
            for (text, count) in texts {
                out.extend((text.len() as u64).to_le_bytes());
                out.extend(text.as_bytes());
                out.extend(count.to_le_bytes());
            }
        }
        out
    }

    /// Reads what [`encode`](Cells::encode) wrote, and nothing else.
    ///
    /// # Errors
    ///
    /// If the bytes are not cells.
    pub fn decode(bytes: &[u8]) -> Result<Self, EngineError> {
        read(bytes).ok_or_else(|| refused("what it sent are not the cells of a task"))
    }
}

/// Nothing is reserved for what was only announced.
fn read(bytes: &[u8]) -> Option<Cells> {
    let rest = &mut bytes.strip_prefix(HEAD)?;
    let rows = word(rest)?;
    let persons = match (word(rest)?, word(rest)?, word(rest)?) {
        (0, 0, 0) => None,
        (1, of_all, here) => Some(Place { of_all, here }),
        _ => return None,
    };
    let mut cells = Vec::new();
    for _ in 0..word(rest)? {
        let length = usize::try_from(word(rest)?).ok()?.checked_mul(16)?;
        let these = take(rest, length)?.as_chunks::<16>().0.iter();
        cells.push(these.map(|cell| i128::from_le_bytes(*cell)).collect());
    }
    let mut texts = Vec::new();
    for _ in 0..word(rest)? {
        let mut these = Texts::new();
        for _ in 0..word(rest)? {
            let length = usize::try_from(word(rest)?).ok()?;
            let text = core::str::from_utf8(take(rest, length)?).ok()?;
            let (count, tail) = rest.split_first_chunk::<16>()?;
            *rest = tail;
            // One spelling: in order, each once.
            let next = these
                .last_key_value()
                .is_none_or(|(last, _)| **last < *text);
            next.then(|| these.insert(text.into(), i128::from_le_bytes(*count)))?;
        }
        texts.push(these);
    }
    rest.is_empty().then_some(Cells {
        rows,
        persons,
        cells,
        texts,
    })
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(taken)
}

fn word(rest: &mut &[u8]) -> Option<u64> {
    let (word, tail) = rest.split_first_chunk::<8>()?;
    *rest = tail;
    Some(u64::from_le_bytes(*word))
}
