//! The sealed set of field types, and the columns that hold them.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Range;

use super::column::{Bad, Column, Nulls, Parse, Plain, Stored, TextCode};
use super::dictionary::{Dictionary, TextCells};
use super::spelled::Spelling;
use super::{Category, spelled};
use crate::data::engine::{Buffer, Lane};
use crate::data::plan::ValueKind;
use crate::data::source::{self, Part, Put};
use crate::data::{
    Bool, CHUNK, Categorical, Date, Days, Decimal, Fixed, Int, Kind, Moments, Real, Text,
    Timestamp, Vector,
};
use crate::error::Misfit;

mod sealed {
    pub trait FieldValue {}
}

/// A type that a record's field may have. Sealed: integers up to 64 bits, `f64`, `bool`,
/// `String`, [`Date`], [`Timestamp`], [`Decimal`], `[f64; D]`, categories, and `Option` of these.
///
/// Integers are read as `i64`; an unsigned value above `i64::MAX` reads as `i64::MAX`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a record",
    label = "not a field type",
    note = "fields are integers up to 64 bits, `f64`, `bool`, `String`, `privet::Date`, `privet::Timestamp`, \
            `privet::Decimal<2>`, `[f64; D]`, enums with `#[derive(Category)]`, or `Option` of these"
)]
pub trait FieldValue: sealed::FieldValue + Sized + 'static {
    /// Its column.
    #[doc(hidden)]
    type Column: Column;
    /// Moves a value into its column.
    #[doc(hidden)]
    fn store(self, column: &mut Self::Column, dictionary: &mut Dictionary);
}

/// A field value that can name a person. Sealed with [`FieldValue`].
///
/// `u64` is not one: its values above `i64::MAX` are all read as one value, and two people must never
/// be read as one person.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot name a person",
    label = "not an identifier",
    note = "use an integer up to 32 bits, an `i64` or a `String`; not an `Option`, since every row must \
            say whose it is"
)]
pub trait PersonValue: FieldValue {}
macro_rules! person {
    ($($t:ty)*) => {$(impl PersonValue for $t {})*};
}
person!(i8 i16 i32 i64 isize u8 u16 u32 String);

/// A field value that may be missing: what `Option` may hold. Sealed with [`FieldValue`].
#[doc(hidden)]
pub trait Single: FieldValue {
    type Stored: Parse;
    fn stored(self, dictionary: &mut Dictionary) -> Self::Stored;
}

/// A value that may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Null<T> {
    pub valid: bool,
    pub value: T,
}

macro_rules! single {
    ([$($g:tt)*] $t:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($g)*> sealed::FieldValue for $t {}
        #[diagnostic::do_not_recommend]
        impl<$($g)*> FieldValue for $t {
            type Column = Plain<<$t as Single>::Stored>;
            fn store(self, column: &mut Self::Column, dictionary: &mut Dictionary) {
                let value = self.stored(dictionary);
                column.0.push(value);
            }
        }
    };
}

macro_rules! number {
    ($($t:ty => $kind:ty, $seen:expr, $lane:expr;)*) => {$(
        single!([] $t);
        impl Single for $t {
            type Stored = $t;
            fn stored(self, _: &mut Dictionary) -> $t {
                self
            }
        }
        impl Stored for $t {
            type Kind = $kind;
            #[inline(always)]
            fn seen(self) -> <$kind as Kind>::Value {
                let seen: fn($t) -> <$kind as Kind>::Value = $seen;
                seen(self)
            }
            fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>> {
                let lane: for<'b> fn(&'b [$t; CHUNK], &'b mut Buffer) -> Lane<'b> = $lane;
                Some(lane(values, buffer))
            }
        }
    )*};
}

number! {
    i8 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    i16 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    i32 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    i64 => Int, |v| v, |values, _| Lane::Int(values);
    isize => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    u8 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    u16 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    u32 => Int, |v| v as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    u64 => Int, |v| v.min(i64::MAX as u64) as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    usize => Int, |v| v.min(i64::MAX as usize) as i64, |values, buffer| buffer.integers(values, |v| v.seen());
    f64 => Real, |v| v, |values, _| Lane::Real(values);
    bool => Bool, |v| v, |values, _| Lane::Bool(values);
    Date => Days, |v| v.days(), |values, buffer| buffer.integers(values, |v| v.seen());
    Timestamp => Moments, |v| v.micros(), |values, buffer| buffer.integers(values, |v| v.seen());
}

impl Parse for f64 {
    fn parse(cell: &str) -> Option<f64> {
        cell.trim().parse().ok()
    }
    #[inline(always)]
    fn quick(cell: Spelling<'_>) -> Option<f64> {
        spelled::real(cell)
    }
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), Misfit> {
        source::reals(part, rows, out)
    }
}

