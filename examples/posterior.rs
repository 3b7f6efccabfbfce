//! What an attacker who knows everyone else learns about Alice from a noisy count
//! ([T21](privet::guide::theory#t21-what-an-attacker-concludes)).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::Simulation;
use privet::prelude::*;

const RUNS: u64 = 400_000;
const EPSILON: f64 = 0.5;

#[derive(Record, Clone)]
struct Patient {
    ill: bool,
}

fn ill() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().filter(|p| p.ill).count().laplace()
}

/// How often each answer comes out, around the count of everyone else. The data is made up and hence public.
fn answers(alice: &[Patient], seed: u64) -> privet::Result<[f64; 41]> {
    let others = (0..100).map(|i| Patient { ill: i < 30 });
    let table: Vec<_> = others.chain(alice.iter().cloned()).collect();
    let (plan, mut public) = (ill(), Simulation::of_public(table, seed)?);
    let mut seen = [0.0; 41];
    for _ in 0..RUNS {
        let place = (public.run(&plan)? - 30 + 20).clamp(0, 40);
        seen[place as usize] += 1.0 / RUNS as f64;
    }
    Ok(seen)
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// The largest factor by which a belief changed, for any prior and any answer.
    pub largest: f64,
    pub bound: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let with_ill = answers(&[Patient { ill: true }], 1)?;
    let with_well = answers(&[Patient { ill: false }], 2)?;
    let without = answers(&[], 3)?;
    let bound = (2.0 * EPSILON).exp();

    // The attacker's belief that Alice is ill, after an answer: Bayes' rule, in the world with her
    // record and in the world without it, where the answer says nothing about her.
    let believe = |prior: f64, yes: f64, no: f64| prior * yes / (prior * yes + (1.0 - prior) * no);
    let priors = [0.05, 0.25, 0.5, 0.75];
    let mut largest = 1.0_f64;
    let mut chart = Chart::new(
        "Belief that Alice is ill, by the noisy count (ε = 1/2)",
        (20.0, 40.0),
        (0.0, 1.0),
    );
    println!("{}", ill().explain());
    println!("The attacker knows 100 other patients, 30 of them ill, and sees a noisy count.\n");
    println!("prior   belief at 27   at 30   at 31   at 34   allowed: e^(±2ε) times");
    for (colour, prior) in priors.into_iter().enumerate() {
        let curve: Vec<(f64, f64, f64)> = (10..=30)
            .map(|place| {
                let with = believe(prior, with_ill[place], with_well[place]);
                let without = believe(prior, without[place], without[place]);
                (place as f64 + 10.0, with, without)
            })
            .collect();
        for (_, with, without) in &curve {
            largest = largest.max(with / without).max(without / with);
        }
        let at = |count: usize| curve[count - 20].1;
        println!(
            "{prior:>5} {:>14.3} {:>7.3} {:>7.3} {:>7.3}   {:.3} to {:.3}",
            at(27),
            at(30),
            at(31),
            at(34),
            prior / bound,
            (prior * bound).min(1.0)
        );
        chart = chart
            .line(colour, curve.iter().map(|&(x, with, _)| (x, with)))
            .level(colour, (prior * bound).min(1.0))
            .level(colour, prior / bound)
            .legend(colour, &format!("prior {prior}"));
    }
    println!(
        "\nlargest change of a belief: a factor of {largest:.3}; never above e^(2ε) = {bound:.3}"
    );
    let path = chart.legend(5, "dashed: bounds").save("posterior.svg");
    println!("picture: {}", path.display());
    Ok(Figures { largest, bound })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
