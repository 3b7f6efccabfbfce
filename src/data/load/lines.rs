//! The lines of a file, one at a time and in bounded memory.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};

use memchr::memchr;

/// How much is read at a time.
const BLOCK: usize = 1 << 18;

/// The lines of an input. Each ends with LF or CRLF, or with the input.
///
/// Where cells may contain line breaks, lines that an open quote connects come as one.
pub(super) struct Lines<'a, I> {
    input: I,
    /// A borrowed one has all that there is.
    buffer: Cow<'a, [u8]>,
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

#[cfg(feature = "parallel")]
impl<'a> Lines<'a, io::Empty> {
    /// The lines of a text that follows so many lines.
    pub(super) fn of(text: &'a [u8], limit: usize, line: u64) -> Self {
        Lines {
            input: io::empty(),
            buffer: Cow::Borrowed(text),
            start: 0,
            end: text.len(),
            line,
            taken: 0,
            limit,
            connected: None,
        }
    }
}

impl<I: Read> Lines<'_, I> {
    /// Reads on only while a line has at most `limit` bytes. A byte-order mark is left out.
    pub(super) fn new(input: I, limit: usize, connected: Option<u8>) -> io::Result<Self> {
        let mut lines = Lines {
            connected,
            ..Lines::from(input, limit, 0, 0)
        };
        while lines.end < 3 && lines.fill()? {}
        if lines.buffer[..lines.end].starts_with(b"\xef\xbb\xbf") {
            lines.start = 3;
            lines.taken = 3;
        }
        Ok(lines)
    }

    /// The lines of what follows so many lines and bytes.
    pub(super) fn from(input: I, limit: usize, line: u64, taken: u64) -> Self {
        Lines {
            input,
            buffer: Cow::Owned(vec![0; BLOCK]),
            start: 0,
            end: 0,
            line,
            taken,
            limit,
            connected: None,
        }
    }

    /// What is read but not taken, and the input behind it.
    #[cfg(feature = "parallel")]
    pub(super) fn into_rest(self) -> (Vec<u8>, I) {
        (self.buffer[self.start..self.end].to_vec(), self.input)
    }

    /// How many lines were taken.
    #[cfg(feature = "parallel")]
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// How many bytes were taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// What is read but not yet taken.
    pub(super) fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Takes some bytes of the window, which are so many lines.
    pub(super) fn take(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.taken += bytes as u64;
        self.line += lines;
    }

    /// The next line, or None at the end.
    ///
    /// If `pass`, the rest of a line that is too long is skipped; otherwise this is the last call,
    /// since the line may have no end.
    pub(super) fn next_line(&mut self, pass: bool) -> io::Result<Option<Line<'_>>> {
        let number = self.line + 1;
        // All of these count from `start`.
        let mut searched = 0;
        let mut part = 0;
        let mut open = false;
        let mut too_long = false;
        let (text, next) = loop {
            let window = &self.buffer[self.start..self.end];
            if let Some(more) = memchr(b'\n', &window[searched..]) {
                let stop = searched + more;
                self.line += 1;
                open = self.connected.is_some_and(|delimiter| {
                    !too_long && still_open(open, &window[part..stop], delimiter)
                });
                if !open {
                    break (stop, stop + 1);
                }
                searched = stop + 1;
                part = searched;
                continue;
            }
            searched = window.len();
            // Even without a CR at its end it is longer than the limit, so it is dropped.
            if too_long || searched > self.limit.saturating_add(1) {
                if !pass {
                    return Ok(Some(Line { number, text: None }));
                }
                too_long = true;
                self.taken += searched as u64;
                self.start = self.end;
                searched = 0;
            }
            if !self.fill()? {
                if searched == 0 && !too_long {
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
            text: (!too_long && text.len() <= self.limit).then_some(text),
        }))
    }

    /// Reads more behind what is there. False at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        let Cow::Owned(buffer) = &mut self.buffer else {
            return Ok(false);
        };
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

fn without_cr(text: &[u8]) -> &[u8] {
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
