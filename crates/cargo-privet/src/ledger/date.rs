//! Times as people write them.

use crate::date::Date;

/// Milliseconds since 1970 as `2026-11-18 04:20:00` in UTC.
pub fn utc(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let of_day = seconds % 86_400;
    format!(
        "{} {:02}:{:02}:{:02}",
        Date::after(seconds / 86_400),
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    )
}

#[cfg(test)]
mod tests {
    use super::utc;

    /// By `date -u -d @…`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_709_251_199, "2024-02-29 23:59:59"),
            (1_795_000_000, "2026-11-18 11:06:40"),
            (4_107_542_400, "2100-03-01 00:00:00"),
        ] {
            assert_eq!(utc(seconds * 1000), text);
        }
    }
}
