//! The distinct texts of a table, by code, and texts of a file that are still to be looked up.

use core::hash::BuildHasher;
use core::hint::select_unpredictable;
use std::borrow::Cow;
use std::hash::RandomState;
use std::sync::OnceLock;

use super::spelled::Spelling;

/// A text as the dictionary compares it: one of at most fifteen bytes by value, a longer one by its place
/// among bytes that lie beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key(u128);

/// The texts that are longer than that.
#[derive(Default)]
struct Long {
    bytes: Vec<u8>,
}

impl Key {
    /// The highest byte of a key is the length of a short text, or this.
    const LONG: u128 = 0xff << 120;
    const SHORT: usize = 15;
    /// The highest bit of each byte of a short text.
    const HIGH: u128 = u128::from_le_bytes([0x80; 16]) & !Self::LONG;

    #[inline(always)]
    fn short(text: &[u8]) -> Option<Key> {
        let length = text.len();
        // Beginning and end; where they overlap they are the same.
        let bits = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
            if length > Self::SHORT {
                return None;
            }
            let [first, last] = [*first, *last].map(|bytes| u128::from(u64::from_le_bytes(bytes)));
            first | last << (8 * (length - 8))
        } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
            let [first, last] = [*first, *last].map(|bytes| u64::from(u32::from_le_bytes(bytes)));
            u128::from(first | last << (8 * (length - 4)))
        } else {
            let byte = |at: usize| text.get(at).map_or(0, |byte| u32::from(*byte) << (8 * at));
            u128::from(byte(0) | byte(1) | byte(2))
        };
        Some(Key(bits | (length as u128) << 120))
    }

    /// Whether it is short, and each of its bytes is a character of ASCII.
    #[inline(always)]
    fn is_ascii(self) -> bool {
        self.0 & Self::HIGH == 0
    }

    fn is_long(self) -> bool {
        self.0 & Self::LONG == Self::LONG
    }

    /// The text, if it is a short one.
    fn text(self) -> Option<String> {
        let bytes = self.0.to_le_bytes();
        let text = bytes.get(..usize::from(bytes[15]))?;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

impl Long {
    /// Adds a text.
    fn add(&mut self, text: &[u8]) -> Key {
        let (from, length) = (self.bytes.len() as u64, text.len() as u64);
        self.bytes.extend_from_slice(text);
        Key(Key::LONG | u128::from(length) << 64 | u128::from(from))
    }

    /// The bytes of a key that was made here, or the key if it is short.
    fn split(&self, key: Key) -> (&[u8], Option<Key>) {
        match self.get(key) {
            Some(text) => (text, None),
            None => (&[], Some(key)),
        }
    }

    /// The bytes of a key that was made here; none if it is short.
    #[inline(always)]
    fn get(&self, key: Key) -> Option<&[u8]> {
        if !key.is_long() {
            return None;
        }
        let (from, length) = (key.0 as u64, (key.0 & !Key::LONG) >> 64);
        let (from, length) = (from as usize, length as usize);
        self.bytes.get(from..from + length)
    }
}

/// A hash that nobody can foresee, since its numbers are random.
///
/// Short texts: two products of sums of random numbers and quarters of the key, added up, of which the upper half is kept.
/// Of any two keys the chance is 2^-32 that they have the same hash (Dietzfelbinger: multiply-shift for vectors).
/// Longer ones: that of the standard library.
struct Hash {
    random: [u64; 5],
    long: RandomState,
}

impl Default for Hash {
    fn default() -> Self {
        let long = RandomState::new();
        let random = core::array::from_fn(|at| long.hash_one(at));
        Hash { random, long }
    }
}

impl Hash {
    #[inline(always)]
    fn short(&self, key: Key) -> u32 {
        let part =
            |at: u32| u64::from((key.0 >> (32 * at)) as u32).wrapping_add(self.random[at as usize]);
        let first = part(0).wrapping_mul(part(1));
        let sum = first.wrapping_add(part(2).wrapping_mul(part(3)));
        (sum.wrapping_add(self.random[4]) >> 32) as u32
    }

    fn long(&self, text: &[u8]) -> u32 {
        self.long.hash_one(text) as u32
    }
}

/// Where a text is in the dictionary.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    code: u32,
}

/// The distinct texts of a table, by code.
#[derive(Default)]
pub struct Dictionary {
    hash: Hash,
    /// A power of two, of which some are free; none at first. A text is in the first slot from its hash on
    /// that was free when it came.
    slots: Vec<Slot>,
    /// By code.
    texts: Vec<Key>,
    long: Long,
    /// How many texts are public, and how many bytes the long ones among them have. They come first, and stay when others are forgotten.
    public: usize,
    public_bytes: usize,
    /// The heads of all texts, by code, if they were asked for since the last text came in.
    heads: OnceLock<Vec<Head>>,
    /// Their places in public lists, likewise.
    places: Places,
}

