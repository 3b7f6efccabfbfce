//! Columns as an engine has them, borrowed, and how their values are converted.

use core::ops::Range;

use crate::data::Dictionary;
use crate::error::Misfit;

/// Bits, the lowest of each byte first, as Arrow packs them.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Bits<'a> {
    /// The bits of `bytes`, from the one at `offset` on.
    #[must_use]
    pub fn new(bytes: &'a [u8], offset: usize) -> Self {
        Bits { bytes, offset }
    }

    fn at(self, row: usize) -> bool {
        let bit = self.offset + row;
        self.bytes
            .get(bit / 8)
            .is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    }

    /// Appends the bits of some rows.
    pub(crate) fn unpack(self, rows: Range<usize>, out: &mut Vec<bool>) -> Result<(), Misfit> {
        let (from, to) = (self.offset + rows.start, self.offset + rows.end);
        let bytes = self.bytes.get(from / 8..to.div_ceil(8));
        let bytes = bytes.ok_or(Misfit::Length)?;
        let start = out.len();
        if from % 8 == 0 {
            out.reserve(bytes.len() * 8);
            for byte in bytes {
                let spread: [bool; 8] = core::array::from_fn(|bit| byte >> bit & 1 == 1);
                out.extend_from_slice(&spread);
            }
            out.truncate(start + rows.len());
        } else {
            out.extend((from..to).map(|bit| bytes[bit / 8 - from / 8] >> (bit % 8) & 1 == 1));
        }
        Ok(())
    }
}

/// The values of a column. Where one is missing, what stands in its place does not matter.
#[derive(Clone, Copy)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Values<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Bool(Bits<'a>),
    /// Texts, or keys of a category by name.
    Texts(&'a [&'a str]),
    /// The same, by their places in a list of this batch.
    Codes(&'a [u32], &'a [&'a str]),
    /// Vectors of so many reals, one after the other.
    Vectors(&'a [f64], usize),
}

/// One column of a batch.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// Its values.
    pub values: Values<'a>,
    /// Which of them are there, if some may be missing.
    pub valid: Option<Bits<'a>>,
}

impl Part<'_> {
    /// Whether a value of these rows is missing.
    pub(crate) fn misses(&self, rows: Range<usize>) -> Result<bool, Misfit> {
        let Some(valid) = self.valid else {
            return Ok(false);
        };
        let mut there = Vec::new();
        valid.unpack(rows, &mut there)?;
        Ok(there.contains(&false))
    }
}

/// Some rows of a table: for each column that was asked for, its values.
pub struct Batch<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: &'a [Part<'a>],
}

impl<'a> Batch<'a> {
    /// So many rows of these columns. Columns that are too short are refused where they are read.
    #[must_use]
    pub fn new(rows: usize, columns: &'a [Part<'a>]) -> Self {
        Batch { rows, columns }
    }
}

/// Where converted values go: behind those of a column, or into a part of it.
pub trait Put<T> {
    fn put(&mut self, values: impl Iterator<Item = T>);
}

impl<T> Put<T> for Vec<T> {
    #[inline]
    fn put(&mut self, values: impl Iterator<Item = T>) {
        self.extend(values);
    }
}

/// A part of a column, whose places are filled in their order.
pub struct Room<'a, T> {
    places: &'a mut [T],
    filled: usize,
}

impl<T> Put<T> for Room<'_, T> {
    #[inline]
    fn put(&mut self, values: impl Iterator<Item = T>) {
        let free = self.places.get_mut(self.filled..).unwrap_or_default();
        let mut filled = 0;
        for (place, value) in free.iter_mut().zip(values) {
            *place = value;
            filled += 1;
        }
        self.filled += filled;
    }
}

