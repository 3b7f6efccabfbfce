//! Dates and times: days and microseconds since 1970, in the Gregorian calendar, even before it began.

use core::fmt;
use core::str::FromStr;

/// A day of the Gregorian calendar: a field of a record, or a public constant.
///
/// Years are 0001 to 9999. A file spells it `2013-01-31`, and nothing else is read as a date.
///
/// ```
/// use privet::Date;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Visit { admitted: Date, discharged: Option<Date> }
///
/// let winter = rows::<Visit>()
///     .filter(|v| v.admitted.ge(Date::new(2013, 12, 21)) & v.admitted.lt(Date::new(2014, 3, 20)))
///     .count();
/// let by_month = rows::<Visit>().histogram(|v| v.admitted.month()); // 12 cells
/// let stays = rows::<Visit>().sum(|v| v.discharged.days_since(v.admitted).clamp::<0, 60>());
/// # let _ = (winter, by_month, stays);
/// assert_eq!("2013-01-31".parse(), Ok(Date::new(2013, 1, 31)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Date(i32);

/// A moment to the microsecond: a field of a record, or a public constant.
///
/// A file spells it `2013-01-31T23:59` or `2013-01-31 23:59:59.123456`, with `Z`, `+01:00` or nothing at the
/// end. An offset is subtracted, so that the hour is that of UTC. Without one the time is taken as it is.
///
/// ```
/// use privet::{Date, Timestamp};
///
/// let noon = Timestamp::new(Date::new(2013, 1, 31), 12, 0, 0);
/// assert_eq!("2013-01-31T13:00:00+01:00".parse(), Ok(noon));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(i64);

/// A text that is not spelled as a date or a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BadDate;

impl fmt::Display for BadDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date; dates are `2013-01-31`, times are `2013-01-31T23:59:59`")
    }
}
/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for BadDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl core::error::Error for BadDate {}

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The day of a year that begins on 1 March, counted from a 1 March that is also the first of an era of 400 years.
const fn day_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day. Divisions are by constants, so that they take the same time for every day.
#[inline(always)]
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = shifted + if shifted < 10 { 3 } else { -9 };
    (era * 400 + year + (month <= 2) as i64, month, day)
}

#[inline(always)]
pub(crate) const fn year(days: i64) -> i64 {
    civil(days).0
}

#[inline(always)]
pub(crate) const fn month(days: i64) -> i64 {
    civil(days).1
}

#[inline(always)]
pub(crate) const fn day(days: i64) -> i64 {
    civil(days).2
}

/// 1 for Monday to 7 for Sunday. Day 0 was a Thursday.
#[inline(always)]
pub(crate) const fn weekday(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// The hour of a day, 0 to 23.
#[inline(always)]
pub(crate) const fn hour(micros: i64) -> i64 {
    micros.rem_euclid(DAY) / HOUR
}

/// The minute of an hour, 0 to 59.
#[inline(always)]
pub(crate) const fn minute(micros: i64) -> i64 {
    micros.rem_euclid(HOUR) / MINUTE
}

/// The day of a moment.
#[inline(always)]
pub(crate) const fn date(micros: i64) -> i64 {
    micros.div_euclid(DAY)
}

impl Date {
    /// The day of that year, month and day of the month.
    ///
    /// # Panics
    ///
    /// If there is no such day, as in `Date::new(2013, 2, 29)`, or the year is not 1 to 9999. In a constant, this
    /// is a compile error. [`checked`](Date::checked) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub const fn new(year: i32, month: u32, day: u32) -> Self {
        match Self::checked(year, month, day) {
            Some(date) => date,
            None => panic!("no such day: `Date::new(year, month, day)` of the years 1 to 9999"),
        }
    }

    /// The same day, or `None` if there is no such day: for numbers that are known at run time only.
    ///
    /// ```
    /// use privet::Date;
    ///
    /// assert_eq!(Date::checked(2024, 2, 29), Some(Date::new(2024, 2, 29)));
    /// assert_eq!(Date::checked(2023, 2, 30), None);
    /// ```
    #[must_use]
    pub const fn checked(year: i32, month: u32, day: u32) -> Option<Self> {
        Self::of_parts(year as i64, month as i64, day as i64)
    }

    const fn of_parts(year: i64, month: i64, day: i64) -> Option<Self> {
        if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
            return None;
        }
        let days = day_of(year, month, day);
        // 30 February is 1 or 2 March.
        if day > 28 && civil(days).1 != month {
            return None;
        }
        Some(Date(days as i32))
    }

    /// The least and the greatest number of days.
    pub(crate) const RANGE: (i128, i128) = (
        Date::new(1, 1, 1).days() as i128,
        Date::new(9999, 12, 31).days() as i128,
    );

    /// The day that many days after 1 January 1970; what is out of range becomes the nearest.
    pub(crate) fn of_days(days: i64) -> Self {
        let (low, high) = Date::RANGE;
        Date(i128::from(days).clamp(low, high) as i32)
    }

    pub(crate) const fn day_number(self) -> i32 {
        self.0
    }

    /// Days since 1 January 1970; negative before.
    #[must_use]
    pub const fn days(self) -> i64 {
        self.0 as i64
    }
}