/// Values that an engine has as whole numbers of a range.
macro_rules! parse_numbered {
    ($([$($g:tt)*] $t:ty, $range:expr, |$number:ident| $make:expr, |$cell:ident| $quick:expr;)*) => {$(
        impl<$($g)*> Parse for $t {
            const RANGE: Option<(i128, i128)> = Some($range);
            fn parse(cell: &str) -> Option<Self> {
                cell.trim().parse().ok()
            }
            #[inline(always)]
            fn quick($cell: Spelling<'_>) -> Option<Self> {
                $quick
            }
            fn fill(
                out: &mut impl Put<Self>,
                part: Part<'_>,
                rows: &Range<usize>,
                _: &mut Dictionary,
            ) -> Result<(), Misfit> {
                let mut numbers = Vec::with_capacity(rows.len());
                source::seen(part, rows, $range, &mut numbers)?;
                out.put(numbers.into_iter().map(|$number| $make));
                Ok(())
            }
        }
    )*};
}
parse_numbered! {
    [] Date, Date::RANGE, |days| Date::of_days(days), |cell| Date::read(cell.bytes);
    [] Timestamp, Timestamp::RANGE, |micros| Timestamp::of_micros(micros), |cell| Timestamp::read(cell.bytes);
    [const PLACES: u32] Decimal<PLACES>, (i64::MIN as i128, i64::MAX as i128), |steps| Decimal::from_steps(steps), |cell| spelled::decimal(cell, PLACES).map(Decimal::from_steps);
}

macro_rules! parse_integer {
    ($($t:ty)*) => {$(
        impl Parse for $t {
            const RANGE: Option<(i128, i128)> = Some((<$t>::MIN as i128, <$t>::MAX as i128));
            fn parse(cell: &str) -> Option<$t> {
                whole(cell.trim()).parse().ok()
            }
            #[inline(always)]
            fn quick(cell: Spelling<'_>) -> Option<$t> {
                // `-0` is not spelled like a number without a sign.
                let signed = <$t>::MIN != 0 || !cell.bytes.starts_with(b"-");
                spelled::whole(cell).filter(|_| signed)?.try_into().ok()
            }
            fn fill(
                out: &mut impl Put<Self>,
                part: Part<'_>,
                rows: &Range<usize>,
                _: &mut Dictionary,
            ) -> Result<(), Misfit> {
                source::whole(part, rows, out)
            }
        }
    )*};
}
parse_integer!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// Without zeros after a point: tables with nulls often write the integer 2 as `2.0`.
fn whole(cell: &str) -> &str {
    match cell.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
        _ => cell,
    }
}

impl Parse for bool {
    fn parse(cell: &str) -> Option<bool> {
        let cell = cell.trim();
        let is = |name: &&str| cell.eq_ignore_ascii_case(name);
        let yes = ["true", "t", "yes", "y", "1", "1.0"].iter().any(is);
        let no = ["false", "f", "no", "n", "0", "0.0"].iter().any(is);
        (yes | no).then_some(yes)
    }
    #[inline(always)]
    fn quick(cell: Spelling<'_>) -> Option<bool> {
        spelled::answer(cell)
    }
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), Misfit> {
        let mut bools = Vec::with_capacity(rows.len());
        source::bools(part, rows, &mut bools)?;
        out.put(bools.into_iter());
        Ok(())
    }
}

single!([const PLACES: u32] Decimal<PLACES>);
impl<const PLACES: u32> Single for Decimal<PLACES> {
    type Stored = Decimal<PLACES>;
    fn stored(self, _: &mut Dictionary) -> Decimal<PLACES> {
        self
    }
}
impl<const PLACES: u32> Stored for Decimal<PLACES> {
    type Kind = Fixed;
    const STEPS: i64 = Decimal::<PLACES>::STEPS;
    const PLAN: ValueKind = ValueKind::Decimals(PLACES);
    #[inline(always)]
    fn seen(self) -> i64 {
        self.steps()
    }
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        Some(buffer.integers(values, |value| value.steps()))
    }
}
single!([] String);
impl Single for String {
    type Stored = TextCode;
    fn stored(self, dictionary: &mut Dictionary) -> TextCode {
        TextCode(dictionary.code(&self))
    }
}
impl Stored for TextCode {
    type Kind = Text;
    #[inline(always)]
    fn seen(self) -> u32 {
        self.0
    }
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        Some(buffer.codes(values, |value| value.0))
    }
}
impl Parse for TextCode {
    const TEXT: bool = true;
    #[inline(always)]
    fn coded(self, codes: &[u32]) -> Self {
        // A null has no text; what stands in its place does not matter.
        TextCode(codes.get(self.0 as usize).copied().unwrap_or_default())
    }
    /// It takes a look at other texts: see `read`.
    fn parse(_: &str) -> Option<Self> {
        None
    }
    #[inline(always)]
    fn read(cell: Spelling<'_>, texts: &mut TextCells) -> Result<Self, Bad> {
        texts.add(cell).map(TextCode).ok_or(Bad::Encoding)
    }
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        dictionary: &mut Dictionary,
    ) -> Result<(), Misfit> {
        let mut codes = Vec::with_capacity(rows.len());
        source::codes(part, rows, dictionary, &mut codes)?;
        out.put(codes.into_iter().map(TextCode));
        Ok(())
    }
}

