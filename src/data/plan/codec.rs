//! A plan as bytes. There is one spelling of each plan, and limits on what is read.

use core::fmt;
use std::borrow::Cow;

use super::{Column, Constant, Operation, Plan, Term, ValueKind};

/// The first bytes of an encoded plan; the last is the version.
const HEAD: &[u8; 8] = b"privpln\x01";

/// Why bytes are not a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They do not start as a plan of this version does.
    Version,
    /// They end too early, or go on after the plan's end.
    Length,
    /// They are deeper, longer or have more terms than any plan of ours.
    TooLarge,
    /// They contain a term that no plan of this version has, or a second spelling of one.
    Term,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecodeError::Version => {
                "not a plan of version 1; encode it with the same version of privet that decodes it"
            }
            DecodeError::Length => "the plan is cut off or followed by other bytes; send it again",
            DecodeError::TooLarge => {
                "the plan is too large; ask fewer queries at once, or use shorter lists"
            }
            DecodeError::Term => {
                "the plan has a term that this version does not know; use one version everywhere"
            }
        })
    }
}
impl core::error::Error for DecodeError {}

impl Plan {
    /// The deepest term that is decoded. Expressions are at most 64 deep; filters add a level each.
    pub const MAX_DEPTH: usize = 512;
    /// The most terms that are decoded.
    pub const MAX_TERMS: usize = 1 << 20;
    /// The most bytes that are decoded.
    pub const MAX_BYTES: usize = 16 << 20;

    /// The plan as bytes. Equal plans have equal bytes, and different plans different ones.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = HEAD.to_vec();
        number(self.queries.len() as u64, &mut out);
        for query in &self.queries {
            encode(query, &mut out);
        }
        out
    }

    /// Reads what [`encode`](Plan::encode) wrote, and nothing else.
    ///
    /// # Errors
    ///
    /// If the bytes are not the spelling of a plan, or exceed a limit.
    pub fn decode(bytes: &[u8]) -> Result<Plan, DecodeError> {
        if bytes.len() > Self::MAX_BYTES {
            return Err(DecodeError::TooLarge);
        }
        let mut reader = Reader::new(bytes.strip_prefix(HEAD).ok_or(DecodeError::Version)?);
        let queries = reader.terms(0)?;
        if !reader.rest.is_empty() {
            return Err(DecodeError::Length);
        }
        Ok(Plan { queries })
    }
}

/// Seven bits a byte, the lowest first.
pub(in crate::data) fn number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(in crate::data) fn text(text: &str, out: &mut Vec<u8>) {
    number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// What a byte says about the term that follows it.
mod tag {
    pub(super) const COLUMN: u8 = 1;
    pub(super) const INT: u8 = 2;
    pub(super) const REAL: u8 = 3;
    pub(super) const BOOL: u8 = 4;
    pub(super) const TEXT: u8 = 5;
    pub(super) const CATEGORY: u8 = 6;
    pub(super) const LIST: u8 = 7;
    pub(super) const APPLY: u8 = 8;
    pub(super) const DAY: u8 = 9;
    pub(super) const MOMENT: u8 = 10;
}

fn encode(term: &Term, out: &mut Vec<u8>) {
    match term {
        Term::Column(column) => {
            out.push(tag::COLUMN);
            text(&column.name, out);
            let (code, size) = match column.kind {
                // No column is of these kinds, and the decoder says so.
                ValueKind::Stepped | ValueKind::SteppedVector(_) | ValueKind::Tuple => (127, None),
                ValueKind::Integer => (0, None),
                ValueKind::Float => (1, None),
                ValueKind::Boolean => (2, None),
                ValueKind::Textual => (3, None),
                ValueKind::Key(keys) => (4, Some(keys)),
                ValueKind::Floats(length) => (5, Some(length)),
                ValueKind::Calendar => (6, None),
                ValueKind::Clock => (7, None),
                ValueKind::Decimals(places) => (8, Some(places)),
            };
            out.push(code << 1 | u8::from(column.nullable));
            if let Some(size) = size {
                number(size.into(), out);
            }
        }
        Term::Constant(Constant::Integer(value)) => {
            out.push(tag::INT);
            out.extend_from_slice(&value.to_le_bytes());
        }
        Term::Constant(Constant::Float(value)) => {
            out.push(tag::REAL);
            out.extend_from_slice(&value.to_bits().to_le_bytes());
        }
        Term::Constant(Constant::Boolean(value)) => out.extend([tag::BOOL, u8::from(*value)]),
        Term::Constant(Constant::Textual(value)) => {
            out.push(tag::TEXT);
            text(value, out);
        }
        Term::Constant(Constant::Key(place, name)) => {
            out.push(tag::CATEGORY);
            number((*place).into(), out);
            text(name, out);
        }
        Term::Constant(Constant::Day(days)) => {
            out.push(tag::DAY);
            out.extend_from_slice(&days.to_le_bytes());
        }
        Term::Constant(Constant::Moment(micros)) => {
            out.push(tag::MOMENT);
            out.extend_from_slice(&micros.to_le_bytes());
        }
        Term::List(items) => {
            out.push(tag::LIST);
            number(items.len() as u64, out);
            items.iter().for_each(|item| encode(item, out));
        }
        Term::Apply(op, args) => {
            out.extend([tag::APPLY, op.code()]);
            number(args.len() as u64, out);
            args.iter().for_each(|arg| encode(arg, out));
        }
    }
}

pub(in crate::data) struct Reader<'a> {
    rest: &'a [u8],
    terms: usize,
}

