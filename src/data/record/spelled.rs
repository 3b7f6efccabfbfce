//! Values in the spellings that most cells have, read from bytes.
//!
//! Each function reads some of the spellings that [`Csv`](crate::load::Csv) lists, and none that it does not
//! list; what it does not read is read by `Parse::parse`.

/// A number of digits, perhaps with a sign and a point.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    /// All digits, without the point.
    digits: i64,
    /// How many digits there are in front of the point, and behind it.
    whole: usize,
    places: usize,
    point: bool,
}

/// So many digits are fewer than 2^53 units, which a real holds exactly.
const DIGITS: usize = 15;

const POWERS: [i64; DIGITS + 1] = {
    let mut powers = [1; DIGITS + 1];
    let mut place = 1;
    while place < powers.len() {
        powers[place] = 10 * powers[place - 1];
        place += 1;
    }
    powers
};

const REALS: [f64; DIGITS + 1] = {
    let mut reals = [1.0; DIGITS + 1];
    let mut place = 0;
    while place < reals.len() {
        reals[place] = POWERS[place] as f64;
        place += 1;
    }
    reals
};

impl Number {
    #[inline(always)]
    fn read(cell: &[u8]) -> Option<Number> {
        let (negative, text) = match cell {
            [b'-', text @ ..] => (true, text),
            text => (false, text),
        };
        if text.len() > DIGITS {
            return None;
        }
        let (mut digits, mut points, mut whole, mut other) = (0_i64, 0, text.len(), false);
        for (at, byte) in text.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                digits = 10 * digits + i64::from(digit);
            } else {
                other |= *byte != b'.';
                points += 1;
                whole = at;
            }
        }
        let places = text.len() - whole - points.min(text.len() - whole);
        (!other & (points <= 1) & (whole + places > 0)).then_some(Number {
            negative,
            digits,
            whole,
            places,
            point: points == 1,
        })
    }
}

/// A whole number of at most fifteen digits.
#[inline(always)]
pub(super) fn whole(cell: &[u8]) -> Option<i64> {
    let (negative, text) = match cell {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    let mut other = text.is_empty() | (text.len() > DIGITS);
    let mut digits = 0_i64;
    for byte in text.iter().take(DIGITS) {
        let digit = byte.wrapping_sub(b'0');
        other |= digit > 9;
        digits = 10 * digits + i64::from(digit);
    }
    (!other).then_some(if negative { -digits } else { digits })
}

/// A real: digits and powers of ten below 2^53 are exact, so their quotient is rounded once, as the nearest real.
#[inline(always)]
pub(super) fn real(cell: &[u8]) -> Option<f64> {
    // Where reals are computed in eighty bits, a quotient is rounded twice.
    if cfg!(all(target_arch = "x86", not(target_feature = "sse2"))) {
        return None;
    }
    let number = Number::read(cell)?;
    let value = number.digits as f64 / REALS[number.places];
    Some(if number.negative { -value } else { value })
}

/// A decimal number in steps of 10^-`places`.
#[inline(always)]
pub(super) fn decimal(cell: &[u8], places: u32) -> Option<i64> {
    let number = Number::read(cell)?;
    let missing = usize::try_from(places).ok()?.checked_sub(number.places)?;
    if number.whole == 0 || (number.point && number.places == 0) {
        return None;
    }
    let steps = number.digits.checked_mul(*POWERS.get(missing)?)?;
    Some(if number.negative { -steps } else { steps })
}

/// Yes or no.
#[inline(always)]
pub(super) fn answer(cell: &[u8]) -> Option<bool> {
    match cell {
        [b't' | b'T', b'r', b'u', b'e'] | [b't' | b'1'] => Some(true),
        [b'f' | b'F', b'a', b'l', b's', b'e'] | [b'f' | b'0'] => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decimal;

    /// Texts of digits, signs, points and letters, many of them numbers.
    fn texts() -> impl Iterator<Item = String> {
        let mut state = 1_u64;
        let mut below = move |end: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % end
        };
        (0..200_000).map(move |_| {
            let length = below(20);
            let parts = b"0123456789001234567890-.+e ";
            let few = if below(4) == 0 { 27 } else { 20 };
            let mut text: Vec<u8> = (0..length).map(|_| parts[below(few) as usize]).collect();
            if below(2) == 0 {
                text.insert(0, b'-');
            }
            if below(2) == 0 {
                text.insert(below(text.len() as u64 + 1) as usize, b'.');
            }
            String::from_utf8(text).expect("ASCII")
        })
    }

    #[test]
    fn what_is_read_is_what_the_standard_library_reads() {
        let (mut reals, mut integers, mut decimals) = (0, 0, 0);
        for text in texts().chain(["", "-", ".", "-.", "5.", ".5", "-0", "-0.0"].map(String::from))
        {
            let cell = text.as_bytes();
            if let Some(value) = real(cell) {
                let known: f64 = text.parse().expect("a real");
                assert_eq!(value.to_bits(), known.to_bits(), "{text}");
                reals += 1;
            }
            if let Some(value) = whole(cell) {
                assert_eq!(Ok(value), text.parse(), "{text}");
                integers += 1;
            }
            if let Some(steps) = decimal(cell, 2) {
                let known: Decimal<2> = text.parse().expect("a decimal");
                assert_eq!(steps, known.steps(), "{text}");
                decimals += 1;
            }
        }
        assert!(reals > 20_000 && integers > 20_000 && decimals > 10_000);
        for text in ["0.5", "12", "-7", "999999999999999", "00.100"] {
            assert!(real(text.as_bytes()).is_some(), "{text}");
        }
        assert_eq!(decimal(b"12.5", 18), None);
        assert_eq!(decimal(b"9.5", 15), Some(9_500_000_000_000_000));
    }
}
