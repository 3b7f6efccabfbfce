//! The lines of a file, many at a time: blocks of whole lines, in bounded memory.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memrchr};

/// How many bytes a block has, unless a line is longer.
pub(super) const BLOCK: usize = 1 << 18;

/// Whole lines of an input, block after block.
pub(super) struct Blocks<I> {
    input: I,
    /// What is read but in no block yet: the beginning of a line, or all that was read before the first block.
    rest: Vec<u8>,
    limit: usize,
    /// Whether there are lines behind one that is too long.
    pass: bool,
    ended: bool,
    failed: Option<io::Error>,
}

/// Some lines of an input.
#[derive(Default)]
pub(super) struct Block {
    /// In its first `end` bytes are whole lines, with their ends; only the last line of the input may have none.
    buffer: Vec<u8>,
    end: usize,
    /// Whether this is no text, but a line that is too long.
    pub(super) too_long: bool,
    /// How many bytes of the input these are.
    pub(super) bytes: u64,
}

impl Block {
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer[..self.end]
    }
}

impl<I: Read> Blocks<I> {
    /// What was read already, and the rest of an input. If `pass`, what follows a line of more than `limit` bytes is
    /// read; otherwise it is the last one, since it may have no end.
    pub(super) fn new(rest: Vec<u8>, input: I, limit: usize, pass: bool) -> Self {
        Blocks {
            input,
            rest,
            limit,
            pass,
            ended: false,
            failed: None,
        }
    }

    /// Fills a block with the next lines. False at the end of the input.
    pub(super) fn next(&mut self, block: &mut Block) -> io::Result<bool> {
        let Block { buffer, end, .. } = block;
        (block.too_long, block.bytes, *end) = (false, 0, 0);
        let mut searched = 0;
        let room = BLOCK.max(self.rest.len());
        buffer.resize(room, 0);
        let mut filled = self.rest.len();
        buffer[..filled].copy_from_slice(&self.rest);
        self.rest.clear();
        loop {
            while !self.ended && filled < buffer.len() {
                filled += self.read(&mut buffer[filled..]);
            }
            if let Some(feed) = memrchr(b'\n', &buffer[searched..filled]) {
                *end = searched + feed + 1;
                // The last line of the input need not have an end; after an error it is not the last one.
                if self.ended && self.failed.is_none() {
                    *end = filled;
                } else {
                    self.rest.extend_from_slice(&buffer[*end..filled]);
                }
                break;
            }
            searched = filled;
            // Even without a CR at its end the line is longer than the limit.
            if filled > self.limit.saturating_add(1) {
                block.too_long = true;
                block.bytes = filled as u64;
                if self.pass {
                    block.bytes += self.skip(buffer);
                } else {
                    self.ended = true;
                }
                return Ok(true);
            }
            if self.ended {
                if let Some(error) = self.failed.take() {
                    return Err(error);
                }
                *end = filled;
                break;
            }
            let more = buffer.len();
            buffer
                .try_reserve_exact(more)
                .map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
            buffer.resize(2 * more, 0);
        }
        block.bytes = *end as u64;
        Ok(*end > 0)
    }

    /// Reads behind a line that is too long; returns how many bytes of it there were.
    fn skip(&mut self, buffer: &mut [u8]) -> u64 {
        let mut bytes = 0;
        while !self.ended {
            let filled = self.read(buffer);
            if let Some(feed) = memchr(b'\n', &buffer[..filled]) {
                self.rest.extend_from_slice(&buffer[feed + 1..filled]);
                return bytes + feed as u64 + 1;
            }
            bytes += filled as u64;
        }
        bytes
    }

    /// Reads some bytes. After an error there are no more.
    fn read(&mut self, free: &mut [u8]) -> usize {
        loop {
            match self.input.read(free) {
                // The owner's own reader may claim to have read more than there was room for.
                Ok(read) => {
                    self.ended = read == 0;
                    return read.min(free.len());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    (self.ended, self.failed) = (true, Some(error));
                    return 0;
                }
            }
        }
    }
}