impl<'a, T> Room<'a, T> {
    /// The first places of a column, in parts of these lengths.
    pub(crate) fn parts(mut column: &'a mut [T], rows: &[usize]) -> Vec<Self> {
        let part = |rows: &usize| {
            let (places, rest) = core::mem::take(&mut column).split_at_mut_checked(*rows)?;
            column = rest;
            Some(Room { places, filled: 0 })
        };
        rows.iter().map_while(part).collect()
    }

    /// All values, once they are there.
    pub(crate) fn values(&mut self) -> &mut [T] {
        self.places
    }
}

fn within<'a, T>(values: &'a [T], rows: &Range<usize>) -> Result<&'a [T], Misfit> {
    values.get(rows.clone()).ok_or(Misfit::Length)
}

/// Appends the integers of some rows, converted by `to`; a value that is there and has no conversion is
/// a misfit. It looks at all values in the same way.
fn integers<S: Copy, T: Copy + Default>(
    values: &[S],
    rows: &Range<usize>,
    valid: Option<Bits<'_>>,
    to: impl Fn(S) -> Option<T>,
    out: &mut impl Put<T>,
) -> Result<(), Misfit> {
    let values = within(values, rows)?;
    let mut misfits = false;
    out.put(values.iter().map(|value| {
        let value = to(*value);
        misfits |= value.is_none();
        value.unwrap_or_default()
    }));
    let there = |row: usize| valid.is_none_or(|valid| valid.at(row));
    let mut all = rows.clone().zip(values);
    if misfits && all.any(|(row, value)| to(*value).is_none() && there(row)) {
        return Err(Misfit::Range);
    }
    Ok(())
}

