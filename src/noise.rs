//! Exact noise: every function draws from exactly the distribution that it names.
//!
//! Mechanisms draw from here. You need this page only to add noise to numbers that no vault holds.
//!
//! ```
//! use privet::noise::{Entropy, LaplaceScale, laplace, laplace_fill};
//!
//! # fn main() -> Result<(), privet::noise::NoiseError> {
//! let mut entropy = Entropy::os()?;
//! // Sensitivity 1 at ε = 1/10: scale 10.
//! let scale = LaplaceScale::new(10, 1).expect("10/1 is in range");
//!
//! let count = 1_234;
//! let released = laplace(&mut entropy, scale)?.saturating_add(count);
//!
//! let mut histogram = [15, 0, 7, 120];
//! let mut noise = [0; 4];
//! laplace_fill(&mut entropy, scale, &mut noise)?;
//! for (bin, noise) in histogram.iter_mut().zip(noise) {
//!     *bin += i128::from(noise);
//! }
//! # let _ = released;
//! # Ok(())
//! # }
//! ```
//!
//! # Exact, relative to what
//!
//! Given independent fair bits, each probability is the stated real number, not an approximation:
//! there is no floating point, no rounding that could decide an outcome, and no cut-off of tails.
//! The fair bits themselves come from ChaCha12 under a key of the operating system
//! ([`Entropy`]), so the claim is only as strong as that cipher.
//!
//! | function | for | how |
//! |---|---|---|
//! | [`laplace`], [`gaussian`] | one value | Canonne–Kamath–Steinke in machine words |
//! | [`laplace_fill`], [`gaussian_fill`] | many values | inversion by a certified table |
//! | [`laplace_constant_time`] | observed running times | independent bits |
//! | [`gaussian_constant_time`] | observed running times | a table read from end to end |
//!
//! # Ranges
//!
//! Noise is unbounded and machine integers are not. Noise that does not fit is reduced modulo 2^128
//! (one value) or 2^64 (slices). Added with `wrapping_add`, it gives (answer + noise) modulo 2^128 or
//! 2^64. That is a function of the exact release and hence private, by post-processing. A reduction
//! happens with probability below exp(−2^30) for `i128` and below 2^−180 for `i64`.
//!
//! # Time
//!
//! The running time of every function except [`laplace_constant_time`] and
//! [`gaussian_constant_time`] depends on the value drawn. Where an observer can time a single draw, use
//! those two, or open the vault [in constant time](crate::Vault::in_constant_time). No running time
//! depends on anything else that is private, because these functions see no data.
//!
//! # How it is checked
//!
//! This path uses no big integers. A second implementation over big integers, which shares no
//! code with it, checks every threshold in the tests; every sampler's frequencies are compared
//! with its probabilities outcome by outcome, and all rare branches are forced by scripted words.

mod bernoulli;
mod bulk;
mod cache;
mod constant_time;
mod entropy;
mod fixed;
mod gaussian;
mod integer;
mod laplace;
mod magnitude;
mod table;
pub(crate) mod tails;
#[cfg(test)]
mod tests;
mod wide;

use std::fmt;

use bulk::Method;
pub use entropy::Entropy;
pub use gaussian::GaussianVariance;
pub use laplace::LaplaceScale;

/// Why no noise was returned.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoiseError {
    /// The operating system delivered no randomness.
    Entropy,
    /// A parameter is outside the range that the function documents.
    Range,
}

impl fmt::Display for NoiseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoiseError::Entropy => {
                "the operating system delivered no randomness; nothing was released, try again"
            }
            NoiseError::Range => "a noise parameter is outside the documented range",
        })
    }
}

/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for NoiseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for NoiseError {}

/// One discrete Laplace variable: P(k) ∝ exp(−|k|/scale).
///
/// # Errors
///
/// [`NoiseError::Entropy`] if the operating system delivers no randomness.
pub fn laplace(entropy: &mut Entropy, scale: LaplaceScale) -> Result<i128, NoiseError> {
    entropy.release(|entropy| laplace::laplace(entropy, scale))
}

/// One discrete Gaussian variable: P(k) ∝ exp(−k²/(2σ²)).
///
/// # Errors
///
/// [`NoiseError::Entropy`] if the operating system delivers no randomness.
pub fn gaussian(entropy: &mut Entropy, variance: GaussianVariance) -> Result<i128, NoiseError> {
    entropy.release(|entropy| gaussian::gaussian(entropy, variance))
}