/// What a text begins with, and how long it is: all that an expression can ask of it but equality.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// The first bytes, the first one highest; zeros after the end.
    pub(crate) first: u128,
    /// How many bytes.
    pub(crate) length: i64,
}

impl Head {
    /// How many bytes are kept.
    pub(crate) const BYTES: usize = 16;

    pub(crate) fn of(text: &str) -> Self {
        let mut first = [0; Self::BYTES];
        for (to, from) in first.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Head {
            first: u128::from_be_bytes(first),
            length: text.len() as i64,
        }
    }
}

impl Dictionary {
    /// A code that no text in the table has.
    const ABSENT: u32 = u32::MAX;
    const FREE: Slot = Slot {
        hash: 0,
        code: Self::ABSENT,
    };
    /// How many slots there are at least, and how many are kept for other texts.
    const FEW: usize = 64;
    const KEPT: usize = 1 << 16;
    /// How many texts are looked up together.
    const MANY: usize = 128;

    /// Public texts alone, each with a code.
    pub(crate) fn public<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut dictionary = Dictionary::default();
        for text in texts {
            dictionary.code(text);
        }
        dictionary.public = dictionary.len();
        dictionary.public_bytes = dictionary.long.bytes.len();
        dictionary
    }

    /// Forgets all texts but the public ones, whose codes stay the same.
    pub(crate) fn keep_public(&mut self) {
        if self.len() != self.public {
            self.texts.truncate(self.public);
            self.long.bytes.truncate(self.public_bytes);
            // As many slots as before, if they are soon emptied.
            self.resize(self.slots.len().min(Self::KEPT));
            self.changed();
        }
    }

    /// The code of a text, which comes in if it is new.
    pub(crate) fn code(&mut self, text: &str) -> u32 {
        self.code_of(text.as_bytes(), Key::short(text.as_bytes()))
    }

    fn code_of(&mut self, text: &[u8], short: Option<Key>) -> u32 {
        let hash = self.hash(text, short);
        if let Some(code) = self.search(hash, text, short) {
            return code;
        }
        let code = self.len() as u32;
        assert!(
            code < Self::ABSENT,
            "more than 2^32 - 1 distinct texts in one table"
        );
        let key = short.unwrap_or_else(|| self.long.add(text));
        self.texts.push(key);
        if self.slots.len() / 8 * 5 < self.texts.len() {
            self.resize(0);
        } else {
            self.place(Slot { hash, code });
        }
        self.changed();
        code
    }

    fn hash(&self, text: &[u8], short: Option<Key>) -> u32 {
        match short {
            Some(key) => self.hash.short(key),
            None => self.hash.long(text),
        }
    }

    /// The code of a text with that hash, if it is there.
    #[inline]
    fn search(&self, hash: u32, text: &[u8], short: Option<Key>) -> Option<u32> {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize;
        // There is a free slot, unless there is none at all.
        while let Some(slot) = self.slots.get(at & last) {
            if slot.code == Self::ABSENT {
                break;
            }
            if slot.hash == hash {
                let known = self.texts[slot.code as usize];
                let same = match short {
                    Some(key) => known == key,
                    None => self.long.get(known) == Some(text),
                };
                if same {
                    return Some(slot.code);
                }
            }
            at += 1;
        }
        None
    }

    /// The code of the first text with that hash, if one of its first slots has it. No branch waits for memory.
    #[inline(always)]
    fn likely(&self, hash: u32) -> u32 {
        let last = self.slots.len().wrapping_sub(1);
        let mut code = Self::ABSENT;
        for step in (0..4).rev() {
            let slot = self.slots.get((hash as usize + step) & last);
            let slot = slot.copied().unwrap_or(Self::FREE);
            code = select_unpredictable(slot.hash == hash, slot.code, code);
        }
        code
    }

    /// Puts the code of a text that has none into the first free slot.
    fn place(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut at = slot.hash as usize & last;
        while self.slots[at].code != Self::ABSENT {
            at = (at + 1) & last;
        }
        self.slots[at] = slot;
    }

    /// Makes room for the texts and as many again, in so many slots at least, and places all texts anew.
    fn resize(&mut self, least: usize) {
        let size = self.texts.len() / 5 * 8 + Self::FEW;
        let size = size.next_power_of_two().max(least);
        self.slots.clear();
        self.slots.resize(size, Self::FREE);
        for code in 0..self.texts.len() {
            let key = self.texts[code];
            let hash = match self.long.get(key) {
                Some(text) => self.hash.long(text),
                None => self.hash.short(key),
            };
            let code = code as u32;
            self.place(Slot { hash, code });
        }
    }

    /// What was found out about all texts is no longer about all of them.
    fn changed(&mut self) {
        self.heads = OnceLock::new();
        self.places = Places::default();
    }

    /// How many texts.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// All texts with their codes.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Cow<'_, str>, u32)> {
        let texts = self.texts.iter().zip(0..);
        texts.map(|(key, code)| match self.long.get(*key) {
            Some(text) => (String::from_utf8_lossy(text), code),
            None => (Cow::Owned(key.text().unwrap_or_default()), code),
        })
    }

    /// The heads of all texts, by code; made when a query first asks. It asks whatever the rows are.
    pub(crate) fn heads(&self) -> &[Head] {
        self.heads.get_or_init(|| {
            let texts = self.texts();
            texts.map(|(text, _)| Head::of(&text)).collect()
        })
    }

    /// For each text, by code, its place in a public list, or `absent`; made when a query first asks. `list`
    /// tells the list from every other.
    pub(crate) fn places(
        &self,
        list: u64,
        texts: impl Fn(&dyn Fn(&str, u32)),
        absent: u32,
    ) -> &[u32] {
        self.places.of(list, || {
            let places = vec![absent; self.len()];
            let places = core::cell::RefCell::new(places);
            texts(&|text, place| {
                if let Some(code) = self.get(text) {
                    places.borrow_mut()[code as usize] = place;
                }
            });
            places.into_inner()
        })
    }

    fn get(&self, text: &str) -> Option<u32> {
        let text = text.as_bytes();
        let short = Key::short(text);
        self.search(self.hash(text, short), text, short)
    }

    /// The code of `text`, or one that no row has.
    pub(crate) fn find(&self, text: &str) -> u32 {
        self.get(text).unwrap_or(Self::ABSENT)
    }

    /// Looks up all texts of some rows; those that are not there are noted as such.
    ///
    /// Step by step for many, so that the processor need not wait for one place in memory after the other.
    pub(crate) fn find_all(&self, texts: &mut TextCells) {
        let TextCells { keys, long, codes } = texts;
        codes.clear();
        codes.reserve(keys.len());
        let (mut hashes, mut likely) = ([0; Self::MANY], [0; Self::MANY]);
        for keys in keys.chunks(Self::MANY) {
            for (hash, key) in hashes.iter_mut().zip(keys) {
                let (text, short) = long.split(*key);
                *hash = self.hash(text, short);
            }
            for (code, hash) in likely.iter_mut().zip(&hashes) {
                *code = self.likely(*hash);
            }
            for ((key, hash), code) in keys.iter().zip(&hashes).zip(&likely) {
                codes.push(match self.texts.get(*code as usize) {
                    Some(known) if known == key && !key.is_long() => *code,
                    _ => {
                        let (text, short) = long.split(*key);
                        self.search(*hash, text, short).unwrap_or(Self::ABSENT)
                    }
                });
            }
        }
    }

    /// The codes of all texts of some rows that were looked up before, in their order. New ones come in.
    pub(crate) fn add_all<'a>(&mut self, texts: &'a mut TextCells) -> &'a [u32] {
        for (key, code) in texts.keys.iter().zip(&mut texts.codes) {
            if *code == Self::ABSENT {
                let (text, short) = texts.long.split(*key);
                *code = self.code_of(text, short);
            }
        }
        &texts.codes
    }
}

