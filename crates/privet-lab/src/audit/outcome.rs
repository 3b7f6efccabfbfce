//! What an audit sees of an output.

/// The most numbers that an audit keeps from one output.
const MOST: usize = 16;

/// An output that an audit can look at.
///
/// An implementation notes each part of the output as a number or as a label. The audit then looks
/// at each part, at differences of neighbouring numbers, and at everything together. What it sees
/// must be a function of the output alone; the more it sees, the more it can catch.
///
/// ```
/// use privet_lab::audit::{Notes, Outcome};
///
/// struct Reply { refused: bool, count: i64 }
///
/// impl Outcome for Reply {
///     fn note(&self, notes: &mut Notes) {
///         notes.label(self.refused);
///         notes.number(self.count);
///     }
/// }
/// ```
pub trait Outcome {
    /// Writes down the parts of the output.
    fn note(&self, notes: &mut Notes);
}

/// The parts of one output, as an audit sees them.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    parts: [(u128, bool); MOST],
    len: usize,
    all: u64,
}

impl Notes {
    /// Notes a number; its order and its last bits matter.
    #[inline]
    pub fn number(&mut self, number: impl Into<i128>) {
        self.push(number.into() as u128, true);
    }

    /// Notes something without an order.
    pub fn label(&mut self, label: impl std::hash::Hash) {
        use std::hash::Hasher;
        let mut hasher = std::hash::DefaultHasher::new();
        label.hash(&mut hasher);
        self.push(hasher.finish().into(), false);
    }

    #[inline]
    fn push(&mut self, bits: u128, number: bool) {
        // Odd factors keep −k apart from k and k − 1.
        let high = (bits >> 64) as u64;
        self.join(bits as u64 ^ high.wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ u64::from(number) << 62);
        if let Some(part) = self.parts.get_mut(self.len) {
            *part = (bits, number);
        }
        self.len += 1;
    }

    /// It takes one multiplication per part, since this is the innermost loop. It is scrambled when it
    /// is read.
    #[inline]
    fn join(&mut self, word: u64) {
        self.all = (self.all.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.all = 0;
    }

    /// Shows every view of the output: its index, its value, and whether its order matters.
    #[inline]
    pub(super) fn views(&self, mut see: impl FnMut(usize, i128, bool)) {
        let parts = &self.parts[..self.len.min(MOST)];
        for (index, &(bits, number)) in parts.iter().enumerate() {
            see(index, bits as i128, number);
        }
        if self.len == 1 {
            return;
        }
        see(MOST, self.all.into(), false);
        for (index, pair) in parts.windows(2).enumerate() {
            if let [(a, true), (b, true)] = *pair {
                see(MOST + 1 + index, b.wrapping_sub(a) as i128, true);
            }
        }
    }

    /// What a view shows, in words.
    pub(super) fn describe(view: usize) -> String {
        match view {
            0 => String::new(),
            _ if view < MOST => format!("part {view}: "),
            MOST => "all parts together: ".into(),
            _ => format!(
                "parts {} and {}, their difference: ",
                view - MOST - 1,
                view - MOST
            ),
        }
    }

    /// One more than the largest index of a view.
    pub(super) const VIEWS: usize = 2 * MOST;
}

/// Scrambles a word (the finalizer of SplitMix64).
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

macro_rules! numbers {
    ($($int:ty),*) => {$(
        impl Outcome for $int {
            #[inline]
            fn note(&self, notes: &mut Notes) {
                notes.push(*self as i128 as u128, true);
            }
        }
    )*};
}
numbers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool
);

/// In thousandths, and by the lowest bit in use, where naive noise shows.
impl Outcome for f64 {
    fn note(&self, notes: &mut Notes) {
        let bits = self.to_bits();
        let exponent = ((bits >> 52) & 0x7FF) as i32;
        let mantissa = (bits & ((1 << 52) - 1)) | if exponent == 0 { 0 } else { 1 << 52 };
        notes.push((self * 1000.0).round() as i128 as u128, true);
        let lowest = if mantissa == 0 {
            4096
        } else {
            exponent.max(1) + mantissa.trailing_zeros() as i32
        };
        notes.push(lowest as i128 as u128, true);
    }
}

impl Outcome for () {
    fn note(&self, _: &mut Notes) {}
}

impl Outcome for str {
    fn note(&self, notes: &mut Notes) {
        notes.label(self);
    }
}

impl Outcome for String {
    fn note(&self, notes: &mut Notes) {
        notes.label(self);
    }
}

impl<T: Outcome + ?Sized> Outcome for &T {
    fn note(&self, notes: &mut Notes) {
        (**self).note(notes);
    }
}

impl<T: Outcome> Outcome for Option<T> {
    fn note(&self, notes: &mut Notes) {
        notes.push(self.is_some().into(), true);
        if let Some(inner) = self {
            inner.note(notes);
        }
    }
}

impl<T: Outcome, E> Outcome for Result<T, E> {
    fn note(&self, notes: &mut Notes) {
        self.as_ref().ok().note(notes);
    }
}

impl<T: Outcome> Outcome for [T] {
    fn note(&self, notes: &mut Notes) {
        notes.join(self.len() as u64);
        for part in self {
            part.note(notes);
        }
    }
}

impl<T: Outcome, const N: usize> Outcome for [T; N] {
    fn note(&self, notes: &mut Notes) {
        self[..].note(notes);
    }
}

impl<T: Outcome> Outcome for Vec<T> {
    fn note(&self, notes: &mut Notes) {
        self[..].note(notes);
    }
}

impl<A: Outcome, B: Outcome> Outcome for (A, B) {
    fn note(&self, notes: &mut Notes) {
        self.0.note(notes);
        self.1.note(notes);
    }
}

impl<A: Outcome, B: Outcome, C: Outcome> Outcome for (A, B, C) {
    fn note(&self, notes: &mut Notes) {
        self.0.note(notes);
        self.1.note(notes);
        self.2.note(notes);
    }
}

impl<K: Outcome, V: Outcome> Outcome for std::collections::BTreeMap<K, V> {
    fn note(&self, notes: &mut Notes) {
        notes.number(self.len() as i128);
        for (key, value) in self {
            key.note(notes);
            value.note(notes);
        }
    }
}
