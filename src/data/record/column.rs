//! Columns in memory: plain vectors of our own types, padded to whole chunks.

use core::hash::{Hash, Hasher};
use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::value::Null;
use crate::data::engine::{Buffer, Lane};
use crate::data::kind::planned;
use crate::data::plan::ValueKind;
use crate::data::source::Part;
use crate::data::{CHUNK, Kind};
use crate::error::Misfit;

/// Values of one chunk, by row.
#[doc(hidden)]
pub trait Eval: Copy {
    type Value: Copy;
    fn at(&self, row: usize) -> Self::Value;
}

/// A cell that could not be read. It must not carry private content.
#[derive(Clone, Copy, Debug)]
pub enum Bad {
    Encoding,
    Value,
}

/// The place of the column at which a row could not be read.
#[derive(Clone, Copy, Debug)]
pub enum BadColumn {
    Encoding(usize),
    Value(usize),
}

/// The distinct texts of a table, by code.
#[derive(Default)]
pub struct Dictionary {
    long: HashMap<Box<str>, u32>,
    /// Short ones are compared where they lie, and their place is one in memory and not two.
    short: HashMap<Short, u32>,
    /// Short texts that were asked for lately, so that texts that come often are not hashed.
    recent: Recent,
    /// Public texts, which stay when others are forgotten.
    public: Vec<Box<str>>,
    /// The heads of all texts, by code, if they were asked for since the last text came in.
    heads: OnceLock<Vec<Head>>,
    /// Their places in public lists, likewise.
    places: Places,
}

/// What a text begins with, and how long it is: all that an expression can ask of it but equality.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// The first bytes, the first one highest; zeros after the end.
    pub(crate) first: u128,
    /// How many bytes.
    pub(crate) length: i64,
}

impl Head {
    /// How many bytes are kept.
    pub(crate) const BYTES: usize = 16;

    pub(crate) fn of(text: &str) -> Self {
        let mut first = [0; Self::BYTES];
        for (to, from) in first.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Head {
            first: u128::from_be_bytes(first),
            length: text.len() as i64,
        }
    }
}

impl Dictionary {
    /// A code that no text in the table has.
    const ABSENT: u32 = u32::MAX;

