//! Whether a sampler follows a law.

use std::collections::HashMap;
use std::hash::Hash;

use num_traits::ToPrimitive;

use crate::audit::{lower_bound, upper_bound};
use crate::exact::{Law, Rational};
use crate::{Coins, Error};

/// Draws from a sampler and names the outputs whose frequency contradicts their probability.
///
/// Each frequency is compared by itself, with Clopper–Pearson bounds that are wrong once in a
/// million for all outputs together. Moments and maximal distances would hide errors that this shows.
///
/// ```
/// use privet_lab::{fit, laws::DiscreteLaplace};
///
/// # fn main() -> Result<(), privet_lab::Error> {
/// let law = DiscreteLaplace { scale: (2, 1), sensitivity: 1, reach: 20 };
/// assert!(fit(&law, &0, 100_000, 1, |coins| coins.laplace(2, 1))?.is_empty());
/// assert!(!fit(&law, &0, 100_000, 1, |coins| coins.laplace(3, 2))?.is_empty());
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// [`Error::Noise`] if the sampler asked for noise out of range; [`Error::Settings`] without draws
/// or outputs.
pub fn fit<L: Law>(
    law: &L,
    input: &L::Input,
    draws: u64,
    seed: u64,
    mut sampler: impl FnMut(&mut Coins) -> L::Output,
) -> Result<Vec<String>, Error>
where
    L::Output: Hash + Eq,
{
    let outputs = law.outputs(input, input);
    if draws == 0 || outputs.is_empty() {
        return Err(Error::Settings("a fit needs draws and outputs"));
    }
    let mut counts: HashMap<L::Output, u64> = outputs.iter().map(|o| (o.clone(), 0)).collect();
    let mut coins = Coins::new(seed);
    let mut others = 0;
    for _ in 0..draws {
        match counts.get_mut(&sampler(&mut coins)) {
            Some(count) => *count += 1,
            None => others += 1,
        }
    }
    if coins.failed() {
        return Err(Error::Noise);
    }
    let error = 1e-6 / (2 * outputs.len() + 1) as f64;
    let mut misfits = Vec::new();
    for output in outputs {
        let seen = counts.get(&output).copied().unwrap_or(0);
        let probability = law.probability(input, &output);
        let (low, high) = (about(&probability.lower()), about(&probability.upper()));
        let too_many = lower_bound(seen, draws, error) > high * (1.0 + 1e-9);
        let too_few = upper_bound(seen, draws, error) < low * (1.0 - 1e-9);
        if too_many || too_few {
            misfits.push(format!(
                "{output:?}: {seen} in {draws}, expected {probability}"
            ));
        }
    }
    let rest = about(&law.rest(input, input).mass());
    if lower_bound(others, draws, error) > rest * (1.0 + 1e-9) {
        misfits.push(format!(
            "{others} outputs in {draws} that the law leaves out"
        ));
    }
    Ok(misfits)
}

fn about(value: &Rational) -> f64 {
    // Denominators are powers of two up to 2^256, within the range of f64.
    let num = value.numer().to_f64().unwrap_or(f64::INFINITY);
    num / value.denom().to_f64().unwrap_or(f64::INFINITY)
}
