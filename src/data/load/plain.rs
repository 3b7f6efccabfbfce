//! Lines without quotes, many at a time.
//!
//! It takes the lines that need no care: as many cells as the header, no quote, no carriage return but at
//! the end, not too long, and values that fit. It stops at any other line, which is then read by
//! `reading` and `cells`, so what a line means, and what is wrong with it, is decided there.

use crate::data::Spelling;

/// Finds cells eight bytes at a time.
pub(super) struct Plain<'p> {
    /// The delimiter, a line feed, a carriage return and a quote, eight times each.
    signs: [u64; 4],
    delimiter: u8,
    /// For each column, its place among the cells.
    places: &'p [usize],
    /// Where the cell before begins, and the end of each cell of the line.
    stops: Vec<usize>,
    limit: usize,
    /// Whether a carriage return is in front of the line feed to come.
    crlf: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The highest bit of each byte that is zero. Exact: no byte has an effect on another one.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    !(((word & LOW) + LOW) | word | LOW)
}

impl<'p> Plain<'p> {
    /// Lines of `width` cells and of at most `limit` bytes.
    pub(super) fn new(delimiter: u8, places: &'p [usize], width: usize, limit: usize) -> Self {
        Plain {
            signs: [delimiter, b'\n', b'\r', b'"'].map(|sign| u64::from(sign) * ONES),
            delimiter,
            places,
            stops: vec![0; width + 1],
            limit,
            crlf: false,
        }
    }

    /// Hands the lines at the beginning of `text` to `row`, until one needs care or has no end, or `row`
    /// refuses it. Returns how many bytes and lines were taken.
    #[inline]
    pub(super) fn rows<'a>(
        &mut self,
        text: &'a [u8],
        mut row: impl FnMut(Row<'a, '_>) -> bool,
    ) -> (usize, usize) {
        let [delimiter, line_feed, carriage_return, quote] = self.signs;
        let (mut taken, mut lines) = (0, 0);
        // The end of the cell that is being read is `stops[cell + 1]`.
        let mut cell = 0;
        self.stops[0] = usize::MAX;
        self.crlf = false;
        let mut at = 0;
        while at < text.len() {
            let word = match text[at..].first_chunk() {
                Some(bytes) => u64::from_le_bytes(*bytes),
                None => {
                    // Behind the end are letters, which are no sign unless the delimiter is one.
                    let mut bytes = [b'a'; 8];
                    let rest = &text[at..];
                    bytes[..rest.len()].copy_from_slice(rest);
                    u64::from_le_bytes(bytes)
                }
            };
            let mut found = zeros(word ^ delimiter)
                | zeros(word ^ line_feed)
                | zeros(word ^ carriage_return)
                | zeros(word ^ quote);
            while found != 0 {
                let stop = at + found.trailing_zeros() as usize / 8;
                found &= found - 1;
                let Some(&sign) = text.get(stop) else {
                    return (taken, lines);
                };
                if sign == self.delimiter {
                    cell += 1;
                    let Some(end) = self.stops.get_mut(cell) else {
                        return (taken, lines);
                    };
                    *end = stop;
                    continue;
                }
                let after = match sign {
                    b'\n' => stop + 1,
                    b'\r' if text.get(stop + 1) == Some(&b'\n') => {
                        // The line feed is the next sign: in this word, or the first of the next one.
                        self.crlf = true;
                        continue;
                    }
                    _ => return (taken, lines),
                };
                let end = stop - usize::from(core::mem::take(&mut self.crlf));
                cell += 1;
                if cell + 1 != self.stops.len() || end - taken > self.limit {
                    return (taken, lines);
                }
                self.stops[cell] = end;
                let cells = Row {
                    text,
                    places: self.places,
                    stops: &self.stops,
                };
                if !row(cells) {
                    return (taken, lines);
                }
                (taken, cell) = (after, 0);
                lines += 1;
                self.stops[0] = stop;
            }
            at += 8;
        }
        (taken, lines)
    }
}

/// The cells of a line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a, 'b> {
    text: &'a [u8],
    places: &'b [usize],
    stops: &'b [usize],
}

impl<'a> Row<'a, '_> {
    /// The cell of a column.
    #[inline(always)]
    pub(super) fn get(&self, column: usize) -> Spelling<'a> {
        let place = self.places[column];
        let [before, end] = [self.stops[place], self.stops[place + 1]];
        Spelling::within(self.text, before.wrapping_add(1), end)
    }
}
