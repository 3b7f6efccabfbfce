//! From the lines of a file to the rows of a table.

use std::io::{self, Read};

use super::cells::{Cells, Splitter};
use super::csv::Limits;
use super::lines::Lines;
use super::plain::Plain;
use super::{Fault, LoadReport};
use crate::data::{BadColumn, Building, Columns, Record};

/// How a file is read, once its header is known.
pub(super) struct Reading<'a> {
    pub(super) file: &'a str,
    pub(super) limits: Limits,
    pub(super) delimiter: u8,
    pub(super) nulls: &'a [String],
    /// For each column, its place among the cells.
    pub(super) places: &'a [usize],
    /// How many cells a line has.
    pub(super) width: usize,
    /// Whether a quote connects lines.
    pub(super) breaks: bool,
    /// Whether malformed lines are skipped.
    pub(super) lenient: bool,
}

/// What was read.
pub(super) struct Rows<R: Record> {
    pub(super) building: Building<R>,
    pub(super) report: LoadReport,
}

/// Why no further line was read.
pub(super) enum Stop {
    Input(io::Error),
    Line(u64, Fault),
}

impl<R: Record> Rows<R> {
    pub(super) fn new() -> Self {
        Rows {
            building: Building::new(),
            report: LoadReport::default(),
        }
    }
}

impl Reading<'_> {
    /// Reads all lines; `watch` is given the number of bytes that were taken.
    pub(super) fn all<R: Record, I: Read>(
        &self,
        lines: &mut Lines<I>,
        rows: &mut Rows<R>,
        mut watch: impl FnMut(u64),
    ) -> Result<(), Stop> {
        let limit = self.limits.line.min(self.limits.cell);
        let mut plain = Plain::new(self.delimiter, self.places, self.width, limit);
        let mut splitter = Splitter::new(self.delimiter);
        loop {
            watch(lines.taken());
            if !self.breaks {
                let building = &mut rows.building;
                // PRIVACY: raw cells. A row that is not well formed is left to what follows.
                let (bytes, taken) = plain.rows(lines.window(), |row| {
                    let (columns, dictionary) = (&mut building.columns, &mut building.dictionary);
                    let cell = |column| row.get(column);
                    columns.parse(0, cell, self.nulls, dictionary).is_ok()
                });
                building.rows += taken;
                lines.take(bytes, taken as u64);
            }
            let line = match lines.next_line(self.lenient) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    watch(lines.taken());
                    return Ok(());
                }
                Err(error) => return Err(Stop::Input(error)),
            };
            // PRIVACY: raw cells. The error says which line is wrong, never what is on it.
            let read = match line.text {
                None => Err(self.limits.long_line()),
                Some([]) if self.width > 1 => Err(Fault::Empty),
                Some(text) => splitter
                    .split(text, self.breaks)
                    .and_then(|cells| self.limits.check(cells))
                    .and_then(|cells| self.row(&mut rows.building, cells)),
            };
            match read {
                Ok(()) => {}
                Err(fault) if self.lenient => rows.report.skip(self.file, line.number, fault),
                Err(fault) => return Err(Stop::Line(line.number, fault)),
            }
        }
    }

    /// Takes a row into the table, or leaves the table as it was.
    fn row<R: Record>(&self, building: &mut Building<R>, cells: Cells<'_>) -> Result<(), Fault> {
        if cells.len() != self.width {
            return Err(Fault::Cells);
        }
        let cell = |column: usize| cells.get(self.places[column]);
        let columns = &mut building.columns;
        match columns.parse(0, cell, self.nulls, &mut building.dictionary) {
            Ok(()) => {
                building.rows += 1;
                Ok(())
            }
            Err(BadColumn::Encoding(at)) => Err(Fault::Encoding {
                column: R::NAMES[at],
            }),
            Err(BadColumn::Value(at)) => Err(Fault::Value {
                column: R::NAMES[at],
            }),
        }
    }
}
