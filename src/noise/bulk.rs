//! Many values of one distribution, by whichever method is cheapest.

use std::sync::Arc;

use super::cache::Cache;
use super::entropy::Entropy;
use super::gaussian::{GaussianVariance, gaussian};
use super::laplace::{LaplaceScale, laplace};
use super::magnitude::Magnitude;
use super::table::{MAX_ENTRIES, Table};
use super::wide::{WideGaussian, WideLaplace, gaussian_high, laplace_high, with_sign};
use super::wipe;

/// Words drawn at once, and kept on the stack.
const CHUNK: usize = 512;

static TABLES: Cache<Magnitude, Table> = Cache::new();

/// A way to draw many values.
pub(super) enum Method<W> {
    /// A table of the magnitudes.
    Table(Arc<Table>),
    /// A table of the high part.
    Wide(W),
    /// A table would not be faster, or none could be certified.
    Single,
}

impl Method<WideLaplace> {
    pub(super) fn laplace(scale: LaplaceScale, count: usize) -> Self {
        let law = Magnitude::Laplace(scale);
        if law.entries() <= MAX_ENTRIES {
            return table(law, count).map_or(Method::Single, Method::Table);
        }
        laplace_high(scale)
            .and_then(|(law, shift)| Some(WideLaplace::new(table(law, count)?, scale, shift)))
            .map_or(Method::Single, Method::Wide)
    }

    pub(super) fn fill_laplace(&self, entropy: &mut Entropy, scale: LaplaceScale, out: &mut [i64]) {
        match self {
            Method::Table(table) => fill_by_table(entropy, table, out),
            Method::Wide(wide) => wide.fill(entropy, out),
            // Modulo 2^64.
            Method::Single => out.fill_with(|| laplace(entropy, scale) as i64),
        }
    }
}

impl Method<WideGaussian> {
    pub(super) fn gaussian(variance: GaussianVariance, count: usize) -> Self {
        let law = Magnitude::Gaussian(variance);
        if law.entries() <= MAX_ENTRIES {
            return table(law, count).map_or(Method::Single, Method::Table);
        }
        gaussian_high(variance)
            .and_then(|(law, shift)| Some(WideGaussian::new(table(law, count)?, variance, shift)))
            .map_or(Method::Single, Method::Wide)
    }

    pub(super) fn fill_gaussian(
        &self,
        entropy: &mut Entropy,
        variance: GaussianVariance,
        out: &mut [i64],
    ) {
        match self {
            Method::Table(table) => fill_by_table(entropy, table, out),
            Method::Wide(wide) => wide.fill(entropy, out),
            // Modulo 2^64.
            Method::Single => out.fill_with(|| gaussian(entropy, variance) as i64),
        }
    }
}

/// The table of `law`, unless fewer values are wanted than it has entries.
///
/// Building an entry takes as long as about 5 (Laplace) to 8 (Gaussian) values one by one, and a
/// value from the table takes a tenth of that: a table is worth it from the first few calls on. The choice does
/// not depend on what is cached, so that equal seeds give equal simulations.
///
/// PRIVACY: `count` is the length of the answer, which is public.
fn table(law: Magnitude, count: usize) -> Option<Arc<Table>> {
    if count < law.entries() {
        return None;
    }
    cached(law)
}

/// The table of `law`; `None` if it would be too large or could not be certified.
pub(super) fn cached(law: Magnitude) -> Option<Arc<Table>> {
    TABLES.get_or_build(law, Table::new)
}

/// EXACT: one of the 32 bits is the sign, and the other 31 begin the uniform number that the table
/// inverts; they are independent. Where the magnitude is 0 the sign changes nothing, and the
/// table has the true probability of 0, so there is nothing to reject.
fn fill_by_table(entropy: &mut Entropy, table: &Table, out: &mut [i64]) {
    let mut words = [0; CHUNK];
    let used = out.len().min(CHUNK);
    for out in out.chunks_mut(CHUNK) {
        let words = &mut words[..out.len()];
        entropy.fill(words);
        for (out, &mut word) in out.iter_mut().zip(words) {
            *out = with_sign(table.sample(entropy, word >> 1), u64::from(word & 1));
        }
    }
    wipe(&mut words[..used]);
}