    /// Public texts alone, each with a code.
    pub(crate) fn public<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut dictionary = Dictionary {
            public: texts.into_iter().map(Into::into).collect(),
            ..Dictionary::default()
        };
        dictionary.keep_public();
        dictionary
    }

    /// Forgets all texts but the public ones, whose codes stay the same.
    pub(crate) fn keep_public(&mut self) {
        if self.len() != self.public.len() || self.public.is_empty() {
            self.long.clear();
            self.short.clear();
            self.recent = Recent::default();
            self.changed();
            let public = core::mem::take(&mut self.public);
            for (text, code) in public.iter().zip(0..) {
                self.insert(text, code);
            }
            self.public = public;
        }
    }

    pub(crate) fn code(&mut self, text: &str) -> u32 {
        let short = Short::of(text.as_bytes());
        if let Some(code) = short.and_then(|short| self.recent.find(short)) {
            return code;
        }
        let code = match self.get(text) {
            Some(code) => code,
            None => self.add(text),
        };
        if let Some(short) = short {
            self.recent.note(short, code);
        }
        code
    }

    fn get(&self, text: &str) -> Option<u32> {
        let code = match Short::of(text.as_bytes()) {
            Some(short) => self.short.get(&short),
            None => self.long.get(text),
        };
        code.copied()
    }

    fn insert(&mut self, text: &str, code: u32) {
        match Short::of(text.as_bytes()) {
            Some(short) => self.short.insert(short, code),
            None => self.long.insert(text.into(), code),
        };
    }

    /// What was found out about all texts is no longer about all of them.
    fn changed(&mut self) {
        self.heads = OnceLock::new();
        self.places = Places::default();
    }

    fn add(&mut self, text: &str) -> u32 {
        let code = self.len() as u32;
        assert!(
            code < Self::ABSENT,
            "more than 2^32 - 1 distinct texts in one table"
        );
        self.insert(text, code);
        self.changed();
        code
    }

    /// Takes back the text that came in last.
    pub(super) fn forget(&mut self, text: &[u8]) {
        match Short::of(text) {
            Some(short) => self.short.remove(&short),
            None => core::str::from_utf8(text)
                .ok()
                .and_then(|text| self.long.remove(text)),
        };
        self.recent = Recent::default();
        self.changed();
    }

    /// How many texts.
    pub(crate) fn len(&self) -> usize {
        self.long.len() + self.short.len()
    }

    /// All texts with their codes, in no particular order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Cow<'_, str>, u32)> {
        let short = self.short.iter();
        let short = short.map(|(text, code)| (Cow::Owned(text.text()), *code));
        let long = self.long.iter();
        long.map(|(text, code)| (Cow::Borrowed(&**text), *code))
            .chain(short)
    }

    /// The codes here of all texts of another dictionary, by their codes there.
    #[cfg(feature = "parallel")]
    pub(crate) fn take_in(&mut self, other: &Dictionary) -> Vec<u32> {
        let mut texts = vec![Cow::Borrowed(""); other.len()];
        for (text, code) in other.texts() {
            texts[code as usize] = text;
        }
        texts.iter().map(|text| self.code(text)).collect()
    }

    /// The heads of all texts, by code; made when a query first asks. It asks whatever the rows are.
    pub(crate) fn heads(&self) -> &[Head] {
        self.heads.get_or_init(|| {
            let mut heads = vec![Head::default(); self.len()];
            for (text, code) in self.texts() {
                heads[code as usize] = Head::of(&text);
            }
            heads
        })
    }

    /// For each text, by code, its place in a public list, or `absent`; made when a query first asks. `list`
    /// tells the list from every other.
    pub(crate) fn places(
        &self,
        list: u64,
        texts: impl Fn(&dyn Fn(&str, u32)),
        absent: u32,
    ) -> &[u32] {
        self.places.of(list, || {
            let places = vec![absent; self.len()];
            let places = core::cell::RefCell::new(places);
            texts(&|text, place| {
                if let Some(code) = self.get(text) {
                    places.borrow_mut()[code as usize] = place;
                }
            });
            places.into_inner()
        })
    }

    /// The code of `text`, or one that no row has.
    pub(crate) fn find(&self, text: &str) -> u32 {
        self.get(text).unwrap_or(Self::ABSENT)
    }
}

/// A text of at most sixteen bytes: its beginning, its end, which may overlap, and its length.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Short {
    first: [u8; 8],
    last: [u8; 8],
    length: u32,
}

impl Short {
    #[inline(always)]
    fn of(text: &[u8]) -> Option<Short> {
        let length = text.len() as u32;
        if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
            let (first, last) = (*first, *last);
            return (length <= 16).then_some(Short {
                first,
                last,
                length,
            });
        }
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let [first, last] = match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            (Some([a, b, c, d]), Some([e, f, g, h])) => [[*a, *b, *c, *d], [*e, *f, *g, *h]],
            _ => [[byte(0), byte(1), byte(2), 0], [0; 4]],
        };
        let [a, b, c, d] = first;
        let [e, f, g, h] = last;
        Some(Short {
            first: [a, b, c, d, 0, 0, 0, 0],
            last: [e, f, g, h, 0, 0, 0, 0],
            length,
        })
    }

    /// The text that it was made of.
    fn text(self) -> String {
        let length = self.length as usize;
        let mut bytes = [0; 16];
        // The end first: in a text of fewer than four bytes it is not kept.
        let half = if length < 8 { 4 } else { 8 };
        if let Some(from) = length.checked_sub(half) {
            bytes[from..length].copy_from_slice(&self.last[..half]);
        }
        let half = half.min(length);
        bytes[..half].copy_from_slice(&self.first[..half]);
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    fn words(self) -> [u64; 2] {
        let last = u64::from_le_bytes(self.last) ^ u64::from(self.length) << 56;
        [u64::from_le_bytes(self.first), last]
    }

    fn place(self) -> usize {
        let [first, last] = self.words();
        let mixed = (first ^ last.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - Recent::BITS)) as usize
    }
}

impl Hash for Short {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, last] = self.words();
        state.write_u64(first);
        state.write_u64(last);
    }
}

/// A few short texts with their codes; a text takes the place of another one.
#[derive(Default)]
struct Recent(Vec<(Short, u32)>);

impl Recent {
    const BITS: u32 = 8;

