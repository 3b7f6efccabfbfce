//! Three attacks on exact answers, and what is left of them against noisy ones (T23 to T25).
#![forbid(unsafe_code)]

mod common;

use std::collections::HashMap;

use privet::Simulation;
use privet::prelude::*;
use rand::RngExt;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    ill: bool,
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub linked: f64,
    pub solutions: usize,
    pub left: usize,
    pub triples: usize,
    pub guessed: f64,
    pub limit: f64,
}

/// Zip code, sex and date of birth: what a voter roll and a "de-identified" table both have.
fn linkage() -> f64 {
    let mut rng = common::rng(23);
    let voters: Vec<(u32, bool, u32)> = (0..50_000)
        .map(|_| {
            (
                rng.random_range(0..40),
                rng.random(),
                rng.random_range(0..365 * 80),
            )
        })
        .collect();
    let mut roll: HashMap<_, u32> = HashMap::new();
    voters
        .iter()
        .for_each(|key| *roll.entry(*key).or_default() += 1);
    // One in five is a patient; names are left out of the table, the three columns are not.
    let patients = || voters.iter().step_by(5);
    let unique = patients().filter(|key| roll[key] == 1).count();
    unique as f64 / patients().count() as f64
}

/// All ages of three males with a given median and a sum within bounds.
fn reconstruct(median: impl Fn(i64) -> bool, sum: impl Fn(i64) -> bool) -> usize {
    let triples =
        (0..=125).flat_map(|a| (a..=125).flat_map(move |b| (b..=125).map(move |c| (a, b, c))));
    triples
        .filter(|&(a, b, c)| median(b) && sum(a + b + c))
        .count()
}

fn median_and_sum<E: Split<2>>() -> Mechanism<Table<Patient>, (i64, i64), E> {
    let males = rows::<Patient>;
    let median = males()
        .histogram(|p| p.age.clamp::<0, 125>())
        .median::<E::Part>();
    let sum = males().sum(|p| p.age.clamp::<0, 125>()).laplace();
    Mechanism::all((median, sum)).at_most()
}

fn ill() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().filter(|p| p.ill).count().laplace()
}

/// The attacker asks before and after one patient arrives, and says "ill" if the count went up.
fn differencing(runs: u64) -> privet::Result<f64> {
    let mut rng = common::rng(29);
    let mut right = 0;
    let before: Vec<_> = (0..200)
        .map(|i| Patient {
            age: 50,
            ill: i % 7 == 0,
        })
        .collect();
    for run in 0..runs {
        let arrives = Patient {
            age: 50,
            ill: rng.random(),
        };
        let after: Vec<_> = before.iter().chain([&arrives]).cloned().collect();
        let first = Simulation::of_public(before.clone(), 2 * run)?.run(&ill())?;
        let second = Simulation::of_public(after, 2 * run + 1)?.run(&ill())?;
        right += u64::from((second > first) == arrives.ill);
    }
    Ok(right as f64 / runs as f64)
}

pub(crate) fn run() -> privet::Result<Figures> {
    println!("LINKAGE. Join a table without names to a voter roll by zip code, sex and birthday.");
    let linked = linkage();
    println!(
        "  {} {:.1} % of the patients have a name again",
        common::bar(linked, 40),
        100.0 * linked
    );
    println!("  A vault releases no rows, so there is nothing to join.\n");

    println!("RECONSTRUCTION. Three males, median age 30, mean age 44, ages 0 to 125.");
    let solutions = reconstruct(|b| b == 30, |sum| sum == 132);
    println!("  exact answers: {solutions} solutions");
    let males = [12, 30, 90].map(|age| Patient { age, ill: false });
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(males);
    let ((median, sum), _) = vault.release(median_and_sum::<Eps<1, 1>>())?;
    // Any median is likely among three; the sum is within 250·ln 20 with probability 95 %.
    let off = (250.0 * 20.0_f64.ln()) as i64;
    let triples = reconstruct(|_| true, |_| true);
    let left = reconstruct(|_| true, |s| (s - sum).abs() <= off);
    println!("  ε = 1: median {median}, sum {sum} ± {off}: {left} of all {triples} triples fit\n");

    println!("DIFFERENCING. The number of ill before and after one patient arrives.");
    let guessed = differencing(20_000)?;
    // Only the second answer saw the patient, at ε = 1/2: no guess is right more often than
    // e^ε/(1 + e^ε).
    let limit = 0.5_f64.exp() / (1.0 + 0.5_f64.exp());
    println!("  exact answers: the attacker is always right");
    println!(
        "  noisy answers: right in {:.1} % of cases; the limit is {:.1} %, a coin has 50 %",
        100.0 * guessed,
        100.0 * limit
    );
    Ok(Figures {
        linked,
        solutions,
        left,
        triples,
        guessed,
        limit,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
