//! Records as lines, each chained to the one before it by a hash.

use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};

use super::event::{Record, hex, unhex};

/// The first line of a ledger file. The chain starts with its hash.
pub(super) const HEADER: &str = "privet-ledger 1\n";

/// A line is at most this long: 256 MiB. Only an answer can be long.
pub(super) const LONGEST: usize = 1 << 28;

/// Eight digits of length and a blank; a blank, 64 digits of hash and the end of the line.
const AROUND: usize = 9 + 66;

/// The hash of a record and of all records before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link([u8; 32]);

impl Link {
    /// Before the first record.
    pub(super) fn first() -> Self {
        Link(Sha256::digest(HEADER).into())
    }

    fn next(self, body: &[u8]) -> Self {
        Link(
            Sha256::new()
                .chain_update(self.0)
                .chain_update(body)
                .finalize()
                .into(),
        )
    }

    /// What a sound line ends with: the link that it claims.
    pub(super) fn claimed(line: &[u8]) -> Option<Link> {
        let digits = line.get(line.len().checked_sub(65)?..line.len() - 1)?;
        unhex(core::str::from_utf8(digits).ok()?).map(Link)
    }
}

/// A record as a line, and its link. None if it is too long.
pub(super) fn seal(record: &Record, before: Link) -> Option<(Vec<u8>, Link)> {
    let body = record.text();
    let link = before.next(body.as_bytes());
    let line = format!("{:08x} {body} {}\n", body.len(), hex(&link.0));
    (line.len() <= LONGEST).then(|| (line.into_bytes(), link))
}

/// The body of a line that is whole and follows `before`, and its link.
pub(super) fn body(line: &[u8], before: Link) -> Option<(&str, Link)> {
    let length = line.len().checked_sub(AROUND)?;
    let (prefix, rest) = line.split_at(9);
    let (body, suffix) = rest.split_at(length);
    let link = before.next(body);
    let sound = prefix == format!("{length:08x} ").as_bytes()
        && suffix == format!(" {}\n", hex(&link.0)).as_bytes();
    sound.then_some((core::str::from_utf8(body).ok()?, link))
}

/// Whether a crash in the middle of one append can have left these bytes at the end of a file: not
/// if they are more than the line was to have.
pub(super) fn may_be_torn(tail: &[u8]) -> bool {
    let prefix = tail.get(..9).and_then(|p| core::str::from_utf8(p).ok());
    let digits = prefix.and_then(|p| p.strip_suffix(' '));
    match digits.and_then(unhex::<4>) {
        Some(length) => tail.len() - AROUND.min(tail.len()) <= u32::from_be_bytes(length) as usize,
        None => true,
    }
}

/// How far a ledger has come: the number of its records and a hash of them all.
///
/// A short string, such as `12-6d1a3f…`, that an owner keeps elsewhere. Opening a ledger with an
/// expected head refuses one that does not contain it: an older copy put back, or another history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub(super) records: u64,
    mark: [u8; 16],
}

impl Head {
    pub(super) fn new(records: u64, link: Link) -> Self {
        let mut mark = [0; 16];
        mark.copy_from_slice(&link.0[..16]);
        Head { records, mark }
    }

    /// How many records there were.
    pub fn records(&self) -> u64 {
        self.records
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.records, hex(&self.mark))
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a ledger's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseHeadError(String);

impl fmt::Display for ParseHeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not the head of a ledger; write a number, a hyphen and 32 hexadecimal digits, \
             as `cargo privet ledger show` prints it",
            self.0
        )
    }
}

impl std::error::Error for ParseHeadError {}

impl FromStr for Head {
    type Err = ParseHeadError;

    fn from_str(text: &str) -> Result<Self, ParseHeadError> {
        let read = || {
            let (records, mark) = text.split_once('-')?;
            Some(Head {
                records: records.parse().ok()?,
                mark: unhex(mark)?,
            })
        };
        read().ok_or_else(|| ParseHeadError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::Event;
    use super::*;

    fn record(number: u64) -> Record {
        Record {
            number,
            time: 5,
            event: Event::Cut { bytes: 1 },
        }
    }

    /// From the documentation of the format alone, by `sha256sum` and `xxd`.
    #[test]
    fn the_format_is_the_documented_one() {
        let (line, link) = seal(&record(0), Link::first()).unwrap();
        assert_eq!(
            String::from_utf8(line).unwrap(),
            format!("00000009 0 5 cut 1 {}\n", hex(&link.0))
        );
        assert_eq!(hex(&Link::first().0), GENESIS);
        assert_eq!(hex(&link.0), FIRST);
    }
    const GENESIS: &str = "e31855fa7105ac6b049fb0a2d32abc4bb589824e25b197e03512837252936b99";
    const FIRST: &str = "3116410e0de35b2b857e7f5bcc553785253dbcadda1bdbe08530774c45a8d9bc";

    #[test]
    fn a_line_is_sound_only_as_it_is_and_where_it_is() {
        let (line, link) = seal(&record(0), Link::first()).unwrap();
        assert_eq!(body(&line, Link::first()), Some(("0 5 cut 1", link)));
        assert_eq!(Link::claimed(&line), Some(link));
        assert_eq!(body(&line, link), None);
        for i in 0..line.len() {
            for bit in 0..8 {
                let mut other = line.clone();
                other[i] ^= 1 << bit;
                assert_eq!(body(&other, Link::first()), None);
            }
            assert_eq!(body(&line[..i], Link::first()), None);
            assert_eq!(body(&line[i + 1..], Link::first()), None);
        }
        assert_eq!(body(&[line.clone(), line].concat(), Link::first()), None);
    }

    #[test]
    fn a_head_is_read_back() {
        let head = Head::new(12, Link::first());
        assert_eq!(head.to_string().parse(), Ok(head));
        for text in ["", "12", "12-", "-00", "x-00112233445566778899aabbccddeeff"] {
            assert!(text.parse::<Head>().is_err(), "{text}");
        }
    }
}
