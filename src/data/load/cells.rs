//! The cells of a line.

use memchr::{memchr, memchr_iter, memchr2};

use super::Fault;

/// Splits lines into cells, in memory that is reused for each line.
pub(super) struct Splitter {
    bounds: Vec<(usize, usize)>,
    unquoted: Vec<u8>,
    delimiter: u8,
}

/// The cells of one line.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    text: &'a [u8],
    bounds: &'a [(usize, usize)],
}

impl<'a> Cells<'a> {
    pub(super) fn len(&self) -> usize {
        self.bounds.len()
    }

    /// The length of the longest cell.
    pub(super) fn longest(&self) -> usize {
        self.bounds
            .iter()
            .map(|(from, to)| to - from)
            .max()
            .unwrap_or(0)
    }

    /// The cell in that place. A place that does not exist is a bug in this crate.
    pub(super) fn get(&self, place: usize) -> &'a [u8] {
        let (from, to) = self.bounds[place];
        &self.text[from..to]
    }
}

impl Splitter {
    pub(super) fn new(delimiter: u8) -> Self {
        Splitter {
            bounds: Vec::new(),
            unquoted: Vec::new(),
            delimiter,
        }
    }

    /// The cells of a line: separated by the delimiter, in quotes if they contain one.
    ///
    /// A quote opens at the beginning of a cell and closes at its end; inside, two quotes mean one.
    /// Elsewhere a quote is a character like any other. A line break is part of a cell only in
    /// quotes, and only if `breaks`.
    pub(super) fn split<'a>(
        &'a mut self,
        line: &'a [u8],
        breaks: bool,
    ) -> Result<Cells<'a>, Fault> {
        self.bounds.clear();
        let text = match memchr2(b'"', b'\r', line) {
            None => {
                let mut from = 0;
                for stop in memchr_iter(self.delimiter, line) {
                    self.bounds.push((from, stop));
                    from = stop + 1;
                }
                self.bounds.push((from, line.len()));
                line
            }
            Some(_) => {
                self.unquote(line, breaks)?;
                &self.unquoted
            }
        };
        Ok(Cells {
            text,
            bounds: &self.bounds,
        })
    }

    fn unquote(&mut self, line: &[u8], breaks: bool) -> Result<(), Fault> {
        if !breaks && memchr(b'\r', line).is_some() {
            return Err(Fault::LineBreak);
        }
        self.unquoted.clear();
        let mut rest = line;
        loop {
            let from = self.unquoted.len();
            rest = match rest.strip_prefix(b"\"") {
                Some(inside) => self.quoted(inside)?,
                None => {
                    let stop = memchr(self.delimiter, rest).unwrap_or(rest.len());
                    let (cell, rest) = rest.split_at(stop);
                    if memchr(b'\r', cell).is_some() {
                        return Err(Fault::LineBreak);
                    }
                    self.unquoted.extend_from_slice(cell);
                    rest
                }
            };
            self.bounds.push((from, self.unquoted.len()));
            match rest.split_first() {
                None => return Ok(()),
                Some((&next, after)) if next == self.delimiter => rest = after,
                Some(_) => return Err(Fault::Quote),
            }
        }
    }

    /// The contents of a quoted cell; returns what follows its closing quote.
    fn quoted<'a>(&mut self, mut inside: &'a [u8]) -> Result<&'a [u8], Fault> {
        loop {
            let quote = memchr(b'"', inside).ok_or(Fault::Quote)?;
            self.unquoted.extend_from_slice(&inside[..quote]);
            inside = &inside[quote + 1..];
            match inside.strip_prefix(b"\"") {
                Some(after) => {
                    self.unquoted.push(b'"');
                    inside = after;
                }
                None => return Ok(inside),
            }
        }
    }
}
