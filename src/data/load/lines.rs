//! The lines of a file, one at a time and in bounded memory: the header, and all lines where a quote may connect some.

use std::io::{self, ErrorKind, Read};

use memchr::memchr;

use super::blocks::BLOCK;

/// The lines of an input. Each ends with LF or CRLF, or with the input.
///
/// Where cells may contain line breaks, lines that an open quote connects come as one.
pub(super) struct Lines<I> {
    input: I,
    buffer: Vec<u8>,
    /// What is read but not yet returned is `buffer[start..end]`.
    start: usize,
    end: usize,
    /// How many lines were taken.
    line: u64,
    /// How many bytes were taken.
    taken: u64,
    limit: usize,
    /// Whether a quote connects lines, and what separates cells then.
    connected: Option<u8>,
}

/// A line, or several that a quote connects.
pub(super) struct Line<'a> {
    /// Its number, or that of the first one, counted from 1.
    pub(super) number: u64,
    /// What is on it, without its end. None if it is longer than the limit.
    pub(super) text: Option<&'a [u8]>,
}

impl<I: Read> Lines<I> {
    /// Reads on only while a line has at most `limit` bytes. A byte-order mark is left out.
    pub(super) fn new(input: I, limit: usize, connected: Option<u8>) -> io::Result<Self> {
        let mut lines = Lines {
            input,
            buffer: vec![0; BLOCK],
            start: 0,
            end: 0,
            line: 0,
            taken: 0,
            limit,
            connected,
        };
        while lines.end < 3 && lines.fill()? {}
        if lines.buffer[..lines.end].starts_with(b"\xef\xbb\xbf") {
            lines.start = 3;
            lines.taken = 3;
        }
        Ok(lines)
    }

    /// How many bytes were taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// How many lines were taken.
    pub(super) fn lines(&self) -> u64 {
        self.line
    }

    /// What is read but not yet taken, and the rest of the input.
    pub(super) fn into_rest(mut self) -> (Vec<u8>, I) {
        self.buffer.truncate(self.end);
        self.buffer.drain(..self.start);
        (self.buffer, self.input)
    }

    /// The next line, or None at the end.
    ///
    /// After a line that is too long there is none, since it may have no end.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let number = self.line + 1;
        // All of these count from `start`.
        let mut searched = 0;
        let mut part = 0;
        let mut open = false;
        let (text, next) = loop {
            let window = &self.buffer[self.start..self.end];
            if let Some(more) = memchr(b'\n', &window[searched..]) {
                let stop = searched + more;
                self.line += 1;
                open = self
                    .connected
                    .is_some_and(|delimiter| still_open(open, &window[part..stop], delimiter));
                if !open {
                    break (stop, stop + 1);
                }
                searched = stop + 1;
                part = searched;
                continue;
            }
            searched = window.len();
            // Even without a CR at its end it is longer than the limit, so it is dropped.
            if searched > self.limit.saturating_add(1) {
                return Ok(Some(Line { number, text: None }));
            }
            if !self.fill()? {
                if searched == 0 {
                    return Ok(None);
                }
                self.line += 1;
                break (searched, searched);
            }
        };
        let text = self.start..self.start + text;
        self.start += next;
        self.taken += next as u64;
        let text = without_cr(&self.buffer[text]);
        Ok(Some(Line {
            number,
            text: (text.len() <= self.limit).then_some(text),
        }))
    }

    /// Reads more behind what is there. False at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        let buffer = &mut self.buffer;
        if self.end == buffer.len() {
            buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == buffer.len() {
            let more = buffer.len();
            buffer
                .try_reserve_exact(more)
                .map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
            buffer.resize(2 * more, 0);
        }
        loop {
            let free = &mut buffer[self.end..];
            match self.input.read(free) {
                // The owner's own reader may claim to have read more than there was room for.
                Ok(read) => {
                    let read = read.min(free.len());
                    self.end += read;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

pub(super) fn without_cr(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\r").unwrap_or(text)
}

/// Whether a cell's quote is open at the end of a line; `open`: whether it was open at the beginning.
///
/// A line on which something follows a closing quote is malformed and ends its record.
fn still_open(mut open: bool, line: &[u8], delimiter: u8) -> bool {
    let mut at = 0;
    loop {
        if open {
            match memchr(b'"', &line[at..]) {
                Some(quote) => at += quote + 1,
                None => return true,
            }
            match line.get(at) {
                Some(b'"') => at += 1,
                Some(&next) if next == delimiter => (open, at) = (false, at + 1),
                _ => return false,
            }
        } else if line.get(at) == Some(&b'"') {
            (open, at) = (true, at + 1);
        } else {
            match memchr(delimiter, &line[at..]) {
                Some(stop) => at += stop + 1,
                None => return false,
            }
        }
    }
}
