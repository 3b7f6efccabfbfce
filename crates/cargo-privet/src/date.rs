//! Today, as a date.

use core::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    pub fn new(year: u16, month: u8, day: u8) -> Self {
        Date { year, month, day }
    }

    pub fn today() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Date::after(now.map_or(0, |now| now.as_secs() / 86_400))
    }

    /// The same day, a year later.
    pub fn next_year(self) -> Self {
        Date::new(self.year.saturating_add(1), self.month, self.day)
    }

    /// Some days after 1 January 1970, by the rules of the Gregorian calendar: eras of 400 years,
    /// years from March on.
    pub fn after(days: u64) -> Self {
        let days = days + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        let small = |n: u64| u8::try_from(n).unwrap_or(u8::MAX);
        Date::new(
            u16::try_from(year).unwrap_or(u16::MAX),
            small(month),
            small(day),
        )
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl TryFrom<String> for Date {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let mut parts = text.split('-');
        let mut next = || parts.next().and_then(|part| part.parse::<u16>().ok());
        match (next(), next(), next(), next()) {
            (Some(year), Some(month @ 1..=12), Some(day @ 1..=31), None) => {
                Ok(Date::new(year, month as u8, day as u8))
            }
            _ => Err(format!("`{text}` is not a date; write it as 2027-01-31")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (20_088, "2024-12-31"),
            (20_089, "2025-01-01"),
        ] {
            assert_eq!(Date::after(days).to_string(), date);
        }
        assert!(Date::new(2026, 12, 31) < Date::new(2027, 1, 1));
    }
}
