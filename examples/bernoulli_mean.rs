//! The error of a private mean of coin tosses, measured against the bound
//! ([T19](privet::guide::theory#t19-error-of-a-private-mean)).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::Simulation;
use privet::prelude::*;
use rand::RngExt;

const N: usize = 100;
const P: f64 = 0.3;
const RUNS: usize = 10_000;

#[derive(Record)]
struct Voter {
    yes: bool,
}

fn share<E: Epsilon>() -> Mechanism<Table<Voter, Replace>, f64, E> {
    let voters = rows::<Table<Voter, Replace>>();
    voters.mean(|v| v.yes.number()).laplace()
}

/// The mean squared error over many samples and noises. The tosses are made up and hence public.
fn measured<E: Epsilon>(seed: u64) -> privet::Result<f64> {
    let mut rng = common::rng(seed);
    let mut sum = 0.0;
    for run in 0..RUNS {
        let sample: Vec<_> = (0..N)
            .map(|_| Voter {
                yes: rng.random_bool(P),
            })
            .collect();
        let noise = seed * RUNS as u64 + run as u64;
        let estimate = Simulation::of_public(sample, noise)?.run(&share::<E>())?;
        sum += (estimate - P).powi(2);
    }
    Ok(sum / RUNS as f64)
}

/// p(1 − p)/n from the sample, and 2/(ε²n²) from the noise.
fn bound(epsilon: f64) -> f64 {
    let n = N as f64;
    P * (1.0 - P) / n + 2.0 / (epsilon * n).powi(2)
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// ε, measured, bound.
    pub errors: Vec<(f64, f64, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    println!("{N} tosses with p = {P}, {RUNS} times\n");
    println!("     ε    measured       bound");
    let mut errors = Vec::new();
    for (epsilon, measured) in [
        (0.1, measured::<Eps<1, 10>>(1)?),
        (0.2, measured::<Eps<1, 5>>(2)?),
        (0.5, measured::<Eps<1, 2>>(3)?),
        (1.0, measured::<Eps<1, 1>>(4)?),
        (2.0, measured::<Eps<2, 1>>(5)?),
    ] {
        let bound = bound(epsilon);
        println!(
            "{epsilon:>6} {measured:>11.6} {bound:>11.6}  {}",
            common::bar(measured / bound, 30)
        );
        errors.push((epsilon, measured, bound));
    }
    let floor = P * (1.0 - P) / N as f64;
    println!("\nThe sample alone errs by {floor:.6}: from ε = 1 on, privacy is nearly free here.");
    let log = |x: f64| x.log10();
    let curve = (10..=200).map(|e| f64::from(e) / 100.0);
    let path = Chart::new(
        "Mean of 100 tosses: log10 of the squared error against ε",
        (0.0, 2.0),
        (-3.0, -1.5),
    )
    .line(0, curve.map(|e| (e, log(bound(e)))))
    .dots(
        1,
        4.0,
        errors.iter().map(|&(e, measured, _)| (e, log(measured))),
    )
    .legend(0, "bound")
    .legend(1, "measured")
    .save("bernoulli_mean.svg");
    println!("picture: {}", path.display());
    Ok(Figures { errors })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
