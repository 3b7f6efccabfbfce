//! Decimal numbers of a fixed number of places, exact.

use core::fmt;
use core::str::FromStr;

/// A number with `PLACES` digits after the point, exact: a field of a record, such as an amount of money.
///
/// Its grid is 10^`PLACES` steps per unit, so `clamp` rounds nothing. A file spells it `-12.50`, with at most
/// `PLACES` digits after the point (zeros do not count). Nothing is rounded when it is read: `0.005` is not a
/// `Decimal<2>`.
///
/// ```
/// use privet::Decimal;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Order { price: Decimal<2> }
///
/// let total = rows::<Order>()
///     .filter(|o| o.price.real().ge(0.10))
///     .sum(|o| o.price.clamp::<0, 500>()); // in units, exact to the cent
/// assert_eq!(total.term().to_string(), "sum(clamp(price, 0, 500), where(real(price) >= 0.1))");
/// assert_eq!("12.5".parse(), Ok(Decimal::<2>::from_steps(1250)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Decimal<const PLACES: u32>(i64);

/// A text that is not a decimal number of so few places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BadDecimal;

impl fmt::Display for BadDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal number of so few places; nothing is rounded")
    }
}
/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for BadDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl core::error::Error for BadDecimal {}

impl<const PLACES: u32> Decimal<PLACES> {
    /// Steps per unit.
    pub(crate) const STEPS: i64 = {
        assert!(
            1 <= PLACES && PLACES <= 9,
            "a `Decimal` has 1 to 9 places; use an integer if there are none"
        );
        10_i64.pow(PLACES)
    };

    /// The number that is this many steps: cents, if there are two places.
    #[must_use]
    pub const fn from_steps(steps: i64) -> Self {
        Decimal(steps)
    }

    /// How many steps it is.
    #[must_use]
    pub const fn steps(self) -> i64 {
        self.0
    }
}

impl<const PLACES: u32> FromStr for Decimal<PLACES> {
    type Err = BadDecimal;
    fn from_str(text: &str) -> Result<Self, BadDecimal> {
        read::<PLACES>(text).map(Decimal).ok_or(BadDecimal)
    }
}

fn read<const PLACES: u32>(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !all(whole) || !all(part) {
        return None;
    }
    let part = part.trim_end_matches('0');
    let missing = (PLACES as usize).checked_sub(part.len())?;
    let zeros = core::iter::repeat_n(b'0', missing);
    let mut steps = 0_i64;
    for digit in whole.bytes().chain(part.bytes()).chain(zeros) {
        // Downwards, where there is room for one more than upwards.
        steps = steps
            .checked_mul(10)?
            .checked_sub(i64::from(digit - b'0'))?;
    }
    if negative {
        Some(steps)
    } else {
        steps.checked_neg()
    }
}

impl<const PLACES: u32> fmt::Display for Decimal<PLACES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (steps, unit) = (self.0.unsigned_abs(), Self::STEPS.unsigned_abs());
        let places = PLACES as usize;
        write!(f, "{sign}{}.{:0places$}", steps / unit, steps % unit)
    }
}
impl<const PLACES: u32> fmt::Debug for Decimal<PLACES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::as_text! { [const PLACES: u32] Decimal<PLACES> }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_exactly_or_not_at_all() {
        for (text, steps) in [
            ("0", Some(0)),
            ("-0.00", Some(0)),
            ("12.5", Some(1250)),
            ("+12.50", Some(1250)),
            ("-0.01", Some(-1)),
            ("0.0100000", Some(1)),
            ("92233720368547758.07", Some(i64::MAX)),
            ("-92233720368547758.08", Some(i64::MIN)),
            ("92233720368547758.08", None),
            ("0.005", None),
            ("1.", None),
            (".5", None),
            ("", None),
            ("-", None),
            ("1e3", None),
            ("1,5", None),
            ("--1", None),
            (" 1", None),
        ] {
            let read = text.parse::<Decimal<2>>().ok().map(Decimal::steps);
            assert_eq!(read, steps, "{text}");
        }
    }

    #[test]
    fn numbers_print_as_they_are_read() {
        for steps in [0, 1, -1, 99, -100, 1250, i64::MAX, i64::MIN] {
            let number = Decimal::<2>::from_steps(steps);
            assert_eq!(number.to_string().parse(), Ok(number));
        }
        assert_eq!(Decimal::<3>::from_steps(-5).to_string(), "-0.005");
    }
}
