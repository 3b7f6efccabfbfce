//! The order in which a person's rows are kept: a fair choice that depends on that person's rows only.
//!
//! A person's rows are numbered 0, 1, … in the order of the table. The vault's [`OrderKey`] and the
//! person's name give a stream of numbers, one for each row; the row with the least number has rank 0.
//! So a rank depends on the key, the name, the row's own number and how many rows the person has, and on
//! nothing else: not on other persons, files, partitions or threads. Every engine uses these functions,
//! and all agree where the key is the same.
//!
//! PRIVACY: for every key, known or not, ranks depend on the person's own rows alone. So the promise does
//! not rest on the secrecy of the key; that the choice is fair rests on its being random.

use core::borrow::Borrow;
use core::hash::Hash;
use core::ops::Range;
use std::collections::HashMap;

use super::CHUNK;

/// What the random order of each person's rows is made from: drawn when a vault opens.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderKey([u64; 2]);

/// Shows nothing of it.
impl core::fmt::Debug for OrderKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("OrderKey(..)")
    }
}

impl OrderKey {
    /// A key from the operating system. If it delivers none, the key is a constant: an order that
    /// someone could foresee, and as private as any other.
    pub(crate) fn of_system() -> Self {
        let mut bytes = [0; 16];
        match getrandom::fill(&mut bytes) {
            Ok(()) => Self::of_bytes(bytes),
            Err(_) => OrderKey::default(),
        }
    }

    /// A key that can be made again, for public data and for tests.
    pub(crate) fn of_seed(seed: u64) -> Self {
        OrderKey([seed, 0])
    }

    pub(crate) fn of_bytes(bytes: [u8; 16]) -> Self {
        let both = u128::from_le_bytes(bytes);
        OrderKey([both as u64, (both >> 64) as u64])
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let [low, high] = self.0.map(u128::from);
        (low | high << 64).to_le_bytes()
    }

    /// The start of the stream of a person who is named by a number.
    pub(crate) fn number(&self, person: i64) -> u64 {
        self.hash(&person.to_le_bytes())
    }

    /// The start of the stream of a person who is named by a text: by the text itself, not by a code,
    /// which other people's rows would change.
    pub(crate) fn text(&self, person: &str) -> u64 {
        self.hash(person.as_bytes())
    }

