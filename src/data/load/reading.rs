//! From the lines of a file to the rows of a table.

use std::io::{self, Read};
use std::sync::{PoisonError, RwLock};

use memchr::memchr;

use super::blocks::{Block, Blocks};
use super::cells::{Cells, Splitter};
use super::csv::Limits;
use super::in_order::in_order;
use super::lines::{Lines, without_cr};
use super::plain::Plain;
use super::{Fault, LoadReport};
use crate::data::{
    BadColumn, Building, Columns, ColumnsOf, Dictionary, Record, Spelling, TextCells,
};

#[cfg(feature = "parallel")]
use crate::data::scan::POOL;

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

/// How many rows of connected lines come into the table at a time.
const SOME: usize = 4096;

/// Some lines, and their rows, of which only the codes of texts are not known yet.
struct Piece<R: Record> {
    block: Block,
    columns: ColumnsOf<R>,
    texts: TextCells,
    rows: usize,
    /// How many lines were read.
    lines: u64,
    /// How many of them were skipped, and the first ones, counted from 1.
    skipped: u64,
    first: Vec<(u64, Fault)>,
    /// The line on which reading ends.
    stop: Option<(u64, Fault)>,
}

impl<R: Record> Default for Piece<R> {
    fn default() -> Self {
        Piece {
            block: Block::default(),
            columns: <ColumnsOf<R>>::default(),
            texts: TextCells::default(),
            rows: 0,
            lines: 0,
            skipped: 0,
            first: Vec::new(),
            stop: None,
        }
    }
}

impl<R: Record> Piece<R> {
    /// Notes a line with a fault; whether reading goes on.
    fn fault(&mut self, line: u64, fault: Fault, lenient: bool) -> bool {
        if !lenient {
            self.stop = Some((line, fault));
            return false;
        }
        self.skipped += 1;
        if self.first.len() < LoadReport::KEPT {
            self.first.push((line, fault));
        }
        true
    }
}

/// A table that pieces come into, in their order.
struct Table<'a, R: Record> {
    columns: ColumnsOf<R>,
    dictionary: &'a RwLock<Dictionary>,
    rows: usize,
    report: LoadReport,
    /// How many lines and bytes were taken.
    lines: u64,
    bytes: u64,
}

impl<R: Record> Table<'_, R> {
    /// Takes a piece, whose texts were looked up; or its error, if a line has one.
    fn take(&mut self, piece: &mut Piece<R>, file: &str) -> Result<(), Stop> {
        for (line, fault) in piece.first.drain(..) {
            self.report.skip(file, self.lines + line, fault);
            piece.skipped -= 1;
        }
        self.report.more(core::mem::take(&mut piece.skipped));
        if let Some((line, fault)) = piece.stop.take() {
            return Err(Stop::Line(self.lines + line, fault));
        }
        // PRIVACY: raw values move from columns into columns.
        let dictionary = self.dictionary.write();
        let mut dictionary = dictionary.unwrap_or_else(PoisonError::into_inner);
        let codes = dictionary.add_all(&mut piece.texts);
        drop(dictionary);
        self.columns.take(&mut piece.columns, codes);
        piece.texts.clear();
        self.rows += core::mem::take(&mut piece.rows);
        self.lines += core::mem::take(&mut piece.lines);
        self.bytes += piece.block.bytes;
        Ok(())
    }
}

/// What one thread needs to read pieces.
struct Tools<'a> {
    plain: Plain<'a>,
    splitter: Splitter,
}