/// The texts of some rows, in their order, which are still to be looked up.
#[derive(Default)]
pub struct TextCells {
    keys: Vec<Key>,
    long: Long,
    codes: Vec<u32>,
}

impl TextCells {
    /// Adds a text; its number among these, unless it is not one.
    #[inline(always)]
    pub(super) fn add(&mut self, cell: Spelling<'_>) -> Option<u32> {
        let text = cell.bytes;
        // The usual ones are those of at most eight bytes.
        let key = match text.len() {
            0 => Some(Key(0)),
            length @ 1..=8 => {
                let bits = cell.last >> (64 - 8 * length);
                Some(Key(u128::from(bits) | (length as u128) << 120))
            }
            _ => Key::short(text),
        };
        let key = match key {
            Some(key) if key.is_ascii() => key,
            short => self.unusual(text, short)?,
        };
        let number = self.keys.len() as u32;
        self.keys.push(key);
        Some(number)
    }

    #[cold]
    fn unusual(&mut self, text: &[u8], short: Option<Key>) -> Option<Key> {
        core::str::from_utf8(text).ok()?;
        Some(short.unwrap_or_else(|| self.long.add(text)))
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Takes back the texts from that number on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.keys.truncate(length);
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.long.bytes.clear();
        self.codes.clear();
    }
}

