//! Counts of a histogram's keys: one is added for each row, wherever it falls, without a branch on a key.

use crate::data::CHUNK;

/// Fewer cells are counted in four tables, so that equal keys in a row need not wait for each other.
const SMALL: usize = 128;

/// Rows of which the keys are found before they are counted: more of them hold up a large table.
const AHEAD: usize = 4;

/// Counts of rows by key, of which there may be more than there are cells.
pub(super) enum Counts {
    Small(Box<[[u32; SMALL]; AHEAD]>),
    /// A power of two, so that a key finds its count without a comparison.
    Large(Vec<u32>),
}

impl Counts {
    /// For so many cells, and for one more key that belongs to none of them.
    pub(super) fn new(cells: usize) -> Self {
        match cells < SMALL {
            true => Counts::Small(Box::new([[0; SMALL]; AHEAD])),
            false => Counts::Large(vec![0; (cells + 1).next_power_of_two()]),
        }
    }

    /// Counts the first rows of a chunk by their keys, all of them or those that are kept.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        rows: usize,
        key: impl Fn(usize) -> u32,
        keep: Option<&[bool; CHUNK]>,
    ) {
        match keep {
            None => self.add_ones(rows, key, |_| true),
            Some(keep) => self.add_ones(rows, key, |row| keep[row]),
        }
    }

    /// PRIVACY: each row adds 0 or 1 to what its key says: no branch, and the same work for every row.
    #[inline(always)]
    fn add_ones(&mut self, rows: usize, key: impl Fn(usize) -> u32, one: impl Fn(usize) -> bool) {
        match self {
            Counts::Small(tables) => each(rows, key, one, |ahead, key, one| {
                tables[ahead % AHEAD][key % SMALL] += one;
            }),
            Counts::Large(table) => {
                let last = table.len() - 1;
                each(rows, key, one, |_, key, one| table[key & last] += one);
            }
        }
    }

    /// Adds the counts to the cells, and begins anew. Keys past the cells are left out.
    pub(super) fn carry(&mut self, cells: &mut [i128]) {
        match self {
            Counts::Small(tables) => {
                for table in tables.iter_mut() {
                    carry(table, cells);
                }
            }
            Counts::Large(table) => carry(table, cells),
        }
    }
}

fn carry(table: &mut [u32], cells: &mut [i128]) {
    for (count, cell) in table.iter_mut().zip(cells) {
        *cell += i128::from(*count);
    }
    table.fill(0);
}

/// Shows the keys of rows. Most chunks are full, and a loop of known length needs no test of its rows.
#[inline(always)]
fn each(
    rows: usize,
    key: impl Fn(usize) -> u32,
    one: impl Fn(usize) -> bool,
    count: impl FnMut(usize, usize, u32),
) {
    if rows == CHUNK {
        ahead(CHUNK, key, one, count);
    } else {
        ahead(rows.min(CHUNK), key, one, count);
    }
}

/// Shows the keys of rows, a few of them found before the first is counted.
#[inline(always)]
fn ahead(
    rows: usize,
    key: impl Fn(usize) -> u32,
    one: impl Fn(usize) -> bool,
    mut count: impl FnMut(usize, usize, u32),
) {
    let mut row = 0;
    while row + AHEAD <= rows {
        let keys: [usize; AHEAD] = core::array::from_fn(|ahead| key(row + ahead) as usize);
        let ones: [u32; AHEAD] = core::array::from_fn(|ahead| one(row + ahead).into());
        for ahead in 0..AHEAD {
            count(ahead, keys[ahead], ones[ahead]);
        }
        row += AHEAD;
    }
    while row < rows {
        count(0, key(row) as usize, one(row).into());
        row += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Choices;

    #[test]
    fn counts_are_those_of_a_loop_and_keys_past_the_cells_are_left_out() {
        let mut c = Choices::new(3);
        for cells in [1, 9, 126, 127, 128, 1_000, 1_023, 1_024] {
            let mut counts = Counts::new(cells);
            let (mut ours, mut by_hand) = (vec![0; cells], vec![0; cells]);
            for rows in [CHUNK, 0, 1, 3, 777, CHUNK] {
                let keys: Vec<u32> = (0..CHUNK)
                    .map(|_| match c.below(9) {
                        0 => u32::MAX,
                        1 => cells as u32,
                        2 => 0,
                        _ => c.below(cells) as u32,
                    })
                    .collect();
                let keep: [bool; CHUNK] = core::array::from_fn(|_| c.below(3) > 0);
                let keep = (c.below(2) == 0).then_some(&keep);
                counts.add(rows, |row| keys[row], keep);
                for (row, key) in keys[..rows].iter().enumerate() {
                    if let Some(cell) = by_hand.get_mut(*key as usize) {
                        *cell += i128::from(keep.is_none_or(|keep| keep[row]));
                    }
                }
                if c.below(2) == 0 {
                    counts.carry(&mut ours);
                }
            }
            counts.carry(&mut ours);
            assert_eq!(ours, by_hand, "{cells} cells");
        }
    }
}