impl<'p> Reading<'p> {
    fn tools(&self) -> Tools<'p> {
        let limit = self.limits.line.min(self.limits.cell);
        Tools {
            plain: Plain::new(self.delimiter, self.places, self.width, limit),
            splitter: Splitter::new(self.delimiter),
        }
    }

    /// Reads all lines; `watch` is given the number of bytes that were taken.
    pub(super) fn all<R: Record, I: Read>(
        &self,
        lines: Lines<I>,
        mut watch: impl FnMut(u64),
    ) -> Result<Rows<R>, Stop> {
        let dictionary = RwLock::new(Dictionary::default());
        let mut table = Table::<R> {
            columns: <ColumnsOf<R>>::default(),
            dictionary: &dictionary,
            rows: 0,
            report: LoadReport::default(),
            lines: lines.lines(),
            bytes: lines.taken(),
        };
        watch(table.bytes);
        if self.breaks {
            self.connected(lines, &mut table, &mut watch)?;
        } else {
            let (rest, input) = lines.into_rest();
            let mut blocks = Blocks::new(rest, input, self.limits.line, self.lenient);
            in_order(
                threads,
                |piece: &mut Piece<R>| blocks.next(&mut piece.block).map_err(Stop::Input),
                || self.tools(),
                |tools, piece| {
                    self.block(tools, piece);
                    look_up(&dictionary, piece);
                },
                |piece| {
                    table.take(piece, self.file)?;
                    watch(table.bytes);
                    Ok(())
                },
            )?;
        }
        let Table {
            columns,
            rows,
            report,
            ..
        } = table;
        let dictionary = dictionary.into_inner();
        let dictionary = dictionary.unwrap_or_else(PoisonError::into_inner);
        Ok(Rows {
            building: Building {
                columns,
                dictionary,
                rows,
            },
            report,
        })
    }

    /// Reads the lines of a block, up to one on which reading ends.
    fn block<R: Record>(&self, tools: &mut Tools<'_>, piece: &mut Piece<R>) {
        let block = core::mem::take(&mut piece.block);
        let text = block.text();
        let mut at = 0;
        if block.too_long {
            piece.lines += 1;
            piece.fault(1, self.limits.long_line(), self.lenient);
        }
        while at < text.len() {
            // PRIVACY: raw cells. A row that is not well formed is left to what follows.
            let (bytes, rows) = tools.plain.rows(&text[at..], |row| {
                let texts = piece.texts.len();
                let cell = |column| row.get(column);
                let columns = &mut piece.columns;
                let read = columns.parse(0, cell, self.nulls, &mut piece.texts);
                if read.is_err() {
                    piece.texts.truncate(texts);
                }
                read.is_ok()
            });
            piece.rows += rows;
            piece.lines += rows as u64;
            at += bytes;
            let rest = &text[at..];
            if rest.is_empty() {
                break;
            }
            let (line, next) = match memchr(b'\n', rest) {
                Some(feed) => (&rest[..feed], feed + 1),
                None => (rest, rest.len()),
            };
            at += next;
            piece.lines += 1;
            let line = without_cr(line);
            let line = (line.len() <= self.limits.line).then_some(line);
            if let Err(fault) = self.line(&mut tools.splitter, piece, line)
                && !piece.fault(piece.lines, fault, self.lenient)
            {
                break;
            }
        }
        piece.block = block;
    }

    /// Reads lines that a quote may connect, one by one.
    fn connected<R: Record, I: Read>(
        &self,
        mut lines: Lines<I>,
        table: &mut Table<'_, R>,
        watch: &mut impl FnMut(u64),
    ) -> Result<(), Stop> {
        let mut piece = Piece::default();
        let mut splitter = Splitter::new(self.delimiter);
        // Lines know their own numbers.
        table.lines = 0;
        loop {
            let line = lines.next_line().map_err(Stop::Input)?;
            let ended = line.is_none();
            if let Some(line) = line {
                let number = line.number;
                if let Err(fault) = self.line(&mut splitter, &mut piece, line.text) {
                    return Err(Stop::Line(number, fault));
                }
            }
            if ended || piece.rows == SOME {
                look_up(table.dictionary, &mut piece);
                table.take(&mut piece, self.file)?;
            }
            watch(lines.taken());
            if ended {
                return Ok(());
            }
        }
    }

    /// Reads a line, or several that a quote connects; none is one that is too long.
    fn line<R: Record>(
        &self,
        splitter: &mut Splitter,
        piece: &mut Piece<R>,
        line: Option<&[u8]>,
    ) -> Result<(), Fault> {
        // PRIVACY: raw cells. The error says which line is wrong, never what is on it.
        match line {
            None => Err(self.limits.long_line()),
            Some([]) if self.width > 1 => Err(Fault::Empty),
            Some(text) => splitter
                .split(text, self.breaks)
                .and_then(|cells| self.limits.check(cells))
                .and_then(|cells| self.row(piece, cells)),
        }
    }

    /// Takes a row, or leaves the piece as it was.
    fn row<R: Record>(&self, piece: &mut Piece<R>, cells: Cells<'_>) -> Result<(), Fault> {
        if cells.len() != self.width {
            return Err(Fault::Cells);
        }
        let cell = |column: usize| Spelling::new(cells.get(self.places[column]));
        let texts = piece.texts.len();
        let read = piece.columns.parse(0, cell, self.nulls, &mut piece.texts);
        read.map_err(|bad| {
            piece.texts.truncate(texts);
            match bad {
                BadColumn::Encoding(at) => Fault::Encoding {
                    column: R::NAMES[at],
                },
                BadColumn::Value(at) => Fault::Value {
                    column: R::NAMES[at],
                },
            }
        })?;
        piece.rows += 1;
        Ok(())
    }
}

/// Looks up the texts of a piece that the table knows already.
fn look_up<R: Record>(dictionary: &RwLock<Dictionary>, piece: &mut Piece<R>) {
    let dictionary = dictionary.read();
    let dictionary = dictionary.unwrap_or_else(PoisonError::into_inner);
    dictionary.find_all(&mut piece.texts);
}

/// How many threads read a file that is longer than a block.
fn threads() -> usize {
    // A child of a process that has Rayon's threads has none, and reads on one.
    #[cfg(feature = "parallel")]
    if POOL.is_current() {
        return rayon::current_num_threads();
    }
    1
}