/// The places of a table's texts in each public list that was asked about. It lies beside the table and not
/// in the query, which analysts hold.
#[derive(Default)]
struct Places(OnceLock<Box<Link>>);

struct Link {
    list: u64,
    places: Vec<u32>,
    next: Places,
}

impl Places {
    fn of(&self, list: u64, make: impl Fn() -> Vec<u32>) -> &[u32] {
        let mut here = self;
        loop {
            let link = here.0.get_or_init(|| {
                Box::new(Link {
                    list,
                    places: make(),
                    next: Places::default(),
                })
            });
            if link.list == list {
                return &link.places;
            }
            here = &link.next;
        }
    }
}

impl Drop for Places {
    /// One by one, so that many lists need no deep stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next {
            next = link.next.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TextCells of every length around those that are kept apart, also with zeros and of several bytes a letter.
    fn texts() -> impl Iterator<Item = String> {
        (0..20).flat_map(|length| {
            [
                "abcdefghijklmnopqrst",
                "aaaaaaaaaaaaaaaaaaaa",
                "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            ]
            .map(|letters| letters[..length].to_owned())
            .into_iter()
            .chain([format!("{}é", &"abcdefghijklmnopqrst"[..length])])
        })
    }

    #[test]
    fn texts_have_one_code_and_come_back_as_they_were() {
        let mut dictionary = Dictionary::default();
        let mut known: Vec<String> = Vec::new();
        for text in texts().chain(texts()) {
            let code = dictionary.code(&text) as usize;
            match known.iter().position(|known| *known == text) {
                Some(place) => assert_eq!(code, place, "{text:?}"),
                None => {
                    assert_eq!(code, known.len(), "{text:?}");
                    known.push(text);
                }
            }
        }
        assert_eq!(dictionary.len(), known.len());
        for (text, code) in dictionary.texts() {
            assert_eq!(text, known[code as usize]);
            assert_eq!(dictionary.find(&text), code);
        }
        assert_eq!(dictionary.find("b"), Dictionary::ABSENT);
    }

    #[test]
    fn texts_of_rows_have_the_codes_that_they_would_have_one_by_one() {
        let mut one_by_one = Dictionary::public(["public", "a public text of many bytes"]);
        let mut together = Dictionary::public(["public", "a public text of many bytes"]);
        for round in 0..3 {
            let mut rows = TextCells::default();
            for (number, text) in (0..).zip(texts().chain(texts().skip(20 * round))) {
                assert_eq!(rows.add(Spelling::new(text.as_bytes())), Some(number));
            }
            assert_eq!(rows.add(Spelling::new(b"not a text: \xff, and long")), None);
            assert_eq!(rows.add(Spelling::new(b"\xff")), None);
            // A row that is refused takes its texts back.
            let before = rows.len();
            rows.add(Spelling::new(b"refused"));
            rows.add(Spelling::new(b"a long text that is refused"));
            rows.truncate(before);
            rows.add(Spelling::new(b"taken"));
            together.find_all(&mut rows);
            let codes = texts()
                .chain(texts().skip(20 * round))
                .chain(["taken".into()]);
            let codes: Vec<u32> = codes.map(|text| one_by_one.code(&text)).collect();
            assert_eq!(together.add_all(&mut rows), codes);
            assert_eq!(together.find("refused"), Dictionary::ABSENT);
            assert_eq!(
                together.find("a long text that is refused"),
                Dictionary::ABSENT
            );
            assert!(together.texts().eq(one_by_one.texts()));
            if round == 1 {
                one_by_one.keep_public();
                together.keep_public();
                assert_eq!(together.len(), 2);
                assert_eq!(together.find("taken"), Dictionary::ABSENT);
                assert_eq!(together.find("a public text of many bytes"), 1);
            }
        }
    }

    #[test]
    fn many_texts_keep_their_codes() {
        let mut dictionary = Dictionary::default();
        for number in (0..100_000).chain(0..100_000) {
            assert_eq!(dictionary.code(&format!("text {number}")), number);
        }
        assert_eq!(dictionary.find("text 100000"), Dictionary::ABSENT);
    }
}
