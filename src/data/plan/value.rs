//! The leaves of a plan: columns and public constants, with their types.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::borrow::Cow;

use crate::data::calendar::{self, Date, Timestamp};

/// A column of the record: its field's name and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// The field's name.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: ValueKind,
    /// Whether values may be missing.
    pub nullable: bool,
}

/// The kind of value that a column or an expression has.
///
/// Its names are not those of the types in [`expr`](crate::expr): rustc would print longer paths of these in every
/// compile error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueKind {
    /// Whole numbers, 64 bits.
    Integer,
    /// Reals on a grid, as whole numbers of steps. Clamping a real makes them; no column holds them.
    Stepped,
    /// 64-bit floating point.
    Float,
    /// Conditions.
    Boolean,
    /// Texts.
    Textual,
    /// One of that many public keys, by its place.
    Key(u32),
    /// Vectors of that many reals.
    Floats(u32),
    /// Vectors of that many whole steps. Clipping a vector makes them; no column holds them.
    SteppedVector(u32),
    /// Dates, as days since 1970.
    Calendar,
    /// Times, as microseconds since 1970.
    Clock,
    /// Decimals with that many digits after the point, as whole numbers of steps.
    Decimals(u32),
    /// A key of several parts. A tuple of keys makes them; no column holds them.
    Tuple,
}

/// A public constant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Constant {
    /// A whole number.
    Integer(i64),
    /// A real.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A text.
    Textual(String),
    /// A key of a category: its place and its name.
    Key(u32, Cow<'static, str>),
    /// A date, as days since 1970.
    Day(i32),
    /// A time, as microseconds since 1970.
    Moment(i64),
}

impl Constant {
    /// Reals by their bits, so that NaN equals itself and 0 differs from −0: what is equal here can
    /// be computed once for both.
    fn key(&self) -> (u8, u64, &str) {
        match self {
            Constant::Integer(value) => (0, *value as u64, ""),
            Constant::Float(value) => (1, value.to_bits(), ""),
            Constant::Boolean(value) => (2, u64::from(*value), ""),
            Constant::Textual(value) => (3, 0, value),
            Constant::Key(place, name) => (4, u64::from(*place), name),
            Constant::Day(days) => (5, *days as u64, ""),
            Constant::Moment(micros) => (6, *micros as u64, ""),
        }
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Constant {}
impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Integer(value) => write!(f, "{value:?}"),
            Constant::Float(value) => write!(f, "{value:?}"),
            Constant::Boolean(value) => write!(f, "{value:?}"),
            Constant::Textual(value) => write!(f, "{value:?}"),
            Constant::Key(_, name) => f.write_str(name),
            Constant::Day(days) => calendar::print_day(*days, f),
            Constant::Moment(micros) => calendar::print_moment(*micros, f),
        }
    }
}

macro_rules! from {
    ($($t:ty, |$value:ident| $constant:expr;)*) => {$(
        impl From<$t> for Constant {
            fn from($value: $t) -> Self {
                $constant
            }
        }
    )*};
}
from! {
    i64, |value| Constant::Integer(value);
    u32, |value| Constant::Integer(value.into());
    usize, |value| Constant::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    f64, |value| Constant::Float(value);
    bool, |value| Constant::Boolean(value);
    Date, |value| Constant::Day(value.day_number());
    Timestamp, |value| Constant::Moment(value.micros());
    String, |value| Constant::Textual(value);
    &str, |value| Constant::Textual(value.into());
}