impl Timestamp {
    /// The least and the greatest number of microseconds.
    pub(crate) const RANGE: (i128, i128) = (
        Date::RANGE.0 * DAY as i128,
        (Date::RANGE.1 + 1) * DAY as i128 - 1,
    );

    /// The moment that many microseconds after the beginning of 1970; what is out of range becomes the
    /// nearest.
    pub(crate) fn of_micros(micros: i64) -> Self {
        let (low, high) = Timestamp::RANGE;
        Timestamp(i128::from(micros).clamp(low, high) as i64)
    }

    /// The moment of that day, hour, minute and second.
    ///
    /// # Panics
    ///
    /// If there is no such time of day. [`checked`](Timestamp::checked) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub const fn new(date: Date, hour: u32, minute: u32, second: u32) -> Self {
        match Self::checked(date, hour, minute, second) {
            Some(moment) => moment,
            None => panic!("no such time: `Timestamp::new(date, hour, minute, second)`"),
        }
    }

    /// The same moment, or `None` if there is no such time of day: for numbers that are known at run time only.
    ///
    /// ```
    /// use privet::{Date, Timestamp};
    ///
    /// let day = Date::new(2024, 2, 29);
    /// assert_eq!(Timestamp::checked(day, 23, 59, 59), Some(Timestamp::new(day, 23, 59, 59)));
    /// assert_eq!(Timestamp::checked(day, 24, 0, 0), None);
    /// ```
    #[must_use]
    pub const fn checked(date: Date, hour: u32, minute: u32, second: u32) -> Option<Self> {
        if hour >= 24 || minute >= 60 || second >= 60 {
            return None;
        }
        let seconds = hour as i64 * 3600 + minute as i64 * 60 + second as i64;
        Some(Timestamp(date.days() * DAY + seconds * SECOND))
    }

    /// The moment that many microseconds after the beginning of 1970.
    ///
    /// # Panics
    ///
    /// If it is not in the years 1 to 9999.
    #[must_use]
    #[track_caller]
    pub const fn from_micros(micros: i64) -> Self {
        assert!(in_range(micros), "a moment of the years 1 to 9999");
        Timestamp(micros)
    }

    /// Microseconds since the beginning of 1970; negative before.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }
}

const fn in_range(micros: i64) -> bool {
    let year = year(date(micros));
    1 <= year && year <= 9999
}

/// `N` digits, as a number.
fn digits<const N: usize>(text: &[u8]) -> Option<(i64, &[u8])> {
    let (digits, rest) = text.split_at_checked(N)?;
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = 10 * value + i64::from(digit - b'0');
    }
    Some((value, rest))
}

fn read_date(text: &[u8]) -> Option<(Date, &[u8])> {
    let (year, rest) = digits::<4>(text)?;
    let (month, rest) = digits::<2>(rest.strip_prefix(b"-")?)?;
    let (day, rest) = digits::<2>(rest.strip_prefix(b"-")?)?;
    Some((Date::of_parts(year, month, day)?, rest))
}

/// `HH:MM`, in minutes.
fn read_minutes(text: &[u8]) -> Option<(i64, &[u8])> {
    let (hour, rest) = digits::<2>(text)?;
    let (minute, rest) = digits::<2>(rest.strip_prefix(b":")?)?;
    (hour < 24 && minute < 60).then_some((60 * hour + minute, rest))
}

impl Date {
    /// A date, from all bytes of its text.
    pub(crate) fn read(text: &[u8]) -> Option<Date> {
        let (date, rest) = read_date(text)?;
        rest.is_empty().then_some(date)
    }
}

impl Timestamp {
    /// A time, from all bytes of its text.
    pub(crate) fn read(text: &[u8]) -> Option<Timestamp> {
        read_moment(text)
    }
}