    /// In every place at first. No text has this length.
    const NONE: Short = Short {
        first: [0; 8],
        last: [0; 8],
        length: u32::MAX,
    };

    #[inline(always)]
    fn find(&self, short: Short) -> Option<u32> {
        let (known, code) = self.0.get(short.place())?;
        (*known == short).then_some(*code)
    }

    fn note(&mut self, short: Short, code: u32) {
        if self.0.is_empty() {
            self.0 = vec![(Self::NONE, 0); 1 << Self::BITS];
        }
        self.0[short.place()] = (short, code);
    }
}

/// The places of a table's texts in each public list that was asked about. It lies beside the table and not
/// in the query, which analysts hold.
#[derive(Default)]
struct Places(OnceLock<Box<Link>>);

struct Link {
    list: u64,
    places: Vec<u32>,
    next: Places,
}

impl Places {
    fn of(&self, list: u64, make: impl Fn() -> Vec<u32>) -> &[u32] {
        let mut here = self;
        loop {
            let link = here.0.get_or_init(|| {
                Box::new(Link {
                    list,
                    places: make(),
                    next: Places::default(),
                })
            });
            if link.list == list {
                return &link.places;
            }
            here = &link.next;
        }
    }
}

impl Drop for Places {
    /// One by one, so that many lists need no deep stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next {
            next = link.next.0.take();
        }
    }
}

/// A column of private values.
pub trait Column: Default + Send + Sync + 'static {
    /// What an expression sees.
    type Kind: Kind;
    /// One chunk of it.
    type Bound<'a>: Eval<Value = <Self::Kind as Kind>::Value>;
    /// Steps per unit.
    const STEPS: i64;
    /// Its kind in a plan; of a value that may be missing, the kind it has if it is there.
    const PLAN: ValueKind;
    fn chunk(&self, index: usize) -> Self::Bound<'_>;
    /// One chunk of it for the engine, copied to the buffer if it is stored in another form; none if
    /// the engine has no values of this kind.
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>>;
    /// Which values of the chunk are there, if they may be missing.
    fn valid(&self, index: usize) -> Option<&[bool; CHUNK]>;
    /// The least and the greatest whole number, and the keys of a category.
    const RANGE: Option<(i128, i128)>;
    const KEYS: &'static [&'static str];
    fn pad(&mut self, rows: usize);
    fn shrink(&mut self);
    /// Forgets all rows, and keeps the room that they had.
    fn clear(&mut self);
    /// Appends some rows of an engine's column; after an error the column is good for nothing.
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit>;
    /// Appends another part of the same table, whose texts have these codes here.
    fn extend(&mut self, part: Self, codes: &[u32]);
    fn pop(&mut self);
    fn reserve(&mut self, rows: usize);
    /// Reads a cell, where `nulls` are null; on an error the column is unchanged.
    fn parse(
        &mut self,
        cell: &[u8],
        nulls: &[String],
        dictionary: &mut Dictionary,
    ) -> Result<(), Bad>;
}

/// A stored value and what an expression sees of it.
pub trait Stored: Copy + Default + Send + Sync + 'static {
    type Kind: Kind;
    /// Steps per unit.
    const STEPS: i64 = 1;
    /// Its kind in a plan.
    const PLAN: ValueKind = planned::<Self::Kind>();
    fn seen(self) -> <Self::Kind as Kind>::Value;
    /// The same value in a table whose texts have these codes, by their codes before.
    #[inline(always)]
    fn recoded(self, _: &[u32]) -> Self {
        self
    }
    /// A chunk for the engine: see [`Column::lane`].
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>>;
}

/// A stored value that can be read from a text cell, or from an engine's column.
pub trait Parse: Stored {
    const RANGE: Option<(i128, i128)> = None;
    const KEYS: &'static [&'static str] = &[];
    /// Appends some rows of an engine's column. What stands in the place of a missing value does not
    /// matter.
    fn fill(
        out: &mut Vec<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit>;
    /// Whether spaces around a cell do not count.
    const TRIMMED: bool = true;
    fn parse(cell: &str, dictionary: &mut Dictionary) -> Option<Self>;
    /// What `parse` makes of a cell, if it is spelled as most are.
    #[inline(always)]
    fn quick(_: &[u8]) -> Option<Self> {
        None
    }
    #[inline(always)]
    fn read(cell: &[u8], dictionary: &mut Dictionary) -> Result<Self, Bad> {
        match Self::quick(cell) {
            Some(value) => Ok(value),
            None => Self::parse(text(cell)?, dictionary).ok_or(Bad::Value),
        }
    }
}

