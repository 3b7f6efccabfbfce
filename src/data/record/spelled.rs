//! Values in the spellings that most cells have, read from bytes.
//!
//! Each function reads some of the spellings that [`Csv`](crate::load::Csv) lists, and none that it does not
//! list; what it does not read is read by `Parse::parse`.

/// A cell of a file.
#[derive(Clone, Copy)]
pub struct Spelling<'a> {
    pub(super) bytes: &'a [u8],
    /// Its last eight bytes, the last one highest. If it is shorter, anything may stand in the lower ones.
    pub(super) last: u64,
}

impl<'a> Spelling<'a> {
    /// The bytes of a text from one place to another.
    #[inline(always)]
    pub(crate) fn within(text: &'a [u8], from: usize, to: usize) -> Self {
        // Empty rather than a panic, should it end before it begins: that is a bug of the caller's.
        let bytes = text.get(from..to).unwrap_or_default();
        match text
            .get(to.wrapping_sub(8)..to)
            .and_then(<[u8]>::first_chunk)
        {
            Some(last) => Spelling {
                bytes,
                last: u64::from_le_bytes(*last),
            },
            None => Spelling::new(bytes),
        }
    }

    /// All bytes of a text.
    #[cold]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let last = bytes.iter().rev().take(8);
        let places = (0..8).rev().zip(last);
        Spelling {
            bytes,
            last: places
                .map(|(place, byte)| u64::from(*byte) << (8 * place))
                .sum(),
        }
    }

    /// The same without its first byte, if that is a minus.
    #[inline(always)]
    fn unsigned(self) -> (bool, Self) {
        match self.bytes {
            [b'-', bytes @ ..] => (true, Spelling { bytes, ..self }),
            _ => (false, self),
        }
    }

    /// It behind zeros, if it has one to eight bytes.
    #[inline(always)]
    fn padded(self) -> Option<u64> {
        let length = self.bytes.len();
        if length.wrapping_sub(1) >= 8 {
            return None;
        }
        let there = u64::MAX << (64 - 8 * length);
        Some(self.last & there | ZEROS & !there)
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
/// Eight digits of zero.
const ZEROS: u64 = b'0' as u64 * ONES;
const POINTS: u64 = b'.' as u64 * ONES;
const HIGH: u64 = 0x80 * ONES;

/// The value of eight digits, the first one lowest; none if a byte is not a digit.
#[inline(always)]
fn eight(word: u64) -> Option<i64> {
    let digits = word ^ ZEROS;
    // A digit is at most nine. What a byte above 0x89 carries does not matter, since its own high bit is set.
    if (digits | digits.wrapping_add(0x76 * ONES)) & HIGH != 0 {
        return None;
    }
    // Two digits in each two bytes, then four in each four, then all.
    let pairs = digits.wrapping_mul((10 << 8) + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul((100 << 16) + 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some((fours.wrapping_mul((10_000 << 32) + 1) >> 32) as i64)
}

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
    fn read(cell: Spelling<'_>) -> Option<Number> {
        let (negative, text) = cell.unsigned();
        let Some(word) = text.padded() else {
            return Number::long(negative, text.bytes);
        };
        let length = text.bytes.len();
        // The lowest such bit belongs to the first point, if there is one.
        let other = word ^ POINTS;
        let points = other.wrapping_sub(ONES) & !other & HIGH;
        if points == 0 {
            let digits = eight(word)?;
            return Some(Number {
                negative,
                digits,
                whole: length,
                places: 0,
                point: false,
            });
        }
        // What is in front of the point moves into its place.
        let at = points.trailing_zeros() / 8;
        let front = (1 << (8 * at)) - 1;
        let behind = !(front << 8 | 0xff);
        let digits = eight(word & behind | (word & front) << 8 | u64::from(b'0'))?;
        let places = 7 - at as usize;
        (length > 1).then_some(Number {
            negative,
            digits,
            whole: length - 1 - places,
            places,
            point: true,
        })
    }

    /// A number of any length, byte by byte.
    fn long(negative: bool, text: &[u8]) -> Option<Number> {
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
pub(super) fn whole(cell: Spelling<'_>) -> Option<i64> {
    let (negative, text) = cell.unsigned();
    let digits = match text.padded() {
        Some(word) => eight(word)?,
        None => many(text.bytes)?,
    };
    Some(if negative { -digits } else { digits })
}

/// Digits, byte by byte.
fn many(text: &[u8]) -> Option<i64> {
    let mut other = text.is_empty() | (text.len() > DIGITS);
    let mut digits = 0_i64;
    for byte in text.iter().take(DIGITS) {
        let digit = byte.wrapping_sub(b'0');
        other |= digit > 9;
        digits = 10 * digits + i64::from(digit);
    }
    (!other).then_some(digits)
}

/// A real: digits and powers of ten below 2^53 are exact, so their quotient is rounded once, as the nearest real.
#[inline(always)]
pub(super) fn real(cell: Spelling<'_>) -> Option<f64> {
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
pub(super) fn decimal(cell: Spelling<'_>, places: u32) -> Option<i64> {
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
pub(super) fn answer(cell: Spelling<'_>) -> Option<bool> {
    match cell.bytes {
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
            let line = format!("1.5-9{text}");
            let cell = Spelling::within(line.as_bytes(), 5, line.len());
            assert_eq!(cell.bytes, text.as_bytes());
            // What is in front of a cell has no effect on it.
            let alone = Spelling::new(text.as_bytes());
            assert_eq!(real(alone).map(f64::to_bits), real(cell).map(f64::to_bits));
            assert_eq!(whole(alone), whole(cell));
            assert_eq!(decimal(alone, 2), decimal(cell, 2));
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
            assert!(real(Spelling::new(text.as_bytes())).is_some(), "{text}");
        }
        assert_eq!(decimal(Spelling::new(b"12.5"), 18), None);
        assert_eq!(
            decimal(Spelling::new(b"9.5"), 15),
            Some(9_500_000_000_000_000)
        );
    }
}