/// Fills `out` with independent discrete Laplace variables, modulo 2^64.
///
/// Several times faster per value than [`laplace`] where `out` is long: it uses a certified table,
/// built once per scale and process.
///
/// # Errors
///
/// [`NoiseError::Range`] unless the scale is below [`MAX_BULK`]; [`NoiseError::Entropy`] if the
/// operating system delivers no randomness. `out` is all zeros then, which protects nothing: do not
/// add it to anything.
pub fn laplace_fill(
    entropy: &mut Entropy,
    scale: LaplaceScale,
    out: &mut [i64],
) -> Result<(), NoiseError> {
    let in_range = scale.floor() < MAX_BULK.into();
    fill(entropy, in_range, out, |entropy, out| {
        Method::laplace(scale, out.len()).fill_laplace(entropy, scale, out);
    })
}

/// Fills `out` with independent discrete Gaussian variables, modulo 2^64.
///
/// Many times faster per value than [`gaussian`] where `out` is long: it uses a certified table,
/// built once per variance and process.
///
/// # Errors
///
/// [`NoiseError::Range`] unless σ is below [`MAX_BULK`]; [`NoiseError::Entropy`] if the operating
/// system delivers no randomness. `out` is all zeros then, which protects nothing: do not add it to
/// anything.
pub fn gaussian_fill(
    entropy: &mut Entropy,
    variance: GaussianVariance,
    out: &mut [i64],
) -> Result<(), NoiseError> {
    let in_range = variance.deviation_floor() < MAX_BULK;
    fill(entropy, in_range, out, |entropy, out| {
        Method::gaussian(variance, out.len()).fill_gaussian(entropy, variance, out);
    })
}

/// Fills `out` with independent discrete Laplace variables, modulo 2^64, in a time that does not
/// depend on them.
///
/// The time depends on the scale and the number of values. Exceptions that depend on the noise have
/// probability below 2^−56 for a single value, and below 2^−42 for each 256 values of a longer
/// `out`. What the processor does with constant-time code is beyond a library's reach.
///
/// # Errors
///
/// [`NoiseError::Range`] unless the scale is below [`MAX_BULK`]; [`NoiseError::Entropy`] if the
/// operating system delivers no randomness. `out` is all zeros then, which protects nothing: do not
/// add it to anything.
pub fn laplace_constant_time(
    entropy: &mut Entropy,
    scale: LaplaceScale,
    out: &mut [i64],
) -> Result<(), NoiseError> {
    let in_range = scale.floor() < MAX_BULK.into();
    fill(entropy, in_range, out, |entropy, out| {
        constant_time::fill(entropy, scale, out)
    })
}

/// Fills `out` with independent discrete Gaussian variables, modulo 2^64, in a time that does not
/// depend on them.
///
/// The time depends on the variance and the number of values, and for σ of 64 and more on how many
/// candidates are rejected, which is independent of the values. Exceptions that depend on the noise
/// have probability below 2^−47 for each value. What the processor does with constant-time code is
/// beyond a library's reach.
///
/// # Errors
///
/// [`NoiseError::Range`] unless σ is below [`MAX_BULK`]; [`NoiseError::Entropy`] if the operating
/// system delivers no randomness. `out` is all zeros then, which protects nothing: do not add it to
/// anything.
pub fn gaussian_constant_time(
    entropy: &mut Entropy,
    variance: GaussianVariance,
    out: &mut [i64],
) -> Result<(), NoiseError> {
    let Some(gaussian) = steady_gaussian(variance) else {
        out.fill(0);
        return Err(NoiseError::Range);
    };
    fill(entropy, true, out, |entropy, out| {
        // Modulo 2^64.
        out.fill_with(|| gaussian.sample(entropy) as i64);
    })
}

/// Like [`laplace`], in a time that does not depend on the value. It is for scales below [`MAX_BULK`].
pub(crate) fn laplace_steady(
    entropy: &mut Entropy,
    scale: LaplaceScale,
) -> Result<i128, NoiseError> {
    if scale.floor() >= MAX_BULK.into() {
        return Err(NoiseError::Range);
    }
    entropy.release(|entropy| constant_time::laplace(entropy, scale))
}

/// Like [`gaussian`], in a time that does not depend on the value. It is for σ below [`MAX_BULK`].
pub(crate) fn gaussian_steady(
    entropy: &mut Entropy,
    variance: GaussianVariance,
) -> Result<i128, NoiseError> {
    let gaussian = steady_gaussian(variance).ok_or(NoiseError::Range)?;
    entropy.release(|entropy| gaussian.sample(entropy))
}

