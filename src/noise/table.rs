//! Inversion by a certified table of thresholds.
//!
//! A table holds c(g) = ⌊F(g)·2^63⌋ for a cumulative distribution F. The first bits of a uniform
//! number U decide, by comparison with c, which g has F(g − 1) ≤ U < F(g): that g is the sample.
//! The only obligation is the certificate c(g)/2^63 ≤ F(g) ≤ (c(g) + 1)/2^63. It is checked for
//! every entry when the table is built, and it proves all 2^63 prefixes at once.

use super::entropy::Entropy;
use super::fixed::{Interval, side};
use super::laplace::geometric;
use super::magnitude::Magnitude;

/// The most entries a table may have. A larger one would outgrow the processor's caches.
pub(super) const MAX_ENTRIES: usize = 1 << 14;

/// Thresholds of one law.
pub(super) struct Table {
    law: Magnitude,
    /// ⌊F(g)·2^31⌋, for the first comparison.
    coarse: Vec<u32>,
    /// ⌊F(g)·2^63⌋, where the first comparison is undecided.
    fine: Vec<u64>,
    /// The first entry that a prefix with these leading bits can belong to.
    guide: Vec<u16>,
    guide_shift: u32,
}

impl Table {
    /// Builds and certifies a table; `None` if it would be too large or an entry is not certain.
    pub(super) fn new(law: Magnitude) -> Option<Self> {
        Self::with_entries(law, law.entries())
    }

    pub(super) fn with_entries(law: Magnitude, entries: usize) -> Option<Self> {
        if entries > MAX_ENTRIES {
            return None;
        }
        let cumulative = law.cumulative(entries, 2);
        let fine: Vec<u64> = cumulative
            .iter()
            .take(entries)
            .map(certified)
            .collect::<Option<_>>()?;
        // EXACT: both inequalities of the certificate survive dropping 32 bits of c.
        let coarse: Vec<u32> = fine.iter().map(|c| (c >> 32) as u32).collect();
        let guide_bits = (entries.ilog2() + 4).clamp(8, 13);
        let guide_shift = 31 - guide_bits;
        Some(Table {
            law,
            guide: guide(&coarse, guide_bits),
            coarse,
            fine,
            guide_shift,
        })
    }

    /// The sample for a uniform number that begins with the 31 bits of `prefix`.
    ///
    /// EXACT: all g before the guide's have c(g) < prefix. If prefix > c(g), then
    /// U ≥ (c(g) + 1)/2^31 ≥ F(g) whatever bits follow, so the sample is beyond g. If
    /// prefix < c(g), then U < c(g)/2^31 ≤ F(g), so it is not. If they are equal, nothing is
    /// known yet, and more bits are drawn.
    #[inline(always)]
    pub(super) fn sample(&self, entropy: &mut Entropy, prefix: u32) -> u64 {
        debug_assert!(prefix >> 31 == 0);
        let mut g = usize::from(self.guide[(prefix >> self.guide_shift) as usize]);
        while let Some(&c) = self.coarse.get(g) {
            if prefix < c {
                return g as u64;
            }
            if prefix == c {
                break;
            }
            g += 1;
        }
        self.sample_fine(entropy, prefix, g)
    }

    /// Like [`Table::sample`], with 63 bits, from entry `g` on.
    #[cold]
    #[inline(never)]
    fn sample_fine(&self, entropy: &mut Entropy, prefix: u32, mut g: usize) -> u64 {
        if g == self.fine.len() && self.law.is_memoryless() {
            return self.tail(entropy);
        }
        let prefix = u64::from(prefix) << 32 | u64::from(entropy.half_word());
        while let Some(&c) = self.fine.get(g) {
            if prefix < c {
                return g as u64;
            }
            if prefix == c {
                break;
            }
            g += 1;
        }
        self.resolve(entropy, prefix, g)
    }

    /// Like [`Table::sample`], with 63 bits, in a time that does not depend on the sample.
    ///
    /// The exceptions are a prefix that equals a threshold, of probability 2^−63 for each, and one
    /// beyond the table.
    pub(super) fn sample_in_constant_time(&self, entropy: &mut Entropy, prefix: u64) -> u64 {
        debug_assert!(prefix >> 63 == 0);
        let (mut g, mut ties) = (0, 0);
        for &c in &self.fine {
            g += usize::from(c < prefix);
            ties += usize::from(c == prefix);
        }
        if ties == 0 && g < self.fine.len() {
            return g as u64;
        }
        self.resolve(entropy, prefix, g)
    }

    /// Like [`Table::sample`], with as many bits as it takes (64 or more), from entry `g` on.
    ///
    /// EXACT: as in [`decide_below`](super::fixed::decide_below), entry by entry.
    #[cold]
    fn resolve(&self, entropy: &mut Entropy, prefix: u64, mut g: usize) -> u64 {
        let mut prefix = vec![prefix << 1 | u64::from(entropy.half_word() & 1)];
        let mut count = self.fine.len();
        loop {
            if g >= self.fine.len() && self.law.is_memoryless() {
                return self.tail(entropy);
            }
            let cumulative = self.law.cumulative(count.max(g + 1), prefix.len() + 1);
            loop {
                match cumulative.get(g).map(|f| side(&prefix, f)) {
                    Some(Some(true)) => return g as u64,
                    Some(Some(false)) => g += 1,
                    Some(None) => break prefix.push(entropy.word()),
                    // Beyond all entries computed so far: compute more of them.
                    None => break count = 2 * cumulative.len(),
                }
            }
        }
    }