impl<'a> Reader<'a> {
    pub(in crate::data) fn new(rest: &'a [u8]) -> Self {
        Reader { rest, terms: 0 }
    }

    /// What was not read yet.
    pub(in crate::data) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(DecodeError::Length)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(in crate::data) fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    pub(in crate::data) fn word(&mut self) -> Result<u64, DecodeError> {
        let bytes = self.take(8)?.try_into().map_err(|_| DecodeError::Length)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn half(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.take(4)?.try_into().map_err(|_| DecodeError::Length)?;
        Ok(u32::from_le_bytes(bytes))
    }

    pub(in crate::data) fn number(&mut self) -> Result<u32, DecodeError> {
        let mut value = 0_u64;
        for place in 0..5 {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                // One spelling: no zeros at the end.
                let minimal = byte != 0 || place == 0;
                let value = u32::try_from(value).map_err(|_| DecodeError::TooLarge)?;
                return if minimal {
                    Ok(value)
                } else {
                    Err(DecodeError::Term)
                };
            }
        }
        Err(DecodeError::TooLarge)
    }

    pub(in crate::data) fn text(&mut self) -> Result<String, DecodeError> {
        let length = self.number()? as usize;
        let text = core::str::from_utf8(self.take(length)?).map_err(|_| DecodeError::Term)?;
        Ok(text.into())
    }

    /// A list of terms. Nothing is reserved for what was only announced.
    fn terms(&mut self, depth: usize) -> Result<Vec<Term>, DecodeError> {
        let length = self.number()?;
        let mut terms = Vec::new();
        for _ in 0..length {
            terms.push(self.term(depth)?);
        }
        Ok(terms)
    }

    fn term(&mut self, depth: usize) -> Result<Term, DecodeError> {
        self.terms += 1;
        if depth >= Plan::MAX_DEPTH || self.terms > Plan::MAX_TERMS {
            return Err(DecodeError::TooLarge);
        }
        Ok(match self.byte()? {
            tag::COLUMN => Term::Column(self.column()?),
            tag::INT => Term::Constant(Constant::Integer(self.word()? as i64)),
            tag::REAL => Term::Constant(Constant::Float(f64::from_bits(self.word()?))),
            tag::BOOL => Term::Constant(Constant::Boolean(match self.byte()? {
                0 => false,
                1 => true,
                _ => return Err(DecodeError::Term),
            })),
            tag::TEXT => Term::Constant(Constant::Textual(self.text()?)),
            tag::CATEGORY => {
                Term::Constant(Constant::Key(self.number()?, Cow::Owned(self.text()?)))
            }
            tag::DAY => Term::Constant(Constant::Day(self.half()? as i32)),
            tag::MOMENT => Term::Constant(Constant::Moment(self.word()? as i64)),
            tag::LIST => Term::List(self.terms(depth + 1)?),
            tag::APPLY => {
                let op = Operation::from_code(self.byte()?).ok_or(DecodeError::Term)?;
                let args = self.terms(depth + 1)?;
                let (least, most) = op.arity();
                if args.len() < least || args.len() > most {
                    return Err(DecodeError::Term);
                }
                Term::Apply(op, args)
            }
            _ => return Err(DecodeError::Term),
        })
    }

    fn column(&mut self) -> Result<Column, DecodeError> {
        let name = Cow::Owned(self.text()?);
        let code = self.byte()?;
        let kind = match code >> 1 {
            0 => ValueKind::Integer,
            1 => ValueKind::Float,
            2 => ValueKind::Boolean,
            3 => ValueKind::Textual,
            4 => ValueKind::Key(self.number()?),
            5 => ValueKind::Floats(self.number()?),
            6 => ValueKind::Calendar,
            7 => ValueKind::Clock,
            8 => match self.number()? {
                places @ 1..=9 => ValueKind::Decimals(places),
                _ => return Err(DecodeError::Term),
            },
            _ => return Err(DecodeError::Term),
        };
        Ok(Column {
            name,
            kind,
            nullable: code & 1 == 1,
        })
    }
}