/// Appends integers of any width, each converted.
macro_rules! any_width {
    ($values:expr, $rows:expr, $valid:expr, $out:expr, |$value:ident| $to:expr) => {
        match $values {
            Values::I8(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::I16(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::I32(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::I64(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::U8(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::U16(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::U32(all) => integers(all, $rows, $valid, |$value| $to, $out),
            Values::U64(all) => integers(all, $rows, $valid, |$value| $to, $out),
            _ => Err(Misfit::Kind),
        }
    };
}

/// What an integer of any width can be converted to.
pub(crate) trait Whole:
    Copy
    + Default
    + TryFrom<i8>
    + TryFrom<i16>
    + TryFrom<i32>
    + TryFrom<i64>
    + TryFrom<u8>
    + TryFrom<u16>
    + TryFrom<u32>
    + TryFrom<u64>
{
}
macro_rules! whole {
    ($($t:ty)*) => {$(impl Whole for $t {})*};
}
whole!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// Appends integers of a field's own type.
pub(crate) fn whole<T: Whole>(
    part: Part<'_>,
    rows: &Range<usize>,
    out: &mut impl Put<T>,
) -> Result<(), Misfit> {
    any_width!(part.values, rows, part.valid, out, |value| T::try_from(
        value
    )
    .ok())
}

/// Appends integers as expressions see them: those of a range that may end above `i64::MAX`.
pub(crate) fn seen(
    part: Part<'_>,
    rows: &Range<usize>,
    range: (i128, i128),
    out: &mut impl Put<i64>,
) -> Result<(), Misfit> {
    let fits = |value: i128| {
        let inside = range.0 <= value && value <= range.1;
        inside.then_some(value.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    };
    match (part.values, range) {
        // The common case, without wide arithmetic.
        (Values::I64(all), (low, high))
            if low <= i64::MIN.into() && high == i128::from(i64::MAX) =>
        {
            out.put(within(all, rows)?.iter().copied());
            Ok(())
        }
        _ => any_width!(part.values, rows, part.valid, out, |value| fits(
            value.into()
        )),
    }
}

/// Appends reals.
pub(crate) fn reals(
    part: Part<'_>,
    rows: &Range<usize>,
    out: &mut impl Put<f64>,
) -> Result<(), Misfit> {
    match part.values {
        Values::F64(all) => out.put(within(all, rows)?.iter().copied()),
        Values::F32(all) => out.put(within(all, rows)?.iter().map(|real| f64::from(*real))),
        _ => return Err(Misfit::Kind),
    }
    Ok(())
}

/// Appends conditions.
pub(crate) fn bools(
    part: Part<'_>,
    rows: &Range<usize>,
    out: &mut Vec<bool>,
) -> Result<(), Misfit> {
    match part.values {
        Values::Bool(bits) => bits.unpack(rows.clone(), out),
        _ => Err(Misfit::Kind),
    }
}

/// Appends a number for each text, by `code`, which is asked once for a text of a short list.
fn coded(
    part: Part<'_>,
    rows: &Range<usize>,
    out: &mut Vec<u32>,
    mut code: impl FnMut(&str) -> Option<u32>,
) -> Result<(), Misfit> {
    let there = |row: usize| part.valid.is_none_or(|valid| valid.at(row));
    let start = out.len();
    match part.values {
        Values::Texts(all) => {
            let texts = rows.clone().zip(within(all, rows)?);
            out.extend(texts.map_while(|(row, text)| match there(row) {
                true => code(text),
                false => Some(0),
            }));
        }
        Values::Codes(all, texts) => {
            let places = within(all, rows)?;
            let mut known: Vec<Option<u32>> = vec![None; texts.len().min(2 * rows.len())];
            let mut find = |place: u32| {
                let text = texts.get(place as usize)?;
                match known.get_mut(place as usize) {
                    Some(Some(known)) => Some(*known),
                    Some(new) => {
                        *new = code(text);
                        *new
                    }
                    None => code(text),
                }
            };
            if places
                .iter()
                .zip(rows.clone())
                .any(|(place, row)| *place as usize >= texts.len() && there(row))
            {
                return Err(Misfit::Length);
            }
            let places = rows.clone().zip(places);
            out.extend(places.map_while(|(row, place)| match there(row) {
                true => find(*place),
                false => Some(0),
            }));
        }
        _ => return Err(Misfit::Kind),
    }
    match out.len() - start == rows.len() {
        true => Ok(()),
        false => Err(Misfit::Key),
    }
}

/// Appends the codes of texts.
pub(crate) fn codes(
    part: Part<'_>,
    rows: &Range<usize>,
    dictionary: &mut Dictionary,
    out: &mut Vec<u32>,
) -> Result<(), Misfit> {
    coded(part, rows, out, |text| Some(dictionary.code(text)))
}

/// Appends the places of keys, which are texts here.
pub(crate) fn ordinals(
    part: Part<'_>,
    rows: &Range<usize>,
    keys: &[impl AsRef<str>],
    out: &mut Vec<u32>,
) -> Result<(), Misfit> {
    let mut last = 0;
    coded(part, rows, out, |text| {
        if keys.get(last).is_none_or(|key| key.as_ref() != text) {
            last = keys.iter().position(|key| key.as_ref() == text)?;
        }
        Some(last as u32)
    })
}

/// The coordinates of the vectors of some rows, if they have so many each.
pub(crate) fn coordinates<'a>(
    part: Part<'a>,
    rows: &Range<usize>,
    width: usize,
) -> Result<&'a [f64], Misfit> {
    match part.values {
        Values::Vectors(all, of) if of == width => {
            let end = rows.end.checked_mul(width).ok_or(Misfit::Length)?;
            within(all, &(rows.start * width..end))
        }
        _ => Err(Misfit::Kind),
    }
}

/// Appends vectors.
pub(crate) fn vectors<const D: usize>(
    part: Part<'_>,
    rows: &Range<usize>,
    mut push: impl FnMut([f64; D]),
) -> Result<(), Misfit> {
    let reals = coordinates(part, rows, D)?;
    if D == 0 {
        rows.clone().for_each(|_| push([0.0; D]));
    }
    reals
        .as_chunks::<D>()
        .0
        .iter()
        .for_each(|vector| push(*vector));
    Ok(())
}