single!([const D: usize] [f64; D]);
impl<const D: usize> Single for [f64; D] {
    type Stored = Point<D>;
    fn stored(self, _: &mut Dictionary) -> Point<D> {
        Point(self)
    }
}

/// A stored vector.
#[derive(Clone, Copy)]
pub struct Point<const D: usize>([f64; D]);

impl<const D: usize> Default for Point<D> {
    fn default() -> Self {
        Point([0.0; D])
    }
}
impl<const D: usize> Stored for Point<D> {
    type Kind = Vector<D>;
    #[inline(always)]
    fn seen(self) -> [f64; D] {
        self.0
    }
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        Some(buffer.vectors(values, |value| value.0))
    }
}
impl<const D: usize> Parse for Point<D> {
    /// Numbers separated by spaces or semicolons.
    fn parse(cell: &str) -> Option<Self> {
        let mut parts = cell.split([' ', ';']).filter(|part| !part.is_empty());
        let mut point = [0.0; D];
        for value in &mut point {
            *value = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(Point(point))
    }
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), Misfit> {
        let mut points = Vec::with_capacity(rows.len());
        source::vectors(part, rows, |point| points.push(Point(point)))?;
        out.put(points.into_iter());
        Ok(())
    }
}

single!([C: Category] C);
impl<C: Category> Single for C {
    type Stored = Ordinal<C>;
    fn stored(self, _: &mut Dictionary) -> Ordinal<C> {
        // PRIVACY: the category is a user's type; it is looked at by derived code once and never
        // dropped, so that no `Drop` of the user's type sees it.
        let key = ManuallyDrop::new(self);
        Ordinal::new(C::ordinal(&key))
    }
}

/// A stored category: its ordinal.
pub struct Ordinal<C>(u32, PhantomData<fn() -> C>);

impl<C: Category> Ordinal<C> {
    fn new(ordinal: u32) -> Self {
        Ordinal(ordinal.min(C::NAMES.len() as u32 - 1), PhantomData)
    }
}
impl<C> Clone for Ordinal<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C> Copy for Ordinal<C> {}
impl<C> Default for Ordinal<C> {
    fn default() -> Self {
        Ordinal(0, PhantomData)
    }
}
impl<C: Category> Stored for Ordinal<C> {
    type Kind = Categorical<C>;
    #[inline(always)]
    fn seen(self) -> u32 {
        self.0
    }
    fn lane<'a>(values: &'a [Self; CHUNK], buffer: &'a mut Buffer) -> Option<Lane<'a>> {
        Some(buffer.codes(values, |value| value.0))
    }
}
impl<C: Category> Parse for Ordinal<C> {
    fn parse(cell: &str) -> Option<Self> {
        let cell = cell.trim();
        let ordinal = C::NAMES.iter().position(|name| *name == cell)?;
        Some(Ordinal::new(ordinal as u32))
    }
    #[inline(always)]
    fn quick(cell: Spelling<'_>) -> Option<Self> {
        let mut names = C::NAMES.iter();
        let ordinal = names.position(|name| name.as_bytes() == cell.bytes)?;
        Some(Ordinal::new(ordinal as u32))
    }
    const KEYS: &'static [&'static str] = C::NAMES;
    fn fill(
        out: &mut impl Put<Self>,
        part: Part<'_>,
        rows: &Range<usize>,
        _: &mut Dictionary,
    ) -> Result<(), Misfit> {
        let mut places = Vec::with_capacity(rows.len());
        source::ordinals(part, rows, C::NAMES, &mut places)?;
        out.put(places.into_iter().map(Ordinal::new));
        Ok(())
    }
}

impl<T: Single> sealed::FieldValue for Option<T> {}
impl<T: Single> FieldValue for Option<T> {
    type Column = Nulls<T::Stored>;
    fn store(self, column: &mut Self::Column, dictionary: &mut Dictionary) {
        column.valid.push(self.is_some());
        column.values.push(match self {
            Some(value) => value.stored(dictionary),
            None => T::Stored::default(),
        });
    }
}