fn text(cell: &[u8]) -> Result<&str, Bad> {
    core::str::from_utf8(cell).map_err(|_| Bad::Encoding)
}

/// Values side by side.
pub struct Plain<T>(pub(super) Vec<T>);

impl<T> Default for Plain<T> {
    fn default() -> Self {
        Plain(Vec::new())
    }
}

/// One chunk of values.
pub struct Slice<'a, T>(&'a [T; CHUNK]);

impl<T> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<'_, T> {}

impl<T: Stored> Eval for Slice<'_, T> {
    type Value = <T::Kind as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        self.0[row].seen()
    }
}

/// The chunk of that index; out of range is a bug in this crate, and does not depend on values.
fn slice<T>(values: &[T], index: usize) -> &[T; CHUNK] {
    &values.as_chunks::<CHUNK>().0[index]
}

impl<T: Parse> Column for Plain<T> {
    type Kind = T::Kind;
    type Bound<'a> = Slice<'a, T>;
    const STEPS: i64 = T::STEPS;
    const PLAN: ValueKind = T::PLAN;
    fn chunk(&self, index: usize) -> Slice<'_, T> {
        Slice(slice(&self.0, index))
    }
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        T::lane(slice(&self.0, index), buffer)
    }
    fn valid(&self, _: usize) -> Option<&[bool; CHUNK]> {
        None
    }
    const RANGE: Option<(i128, i128)> = T::RANGE;
    const KEYS: &'static [&'static str] = T::KEYS;
    fn pad(&mut self, rows: usize) {
        self.0.resize(rows.max(self.0.len()), T::default());
    }
    fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
    fn clear(&mut self) {
        self.0.clear();
    }
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        if part.misses(rows.clone())? {
            return Err(Misfit::Null);
        }
        T::fill(&mut self.0, part, rows, dictionary)
    }
    fn extend(&mut self, part: Self, codes: &[u32]) {
        let values = part.0.into_iter();
        self.0.extend(values.map(|value| value.recoded(codes)));
    }
    fn pop(&mut self) {
        self.0.pop();
    }
    fn reserve(&mut self, rows: usize) {
        self.0.reserve(rows);
    }
    #[inline(always)]
    fn parse(&mut self, cell: &[u8], _: &[String], dictionary: &mut Dictionary) -> Result<(), Bad> {
        self.0.push(T::read(cell, dictionary)?);
        Ok(())
    }
}

/// Whether spaces may be around a cell; false if it begins and ends with a character of ASCII that is not one.
#[inline(always)]
fn spaced(cell: &[u8]) -> bool {
    match (cell.first(), cell.last()) {
        (Some(first), Some(last)) => !(first.is_ascii_graphic() && last.is_ascii_graphic()),
        _ => false,
    }
}

/// Values, and which of them are there.
pub struct Nulls<T> {
    pub(super) values: Vec<T>,
    pub(super) valid: Vec<bool>,
}

impl<T> Default for Nulls<T> {
    fn default() -> Self {
        Nulls {
            values: Vec::new(),
            valid: Vec::new(),
        }
    }
}

/// One chunk of nullable values.
pub struct NullSlice<'a, T>(&'a [T; CHUNK], &'a [bool; CHUNK]);

impl<T> Clone for NullSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for NullSlice<'_, T> {}

impl<T: Stored> Eval for NullSlice<'_, T> {
    type Value = Null<<T::Kind as Kind>::Value>;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        Null {
            valid: self.1[row],
            value: self.0[row].seen(),
        }
    }
}

