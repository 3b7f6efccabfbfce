//! Noise on every cell of an exact answer: what Laplace and Gaussian mechanisms share.

use core::fmt;

use crate::data::{Data, Domain};
use crate::error::{Error, Result};
use crate::expr::Term;
use crate::mechanism::run::{Run, Timing};
use crate::mechanism::scale::Noise;
use crate::noise::{self, Entropy, GaussianVariance, LaplaceScale, NoiseError};
use crate::query::{Query, QueryKind};

/// A distribution of noise, by its exact parameter.
pub(super) trait Sampler: Copy + fmt::Display + Send + Sync + 'static {
    /// One draw.
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError>;
    /// Many independent draws, modulo 2^64.
    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError>;
    /// The same distribution, drawn in a time that does not depend on what is drawn.
    type Steady: Sampler;
    /// The same parameter; `None` if there is no such sampler.
    fn steady(self) -> Option<Self::Steady>;
}

/// Draws in a time that does not depend on what is drawn.
#[derive(Clone, Copy)]
pub(super) struct Steady<S>(S);

impl<S: fmt::Display> fmt::Display for Steady<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Sampler for LaplaceScale {
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError> {
        noise::laplace(entropy, self)
    }
    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError> {
        noise::laplace_fill(entropy, self, out)
    }
    type Steady = Steady<Self>;
    fn steady(self) -> Option<Steady<Self>> {
        Some(Steady(self))
    }
}

impl Sampler for Steady<LaplaceScale> {
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError> {
        noise::laplace_steady(entropy, self.0)
    }
    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError> {
        noise::laplace_constant_time(entropy, self.0, out)
    }
    type Steady = Self;
    fn steady(self) -> Option<Self> {
        Some(self)
    }
}

impl Sampler for GaussianVariance {
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError> {
        noise::gaussian(entropy, self)
    }
    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError> {
        noise::gaussian_fill(entropy, self, out)
    }
    type Steady = Steady<Self>;
    fn steady(self) -> Option<Steady<Self>> {
        Some(Steady(self))
    }
}

impl Sampler for Steady<GaussianVariance> {
    fn one(self, entropy: &mut Entropy) -> Result<i128, NoiseError> {
        noise::gaussian_steady(entropy, self.0)
    }
    fn many(self, entropy: &mut Entropy, out: &mut [i64]) -> Result<(), NoiseError> {
        noise::gaussian_constant_time(entropy, self.0, out)
    }
    type Steady = Self;
    fn steady(self) -> Option<Self> {
        Some(self)
    }
}

/// Adds independent noise to every cell, or fails without a release.
///
/// Cells that are counts stay far below 2^63, so many of them are served in bulk, modulo 2^64;
/// others are drawn one by one, modulo 2^128. The remainder of an exact release is a function of it, so
/// nothing leaks at the edges.
pub(super) fn add<D: Data>(
    run: &mut Run<'_, D>,
    noise: Noise<impl Sampler>,
    counts: bool,
    cells: &mut [i128],
) -> Result<()> {
    let Noise::Of(noise) = noise else {
        return Ok(());
    };
    match run.noise()? {
        (entropy, Timing::Free) => add_draws(entropy, noise, counts, cells),
        (entropy, Timing::Constant) => {
            let noise = noise.steady().ok_or(Error::VariableTime)?;
            add_draws(entropy, noise, counts, cells)
        }
    }
}

fn add_draws(
    entropy: &mut Entropy,
    sampler: impl Sampler,
    counts: bool,
    cells: &mut [i128],
) -> Result<()> {
    if counts && cells.len() > 1 {
        let mut draws = vec![0; cells.len()];
        sampler.many(entropy, &mut draws)?;
        for (cell, draw) in cells.iter_mut().zip(&draws) {
            *cell = (*cell as i64).wrapping_add(*draw).into();
        }
        noise::wipe(&mut draws);
        return Ok(());
    }
    for cell in cells {
        *cell = cell.wrapping_add(sampler.one(entropy)?);
    }
    Ok(())
}

/// What the mechanism does, for `explain()`. Noise is drawn on the grid of the answer, so its size is counted in
/// steps; where a step is not a unit, the text says so.
pub(super) fn description<In: Domain, Q: QueryKind<In>>(
    query: &Query<In, Q>,
    kind: &str,
    noise: Option<Noise<impl Sampler>>,
) -> String {
    let steps = match (query.steps(), query.shape()) {
        (Some(steps), _) => format!(" in steps of {steps}"),
        (None, Some((_, grid))) if query.unit() != 1.0 => {
            format!(" in steps of {}/{grid}", query.unit())
        }
        (None, Some((_, grid))) if grid > 1 => format!(" in steps of 1/{grid}"),
        _ => String::new(),
    };
    described(query.term(), steps, kind, noise)
}

/// The same, compiled once for each sampler and not for each query.
fn described(query: Term, steps: String, kind: &str, noise: Option<Noise<impl Sampler>>) -> String {
    match noise {
        Some(Noise::Of(noise)) => format!("{query} with {kind} {noise}{steps}"),
        _ => format!("{query}, the same on all neighbours"),
    }
}