    /// SipHash-2-4.
    fn hash(&self, bytes: &[u8]) -> u64 {
        let [a, b] = self.0;
        let mut v = [
            a ^ 0x736f_6d65_7073_6575,
            b ^ 0x646f_7261_6e64_6f6d,
            a ^ 0x6c79_6765_6e65_7261,
            b ^ 0x7465_6462_7974_6573,
        ];
        let round = |v: &mut [u64; 4]| {
            v[0] = v[0].wrapping_add(v[1]);
            v[2] = v[2].wrapping_add(v[3]);
            v[1] = v[1].rotate_left(13) ^ v[0];
            v[3] = v[3].rotate_left(16) ^ v[2];
            v[0] = v[0].rotate_left(32);
            v[2] = v[2].wrapping_add(v[1]);
            v[0] = v[0].wrapping_add(v[3]);
            v[1] = v[1].rotate_left(17) ^ v[2];
            v[3] = v[3].rotate_left(21) ^ v[0];
            v[2] = v[2].rotate_left(32);
        };
        let mut take = |word: u64| {
            v[3] ^= word;
            round(&mut v);
            round(&mut v);
            v[0] ^= word;
        };
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            take(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        last[7] = bytes.len() as u8;
        take(u64::from_le_bytes(last));
        v[2] ^= 0xff;
        for _ in 0..4 {
            round(&mut v);
        }
        v[0] ^ v[1] ^ v[2] ^ v[3]
    }
}

/// The number of row `index` in the stream of a person (SplitMix64). Different rows of one person have
/// different numbers, whatever the start: each step is a bijection of 64 bits.
fn score(start: u64, index: u64) -> u64 {
    let mut z = start.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The ranks of one person's rows, in the order of the table.
fn person(start: u64, ranks: &mut [u32], scratch: &mut Vec<(u64, usize)>) {
    scratch.clear();
    scratch.extend((0..ranks.len()).map(|row| (score(start, row as u64), row)));
    scratch.sort_unstable();
    for (rank, (_, row)) in scratch.iter().enumerate() {
        // So many rows that a rank does not fit are never among the first K, which does.
        ranks[*row] = u32::try_from(rank).unwrap_or(u32::MAX);
    }
}

/// The first sweep over the persons of a table: how many rows each has.
///
/// To bound memory, sweep several times, each time over the persons of one part only.
#[derive(Debug)]
pub struct Counting<P> {
    places: HashMap<P, u32>,
    /// Where each person's stream starts, and how many rows the person has.
    persons: Vec<(u64, usize)>,
}

impl<P: Eq + Hash> Counting<P> {
    pub(crate) fn new() -> Self {
        Counting {
            places: HashMap::new(),
            persons: Vec::new(),
        }
    }

    /// Counts a row of a person, whose stream starts at `start`: see [`OrderKey::number`] and
    /// [`OrderKey::text`]. Returns the place of the person among those seen.
    pub(crate) fn see<Q>(&mut self, person: &Q, start: impl FnOnce() -> u64) -> u32
    where
        P: Borrow<Q>,
        Q: ?Sized + Eq + Hash + ToOwned<Owned = P>,
    {
        let place = match self.places.get(person) {
            Some(place) => *place,
            None => {
                let place = u32::try_from(self.persons.len()).unwrap_or(u32::MAX);
                assert!(
                    place < u32::MAX,
                    "more than 2^32 - 1 persons in one table or sweep"
                );
                self.places.insert(person.to_owned(), place);
                self.persons.push((start(), 0));
                place
            }
        };
        self.persons[place as usize].1 += 1;
        place
    }

    /// Orders the rows of every person.
    pub(crate) fn rank(self) -> Ranking<P> {
        let rows = self.persons.iter().map(|(_, rows)| rows).sum();
        let (mut ranks, mut next) = (vec![0; rows], Vec::with_capacity(self.persons.len()));
        let (mut from, mut scratch) = (0, Vec::new());
        for (start, rows) in self.persons {
            next.push(from..from + rows);
            person(start, &mut ranks[from..from + rows], &mut scratch);
            from += rows;
        }
        Ranking {
            places: self.places,
            ranks,
            next,
        }
    }
}

/// The second sweep, in the same order: the rank of each row.
#[derive(Debug)]
pub struct Ranking<P> {
    places: HashMap<P, u32>,
    /// The ranks of each person's rows, one person after the other.
    ranks: Vec<u32>,
    /// Which of them each person's next rows have.
    next: Vec<Range<usize>>,
}

impl<P: Eq + Hash> Ranking<P> {
    /// The rank of the next row of a person; none if the first sweep saw fewer rows of that person.
    #[cfg_attr(not(test), allow(dead_code))] // a table in memory has the places
    pub(crate) fn next<Q>(&mut self, person: &Q) -> Option<u32>
    where
        P: Borrow<Q>,
        Q: ?Sized + Eq + Hash,
    {
        let place = *self.places.get(person)?;
        self.of_place(place)
    }

    /// Whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The rank of the next row of the person at a place.
    pub(crate) fn of_place(&mut self, place: u32) -> Option<u32> {
        let at = self.next[place as usize].next()?;
        Some(self.ranks[at])
    }
}

/// Whose row each row of a table in memory is, and the random order of each person's rows.
pub(crate) struct Persons {
    /// For each row, padded: how many rows of the same person come before it.
    ranks: Vec<u32>,
    /// For each row, the place of its person.
    places: Vec<u32>,
    /// How many rows the persons have, one person after the other.
    rows: Vec<usize>,
}

impl Persons {
    /// From the places that [`Counting::see`] returned, with ranks for `padded` rows.
    pub(super) fn new<P: Eq + Hash>(
        counting: Counting<P>,
        places: Vec<u32>,
        padded: usize,
    ) -> Self {
        let rows = counting.persons.iter().map(|(_, rows)| *rows).collect();
        let mut ranking = counting.rank();
        let mut ranks = vec![u32::MAX; padded];
        for (rank, place) in ranks.iter_mut().zip(&places) {
            *rank = ranking.of_place(*place).unwrap_or(u32::MAX);
        }
        Persons {
            ranks,
            places,
            rows,
        }
    }

    /// Ranks alone, of a batch whose persons other batches have too.
    pub(super) fn of_ranks(ranks: Vec<u32>) -> Self {
        Persons {
            ranks,
            places: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The ranks of one chunk.
    pub(super) fn ranks(&self, chunk: usize) -> &[u32; CHUNK] {
        &self.ranks.as_chunks().0[chunk]
    }

    /// Where each person's rows are in [`order`](Persons::order).
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        self.rows.iter().map(move |rows| {
            from += rows;
            from - rows..from
        })
    }

    /// All rows, one person after the other, each person's in their random order.
    pub(super) fn order(&self) -> Vec<usize> {
        let starts: Vec<usize> = self.ranges().map(|range| range.start).collect();
        let mut order = vec![usize::MAX; self.places.len()];
        for (row, (place, rank)) in self.places.iter().zip(&self.ranks).enumerate() {
            if let Some(at) = order.get_mut(starts[*place as usize] + *rank as usize) {
                *at = row;
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_siphash_2_4() {
        let key = OrderKey::of_bytes(core::array::from_fn(|i| i as u8));
        let bytes: Vec<u8> = (0..15).collect();
        // From the paper of Aumasson and Bernstein, and its reference implementation.
        assert_eq!(key.hash(&bytes), 0xa129_ca61_49be_45e5);
        assert_eq!(key.hash(&[]), 0x726f_db47_dd0e_0e31);
        assert_eq!(key.hash(&bytes[..8]), 0x93f5_f579_9a93_2462);
    }

    fn ranks_of(key: OrderKey, person: i64, rows: usize) -> Vec<u32> {
        let mut ranks = vec![0; rows];
        super::person(key.number(person), &mut ranks, &mut Vec::new());
        ranks
    }

    #[test]
    fn ranks_are_a_permutation() {
        for rows in [0, 1, 2, 3, 10, 1000] {
            let mut ranks = ranks_of(OrderKey::of_seed(5), 17, rows);
            ranks.sort_unstable();
            assert!(ranks.iter().copied().eq(0..rows as u32));
        }
    }

    /// Each of the 24 orders of four rows, over persons and over keys, as often as chance has it.
    #[test]
    fn all_orders_are_equally_likely() {
        let chi_square = |orders: &mut dyn Iterator<Item = Vec<u32>>| {
            let mut seen: HashMap<Vec<u32>, f64> = HashMap::new();
            orders.for_each(|order| *seen.entry(order).or_default() += 1.0);
            assert_eq!(seen.len(), 24);
            let expected = 1000.0;
            seen.values()
                .map(|n| (n - expected).powi(2) / expected)
                .sum::<f64>()
        };
        let key = OrderKey::of_seed(9);
        let over_persons = chi_square(&mut (0..24_000).map(|person| ranks_of(key, person, 4)));
        let over_keys =
            chi_square(&mut (0..24_000).map(|seed| ranks_of(OrderKey::of_seed(seed), 3, 4)));
        // 23 degrees of freedom: above 60 with probability 4·10⁻⁵.
        assert!(over_persons < 60.0, "{over_persons}");
        assert!(over_keys < 60.0, "{over_keys}");
    }

    #[test]
    fn sweeps_of_parts_agree_with_one_sweep() {
        let key = OrderKey::of_seed(1);
        let persons: Vec<String> = (0..500).map(|i| format!("p{}", i * i % 37)).collect();
        let sweep = |part: &dyn Fn(&str) -> bool| {
            let mut counting = Counting::<String>::new();
            for person in persons.iter().filter(|person| part(person)) {
                counting.see(person.as_str(), || key.text(person));
            }
            let mut ranking = counting.rank();
            let ranks: Vec<Option<u32>> = persons
                .iter()
                .map(|person| ranking.next(person.as_str()))
                .collect();
            assert_eq!(ranking.next(persons[0].as_str()), None);
            ranks
        };
        let whole = sweep(&|_| true);
        assert!(whole.iter().all(Option::is_some));
        let odd = |person: &str| key.text(person) % 2 == 1;
        let (odd, even) = (sweep(&odd), sweep(&|person| !odd(person)));
        for ((whole, odd), even) in whole.iter().zip(odd).zip(even) {
            assert_eq!(*whole, odd.or(even));
            assert!(odd.is_none() || even.is_none());
        }
    }
}
