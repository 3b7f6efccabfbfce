//! Rows that are kept among those that match, or in each block: a mask that one pass makes and drops.

use core::any::TypeId;
use std::sync::OnceLock;

use super::{CHUNK, Chunk, HasPerson, LEFT_OUT, TableData};

/// The masks of one pass, each made when it is first asked for, by what asks for it.
#[derive(Default)]
pub(crate) struct Masks(OnceLock<Box<Link>>);

struct Link {
    key: (TypeId, usize),
    mask: Vec<bool>,
    next: Masks,
}

impl Masks {
    /// The mask that `of` asks for. What asks must live as long as the pass: it is known by its type
    /// and its address. (Things of no size may share an address; then they are equal.)
    fn of<T: 'static>(&self, of: &T, make: impl FnOnce() -> Vec<bool>) -> &[bool] {
        let key = (TypeId::of::<T>(), core::ptr::from_ref(of).addr());
        let (mut at, mut make) = (self, Some(make));
        loop {
            let link = at.0.get_or_init(|| {
                Box::new(Link {
                    key,
                    mask: make.take().map(|make| make()).unwrap_or_default(),
                    next: Masks::default(),
                })
            });
            if link.key == key {
                return &link.mask;
            }
            at = &link.next;
        }
    }
}

/// How much is kept of one person: `rows` in each of at most `groups` groups.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    pub(crate) groups: usize,
    pub(crate) rows: u32,
}

impl<'a, R: HasPerson> Chunk<'a, R> {
    /// Which rows of the chunk are kept. `group` says for each row of a chunk in which group it is;
    /// `LEFT_OUT` in none.
    pub(crate) fn kept<T: 'static>(
        &self,
        of: &T,
        most: Most,
        group: impl FnMut(&Chunk<'_, R>, &mut [u32; CHUNK]),
    ) -> &'a [bool; CHUNK] {
        let (table, index) = self.place();
        // PRIVACY: a batch does not have all rows of a person, so nothing could be bounded. Such queries
        // are refused before a pass; should one come here, nothing is kept.
        if table.is_batch() {
            return &[false; CHUNK];
        }
        let mask = self.masks().of(of, || table.keep(most, group));
        &mask.as_chunks().0[index]
    }
}

impl<R: HasPerson> TableData<R> {
    /// PRIVACY: for each person, the rows that match are taken in that person's random order, until
    /// there are enough. Which rows are kept depends on that person's rows alone.
    fn keep(
        &self,
        most: Most,
        mut group: impl FnMut(&Chunk<'_, R>, &mut [u32; CHUNK]),
    ) -> Vec<bool> {
        let none = Masks::default();
        let mut groups = vec![LEFT_OUT; self.chunks() * CHUNK];
        for (index, part) in groups.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            group(&self.chunk(index, &none), part);
        }
        let persons = self.persons();
        let order = persons.order();
        let mut kept = vec![false; groups.len()];
        let mut seen: Vec<(u32, u32)> = Vec::new();
        for rows in persons.ranges() {
            seen.clear();
            for &row in &order[rows] {
                // A rank that did not fit left its place empty.
                let Some(&group) = groups.get(row) else {
                    continue;
                };
                if group == LEFT_OUT {
                    continue;
                }
                match seen.iter().position(|(known, _)| *known == group) {
                    Some(at) => {
                        let rows = &mut seen[at].1;
                        kept[row] = *rows < most.rows;
                        *rows = rows.saturating_add(1);
                    }
                    None if seen.len() < most.groups => {
                        seen.push((group, 1));
                        kept[row] = true;
                    }
                    None => {}
                }
            }
        }
        kept
    }
}