fn steady_gaussian(variance: GaussianVariance) -> Option<constant_time::Gaussian> {
    let in_range = variance.deviation_floor() < MAX_BULK;
    in_range.then(|| constant_time::Gaussian::new(variance))?
}

/// The bound on the scale, or standard deviation σ, in the functions that fill slices of `i64`.
///
/// Below it, P(|X| ≥ 2^63) is less than 2^−180.
pub const MAX_BULK: u64 = 1 << 56;

fn fill(
    entropy: &mut Entropy,
    in_range: bool,
    out: &mut [i64],
    draw: impl FnOnce(&mut Entropy, &mut [i64]),
) -> Result<(), NoiseError> {
    let result = if in_range {
        entropy.release(|entropy| draw(entropy, out))
    } else {
        Err(NoiseError::Range)
    };
    if result.is_err() {
        // PRIVACY: part of `out` may have been computed after the failure.
        out.fill(0);
    }
    result
}

/// Whether a coin of probability `num`/`den` shows heads.
///
/// # Errors
///
/// [`NoiseError::Range`] unless `num` ≤ `den` and `den` > 0; [`NoiseError::Entropy`] if the
/// operating system delivers no randomness.
pub fn bernoulli(entropy: &mut Entropy, num: u128, den: u128) -> Result<bool, NoiseError> {
    if den == 0 || num > den {
        return Err(NoiseError::Range);
    }
    entropy.release(|entropy| bernoulli::ratio_u128(entropy, num, den))
}

/// Independent coins of probability `num`/`den`.
///
/// # Errors
///
/// As for [`bernoulli`]; the coins are then all tails.
pub(crate) fn bernoulli_fill(
    entropy: &mut Entropy,
    num: u64,
    den: u64,
    out: &mut [bool],
) -> Result<(), NoiseError> {
    if den == 0 || num > den {
        return Err(NoiseError::Range);
    }
    let result = entropy.release(|entropy| {
        for coin in &mut *out {
            *coin = bernoulli::ratio(entropy, num, den);
        }
    });
    if result.is_err() {
        // PRIVACY: part of `out` may have been computed after the failure.
        out.fill(false);
    }
    result
}

/// Whether a coin of probability exp(−`num`/`den`) shows heads.
///
/// # Errors
///
/// [`NoiseError::Range`] unless `den` > 0; [`NoiseError::Entropy`] if the operating system delivers
/// no randomness.
pub fn bernoulli_exp(entropy: &mut Entropy, num: u128, den: u128) -> Result<bool, NoiseError> {
    if den == 0 {
        return Err(NoiseError::Range);
    }
    entropy.release(|entropy| bernoulli::exp_u128(entropy, num, den))
}

/// Whether a coin of probability 1/(1 + exp(−`num`/`den`)) shows heads: with ε = `num`/`den`, the
/// probability with which ε-private randomized response tells the truth.
///
/// # Errors
///
/// [`NoiseError::Range`] unless `den` > 0; [`NoiseError::Entropy`] if the operating system delivers
/// no randomness.
pub fn bernoulli_logistic(entropy: &mut Entropy, num: u128, den: u128) -> Result<bool, NoiseError> {
    if den == 0 {
        return Err(NoiseError::Range);
    }
    entropy.release(|entropy| bernoulli::logistic(entropy, num, den))
}

/// A uniform integer in 0..`bound`.
///
/// # Errors
///
/// [`NoiseError::Range`] unless `bound` > 0; [`NoiseError::Entropy`] if the operating system
/// delivers no randomness.
pub fn uniform_below(entropy: &mut Entropy, bound: u128) -> Result<u128, NoiseError> {
    if bound == 0 {
        return Err(NoiseError::Range);
    }
    entropy.release(|entropy| bernoulli::below_u128(entropy, bound))
}

/// Overwrites words of noise that were used, before other code gets the memory.
///
/// PRIVACY: noise that someone knows can be subtracted. The barrier keeps the compiler from removing
/// a write to memory that nobody reads again.
pub(crate) fn wipe<T: Copy + Default>(used: &mut [T]) {
    used.fill(T::default());
    zeroize::optimization_barrier(used);
}

/// `num/den`, or `num` where `den` is 1.
fn fraction(f: &mut fmt::Formatter<'_>, num: u128, den: u64) -> fmt::Result {
    match den {
        1 => write!(f, "{num}"),
        _ => write!(f, "{num}/{den}"),
    }
}
