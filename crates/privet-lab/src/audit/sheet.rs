//! Counts of what was seen.

use super::outcome::{Notes, mix};

/// Bins on either side, for what lies outside the ordered ones.
const OUTSIDE: usize = 1024;
/// Bins in order.
const ZONE: usize = 4096;
/// All bins that partition a view.
pub(super) const BINS: usize = ZONE + 2 * OUTSIDE;
/// Residues, which are counted in addition.
pub(super) const RESIDUES: usize = 16;

/// Where to look at one view: numbers near `centre`, in steps of 2^`shift`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lens {
    pub centre: i128,
    pub shift: u32,
    pub number: bool,
}

/// Where to look at each view.
#[derive(Clone, Debug, Default)]
pub(super) struct Lenses {
    pub lenses: [Lens; Notes::VIEWS],
    seen: Vec<Vec<i128>>,
}

impl Lenses {
    /// Takes note of an output, while scouting.
    pub(super) fn scout(&mut self, notes: &Notes) {
        self.seen.resize(Notes::VIEWS, Vec::new());
        let (lenses, seen) = (&mut self.lenses, &mut self.seen);
        notes.views(|view, value, number| {
            lenses[view].number |= number;
            seen[view].push(value);
        });
    }

    /// Fits the ordered bins to all but the outermost two thousandths of what was scouted.
    pub(super) fn focus(&mut self) {
        for (lens, mut seen) in self.lenses.iter_mut().zip(std::mem::take(&mut self.seen)) {
            if seen.is_empty() {
                continue;
            }
            seen.sort_unstable();
            let at = |part: usize| seen[(seen.len() - 1) * part / 1000];
            let (low, high) = (at(1), at(999));
            let width = high.wrapping_sub(low).unsigned_abs();
            lens.centre = low.wrapping_add((width / 2) as i128);
            // Twice the width fits into the zone.
            while (width >> lens.shift) * 2 > ZONE as u128 {
                lens.shift += 1;
            }
        }
    }

    #[inline]
    fn bin(&self, view: usize, value: i128, number: bool) -> usize {
        let lens = &self.lenses[view];
        if !number {
            return mix(value as u64) as usize % BINS;
        }
        let half = ZONE as i128 / 2;
        // Nearly all of them: within 64 bits, and in the zone.
        let from = value.wrapping_sub(lens.centre);
        if from == i128::from(from as i64) && lens.shift < 64 {
            let place = (from as i64 >> lens.shift).wrapping_add(half as i64) as u64;
            if place < ZONE as u64 {
                return OUTSIDE + place as usize;
            }
        }
        let place = from >> lens.shift;
        if (-half..half).contains(&place) {
            return OUTSIDE + (place + half) as usize;
        }
        // Any fixed map of values to bins will do.
        let bucket = mix(place as u64 ^ (place >> 64) as u64) as usize % OUTSIDE;
        if place < 0 {
            bucket
        } else {
            OUTSIDE + ZONE + bucket
        }
    }

    /// Describes what is in a bin.
    pub(super) fn describe(&self, view: usize, bin: usize) -> String {
        let lens = &self.lenses[view];
        match bin {
            _ if !lens.number => format!("label #{bin}"),
            _ if bin < OUTSIDE => format!("far below #{bin}"),
            _ if bin >= OUTSIDE + ZONE => format!("far above #{bin}"),
            _ => {
                let place = bin as i128 - (OUTSIDE + ZONE / 2) as i128;
                format!("{}", lens.centre.wrapping_add(place << lens.shift))
            }
        }
    }
}

/// Counts of one view.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub bins: Vec<u64>,
    pub residues: [u64; RESIDUES],
}

/// Counts of all views.
#[derive(Clone, Debug)]
pub(super) struct Sheet(Vec<Option<View>>);

impl Default for Sheet {
    fn default() -> Self {
        Sheet(vec![None; Notes::VIEWS])
    }
}

impl Sheet {
    #[inline]
    pub(super) fn add(&mut self, notes: &Notes, lenses: &Lenses) {
        notes.views(|view, value, number| {
            let counts = self.0[view].get_or_insert_with(|| View {
                bins: vec![0; BINS],
                residues: [0; RESIDUES],
            });
            counts.bins[lenses.bin(view, value, number)] += 1;
            if number {
                counts.residues[value as usize % RESIDUES] += 1;
            }
        });
    }

    pub(super) fn merge(&mut self, other: Sheet) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            match (mine.as_mut(), theirs) {
                (Some(mine), Some(theirs)) => {
                    for (a, b) in mine.bins.iter_mut().zip(theirs.bins) {
                        *a += b;
                    }
                    for (a, b) in mine.residues.iter_mut().zip(theirs.residues) {
                        *a += b;
                    }
                }
                (None, theirs) => *mine = theirs,
                (Some(_), None) => {}
            }
        }
    }

    pub(super) fn view(&self, view: usize) -> Option<&View> {
        self.0.get(view)?.as_ref()
    }
}