impl<T: Parse> Column for Nulls<T> {
    type Kind = crate::data::Nullable<T::Kind>;
    type Bound<'a> = NullSlice<'a, T>;
    const STEPS: i64 = T::STEPS;
    const PLAN: ValueKind = T::PLAN;
    fn chunk(&self, index: usize) -> NullSlice<'_, T> {
        NullSlice(slice(&self.values, index), slice(&self.valid, index))
    }
    fn lane<'a>(&'a self, index: usize, buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        T::lane(slice(&self.values, index), buffer)
    }
    fn valid(&self, index: usize) -> Option<&[bool; CHUNK]> {
        Some(slice(&self.valid, index))
    }
    const RANGE: Option<(i128, i128)> = T::RANGE;
    const KEYS: &'static [&'static str] = T::KEYS;
    fn pad(&mut self, rows: usize) {
        self.values
            .resize(rows.max(self.values.len()), T::default());
        self.valid.resize(rows.max(self.valid.len()), false);
    }
    fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.valid.shrink_to_fit();
    }
    fn clear(&mut self) {
        self.values.clear();
        self.valid.clear();
    }
    fn append(
        &mut self,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        match part.valid {
            Some(valid) => valid.unpack(rows.clone(), &mut self.valid)?,
            None => self.valid.resize(self.valid.len() + rows.len(), true),
        }
        T::fill(&mut self.values, part, rows, dictionary)
    }
    fn extend(&mut self, part: Self, codes: &[u32]) {
        let values = part.values.into_iter();
        self.values.extend(values.map(|value| value.recoded(codes)));
        self.valid.extend_from_slice(&part.valid);
    }
    fn pop(&mut self) {
        self.values.pop();
        self.valid.pop();
    }
    fn reserve(&mut self, rows: usize) {
        self.values.reserve(rows);
        self.valid.reserve(rows);
    }
    #[inline(always)]
    fn parse(
        &mut self,
        cell: &[u8],
        nulls: &[String],
        dictionary: &mut Dictionary,
    ) -> Result<(), Bad> {
        let name = if T::TRIMMED && spaced(cell) {
            text(cell)?.trim().as_bytes()
        } else {
            cell
        };
        if nulls.iter().any(|null| null.as_bytes() == name) {
            self.values.push(T::default());
            self.valid.push(false);
        } else {
            self.values.push(T::read(cell, dictionary)?);
            self.valid.push(true);
        }
        Ok(())
    }
}

/// A text, as its code in the table's dictionary.
#[derive(Clone, Copy, Default)]
pub struct TextCode(pub(super) u32);

impl TextCode {
    pub(super) fn new(text: &str, dictionary: &mut Dictionary) -> Self {
        TextCode(dictionary.code(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of every length around those that are kept apart, also with zeros and of several bytes a letter.
    fn texts() -> impl Iterator<Item = String> {
        (0..20).flat_map(|length| {
            [
                "abcdefghijklmnopqrst",
                "aaaaaaaaaaaaaaaaaaaa",
                "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            ]
            .map(|letters| letters[..length].to_owned())
            .into_iter()
            .chain([format!("{}é", &"abcdefghijklmnopqrst"[..length])])
        })
    }

    #[test]
    fn texts_have_one_code_and_come_back_as_they_were() {
        let mut dictionary = Dictionary::default();
        let mut known: Vec<String> = Vec::new();
        for text in texts().chain(texts()) {
            let code = dictionary.code(&text) as usize;
            match known.iter().position(|known| *known == text) {
                Some(place) => assert_eq!(code, place, "{text:?}"),
                None => {
                    assert_eq!(code, known.len(), "{text:?}");
                    known.push(text);
                }
            }
        }
        assert_eq!(dictionary.len(), known.len());
        for (text, code) in dictionary.texts() {
            assert_eq!(text, known[code as usize]);
            assert_eq!(dictionary.find(&text), code);
        }
        assert_eq!(dictionary.find("b"), Dictionary::ABSENT);

        dictionary.code("z");
        dictionary.forget(b"z");
        assert_eq!(dictionary.find("z"), Dictionary::ABSENT);
    }

    #[test]
    #[cfg(feature = "parallel")]
    fn the_texts_of_a_part_have_the_codes_of_the_whole() {
        let (mut part, mut whole) = (Dictionary::default(), Dictionary::default());
        let known: Vec<u32> = texts().map(|text| part.code(&text)).collect();
        whole.code("abc");
        whole.code("z");
        let codes = whole.take_in(&part);
        for (text, code) in texts().zip(known) {
            assert_eq!(whole.find(&text), codes[code as usize], "{text:?}");
        }
        assert_eq!(whole.len(), part.len() + 1);
    }
}