fn read_moment(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = read_date(text)?;
    let rest = rest
        .strip_prefix(b"T")
        .or_else(|| rest.strip_prefix(b" "))?;
    let (minutes, mut rest) = read_minutes(rest)?;
    let mut micros = date.days() * DAY + minutes * MINUTE;
    if let Some(seconds) = rest.strip_prefix(b":") {
        let (second, after) = digits::<2>(seconds)?;
        if second > 59 {
            return None;
        }
        micros += second * SECOND;
        rest = after;
        if let Some(mut fraction) = rest.strip_prefix(b".") {
            let length = fraction.len();
            let mut unit = SECOND;
            while let Some((digit, after)) = digits::<1>(fraction) {
                // Digits beyond a microsecond are cut off.
                unit /= 10;
                micros += digit * unit;
                fraction = after;
            }
            if fraction.len() == length {
                return None;
            }
            rest = fraction;
        }
    }
    let offset = match rest {
        b"" | b"Z" => 0,
        [sign @ (b'+' | b'-'), offset @ ..] => {
            let (minutes, end) = read_minutes(offset)?;
            if !end.is_empty() {
                return None;
            }
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let micros = micros - offset * MINUTE;
    in_range(micros).then_some(Timestamp(micros))
}

impl FromStr for Date {
    type Err = BadDate;
    fn from_str(text: &str) -> Result<Self, BadDate> {
        Date::read(text.as_bytes()).ok_or(BadDate)
    }
}

impl FromStr for Timestamp {
    type Err = BadDate;
    fn from_str(text: &str) -> Result<Self, BadDate> {
        Timestamp::read(text.as_bytes()).ok_or(BadDate)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.days());
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute) = (hour(self.0), minute(self.0));
        let micros = self.0.rem_euclid(MINUTE);
        let (second, micros) = (micros / SECOND, micros % SECOND);
        let date = Date(date(self.0) as i32);
        write!(f, "{date}T{hour:02}:{minute:02}:{second:02}")?;
        if micros > 0 {
            write!(f, ".{micros:06}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::as_text! { [] Date }
#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::as_text! { [] Timestamp }

/// What a plan prints of a day, whatever the number: a plan may come from elsewhere.
pub(crate) fn print_day(days: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", Date(days))
}

/// What a plan prints of a moment.
pub(crate) fn print_moment(micros: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", Timestamp(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Day by day through the whole range, against a calendar that counts by hand.
    #[test]
    fn every_day_from_year_1_to_9999() {
        let leap = |y: i64| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
        let (mut days, mut week) = (Date::new(1, 1, 1).days(), 1); // a Monday
        for y in 1..=9999_i64 {
            for m in 1..=12 {
                let length = match m {
                    2 => 28 + i64::from(leap(y)),
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                for d in 1..=length {
                    assert_eq!(civil(days), (y, m, d));
                    assert_eq!(weekday(days), week);
                    assert_eq!(Date::of_parts(y, m, d), Some(Date(days as i32)));
                    days += 1;
                    week = week % 7 + 1;
                }
                assert_eq!(Date::of_parts(y, m, length + 1), None);
            }
        }
        assert_eq!(Date::new(1970, 1, 1).days(), 0);
        assert_eq!(Date::new(1969, 12, 31).days(), -1);
    }

    #[test]
    fn texts_that_are_no_dates() {
        for text in [
            "",
            "2013",
            "2013-1-1",
            "2013-02-29",
            "2013-13-01",
            "2013-00-01",
            "2013-01-00",
            "13-01-01",
            "2013/01/01",
            "2013-01-01 ",
            " 2013-01-01",
            "0000-01-01",
            "2013-01-01T00:00",
            "+2013-01-01",
            "２013-01-01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(BadDate), "{text}");
        }
        for text in [
            "2013-01-01",
            "2013-01-01T",
            "2013-01-01T24:00",
            "2013-01-01T23:60",
            "2013-01-01T23:59:60",
            "2013-01-01T1:00",
            "2013-01-01T01:00:00.",
            "2013-01-01T01:00z",
            "2013-01-01T01:00+1",
            "2013-01-01  01:00",
            "2013-01-01T01:00:00.5+01:00x",
            "0001-01-01T00:00+00:01",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(BadDate), "{text}");
        }
    }

    #[test]
    fn times_before_1970_round_down() {
        let last: Timestamp = "1969-12-31 23:59:59.999999".parse().unwrap();
        assert_eq!(last.micros(), -1);
        assert_eq!((hour(-1), minute(-1), date(-1)), (23, 59, -1));
        let offset: Timestamp = "1970-01-01T00:30:00.5-01:15".parse().unwrap();
        assert_eq!(offset.to_string(), "1970-01-01T01:45:00.500000");
        assert_eq!(
            "2013-07-04T05:06:07.1234567"
                .parse::<Timestamp>()
                .unwrap()
                .to_string(),
            "2013-07-04T05:06:07.123456"
        );
        for text in [
            "2013-07-04T05:06:07",
            "0001-01-01T00:00:00",
            "9999-12-31T23:59:59.999999",
        ] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
    }
}