    /// A sample known to be beyond the table.
    ///
    /// EXACT: given that a geometric variable, or the magnitude of a Laplace variable, is at least
    /// n ≥ 1, what exceeds n is geometric of the same ratio. It is *not* distributed as the
    /// magnitude itself, whose P(0) is half as large in proportion.
    fn tail(&self, entropy: &mut Entropy) -> u64 {
        let beyond = match self.law {
            Magnitude::Laplace(scale) => geometric(entropy, scale),
            Magnitude::LaplaceHigh(scale, shift) => geometric(entropy, scale) >> shift,
            Magnitude::Gaussian(_) | Magnitude::GaussianHigh(..) => {
                unreachable!("gaussian tables are extended by `resolve`")
            }
        };
        // Modulo 2^64, like all of the bulk samplers. It is not 0, which `wide` relies on:
        // `geometric` would have to count for years to wrap around.
        (self.fine.len() as u64).wrapping_add(beyond as u64)
    }
}

/// For all leading `bits` of 31, the first entry that a prefix with them can belong to.
fn guide(coarse: &[u32], bits: u32) -> Vec<u16> {
    let least = (0..1_u32 << bits).map(|leading| leading << (31 - bits));
    // At most 2^14 entries, so the position fits.
    least
        .map(|least| coarse.partition_point(|&c| c < least) as u16)
        .collect()
}

/// c = ⌊F·2^63⌋, if the enclosure proves c/2^63 ≤ F ≤ (c + 1)/2^63.
fn certified(f: &Interval) -> Option<u64> {
    let c = (f.lo.leading() >> 1) as u64;
    let limit = (u128::from(c) + 1) << 1;
    let below = f.hi.leading() < limit || (f.hi.leading() == limit && f.hi.is_short());
    (c >> 63 == 0 && below).then_some(c)
}

#[cfg(test)]
impl Table {
    pub(super) fn thresholds(&self) -> &[u64] {
        &self.fine
    }

    /// Samples with a given 63-bit prefix.
    pub(super) fn sample_at(&self, entropy: &mut Entropy, prefix: u64) -> u64 {
        let g = self
            .coarse
            .partition_point(|&c| u64::from(c) < prefix >> 32);
        let g = g + self.fine[g..].partition_point(|&c| c < prefix);
        self.resolve(entropy, prefix, g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::LaplaceScale;
    use crate::noise::fixed::Fixed;

    #[test]
    fn a_guide_skips_what_is_below_and_nothing_else() {
        // One entry just below, one at and one just above the second of four leading patterns.
        let second = 1 << 29;
        let coarse = [second - 1, second, second + 1, 3 << 29];
        assert_eq!(guide(&coarse, 2), [0, 1, 3, 3]);
        assert_eq!(guide(&[], 2), [0; 4]);
    }

    #[test]
    fn guides_are_a_few_times_finer_than_their_tables() {
        for (entries, bits) in [(1, 8), (16, 8), (100, 10), (144, 11), (MAX_ENTRIES, 13)] {
            let law = Magnitude::Laplace(LaplaceScale::new(100, 1).unwrap());
            let table = Table::with_entries(law, entries).unwrap();
            assert_eq!(table.guide.len(), 1 << bits, "{entries}");
            assert_eq!(table.guide_shift, 31 - bits);
        }
        let law = Magnitude::Laplace(LaplaceScale::new(100, 1).unwrap());
        assert!(Table::with_entries(law, MAX_ENTRIES + 1).is_none());
    }

    #[test]
    fn only_what_the_enclosure_proves_is_certified() {
        let at = |c: u64| Fixed::ratio(c.into(), 1 << 63, 2);
        let certify = |lo: &Fixed, hi: Fixed| certified(&Interval { lo: lo.clone(), hi });
        let ulp = Fixed::units(1, 2);
        for c in [0, 1, 12_345, (1 << 62) + 7, (1 << 63) - 2] {
            let lo = at(c);
            assert_eq!(certify(&lo, lo.clone()), Some(c));
            assert_eq!(certify(&lo, lo.plus(&ulp)), Some(c));
            assert_eq!(certify(&lo.plus(&ulp), at(c + 1)), Some(c));
            assert_eq!(certify(&lo, at(c + 1).plus(&ulp)), None);
            assert_eq!(
                certify(&lo, at(c + 1).plus(&Fixed::ratio(1, 1 << 64, 2))),
                None
            );
            assert_eq!(certify(&lo, at(c + 2)), None);
        }
        let one = Fixed::integer(1, 2);
        assert_eq!(
            certify(&at((1 << 63) - 1), one.clone()),
            Some((1 << 63) - 1)
        );
        assert_eq!(certify(&one, one.clone()), None);
    }
}
