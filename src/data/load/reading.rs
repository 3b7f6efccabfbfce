//! From the lines of a file to the rows of a table, on several threads where there are some.

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
    /// Reads all lines; `watch` hears how many bytes were taken.
    pub(super) fn all<R: Record, I: Read>(
        &self,
        lines: &mut Lines<'_, I>,
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
                Ok(None) => return Ok(()),
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

#[cfg(feature = "parallel")]
pub(super) use threads::all_on_threads;

#[cfg(not(feature = "parallel"))]
pub(super) fn all_on_threads<R: Record, I: Read>(
    reading: &Reading<'_>,
    mut lines: Lines<'_, I>,
    rows: &mut Rows<R>,
    watch: impl FnMut(u64),
) -> Result<(), Stop> {
    reading.all(&mut lines, rows, watch)
}

/// A line feed ends a line wherever it is, unless a quote may connect lines. So a file can be cut behind any of
/// them, and its parts read by different threads and put together in order.
#[cfg(feature = "parallel")]
mod threads {
    use std::io::{self, Cursor, ErrorKind, Read};

    use memchr::{memchr, memchr_iter, memrchr};
    use rayon::prelude::*;

    use super::{Lines, Reading, Record, Rows, Stop};
    use crate::data::Columns;
    use crate::data::scan::POOL;

    /// About how long a part is: it fits the second cache.
    const PART: usize = 1 << 18;

    /// How many parts a thread gets before what they hold is put together.
    const PARTS: usize = 8;

    pub(in super::super) fn all_on_threads<R: Record, I: Read>(
        reading: &Reading<'_>,
        mut lines: Lines<'_, I>,
        rows: &mut Rows<R>,
        mut watch: impl FnMut(u64),
    ) -> Result<(), Stop> {
        if reading.breaks {
            return reading.all(&mut lines, rows, watch);
        }
        let (mut line, mut taken) = (lines.line(), lines.taken());
        let (mut block, mut input) = lines.into_rest();
        let mut threads = 1;
        loop {
            let ended = fill(&mut input, &mut block, threads * PARTS * PART);
            let whole = match ended {
                Ok(true) => block.len(),
                _ => memrchr(b'\n', &block).map_or(0, |at| at + 1),
            };
            let small = threads == 1 && matches!(ended, Ok(true)) && whole <= 2 * PART;
            let long = whole == 0 && !matches!(ended, Ok(true));
            // One thread also reads a line that is longer than a block, and what follows it.
            if small || long || !POOL.is_current() || rayon::current_num_threads() == 1 {
                let more = if matches!(ended, Ok(true)) {
                    0
                } else {
                    u64::MAX
                };
                let failed = Failing(ended.err());
                let rest = Cursor::new(block).chain(failed).chain(input.take(more));
                let mut lines = Lines::from(rest, reading.limits.line, line, taken);
                return reading.all(&mut lines, rows, watch);
            }
            threads = rayon::current_num_threads();
            let mut parts = Vec::new();
            for part in cut(&block[..whole]) {
                let count = memchr_iter(b'\n', part).count();
                parts.push((part, count, line));
                line += count as u64;
            }
            let read = |(part, count, line): &(&[u8], usize, u64)| {
                let mut rows = Rows::<R>::new();
                rows.building.columns.reserve(count + 1);
                let mut lines = Lines::of(part, reading.limits.line, *line);
                reading.all(&mut lines, &mut rows, |_| ())?;
                Ok((rows, part.len()))
            };
            // PRIVACY: in the order of the file, so that the first wrong line is the one reported.
            let read: Vec<Result<(Rows<R>, usize), Stop>> = parts.par_iter().map(read).collect();
            for part in read {
                let (part, bytes) = part?;
                rows.building.extend(part.building);
                rows.report.extend(part.report);
                taken += bytes as u64;
                watch(taken);
            }
            match ended {
                Ok(false) => drop(block.drain(..whole)),
                Ok(true) => return Ok(()),
                Err(error) => return Err(Stop::Input(error)),
            }
        }
    }

    /// An input that failed once.
    struct Failing(Option<io::Error>);

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.take().map_or(Ok(0), Err)
        }
    }

    /// Parts that end with a line, about [`PART`] bytes each.
    fn cut(text: &[u8]) -> Vec<&[u8]> {
        let size = text.len().div_ceil(text.len().div_ceil(PART).max(1)).max(1);
        let (mut parts, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let behind = rest.get(size - 1..).unwrap_or_default();
            let end = memchr(b'\n', behind).map_or(rest.len(), |at| size + at);
            let (part, after) = rest.split_at(end);
            parts.push(part);
            rest = after;
        }
        parts
    }

    /// Reads on until the block has `size` bytes. Whether the input ended before.
    fn fill(input: &mut impl Read, block: &mut Vec<u8>, size: usize) -> io::Result<bool> {
        let mut end = block.len();
        let more = size.saturating_sub(end);
        if block.try_reserve(more).is_err() {
            return Err(ErrorKind::OutOfMemory.into());
        }
        block.resize(end + more, 0);
        let mut ended = Ok(false);
        while end < block.len() {
            let free = &mut block[end..];
            match input.read(free) {
                Ok(0) => {
                    ended = Ok(true);
                    break;
                }
                // The owner's own reader may claim to have read more than there was room for.
                Ok(read) => end += read.min(free.len()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    ended = Err(error);
                    break;
                }
            }
        }
        block.truncate(end);
        ended
    }
}
