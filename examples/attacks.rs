//! Three attacks on exact answers, and how little they achieve against noisy ones
//! ([T23](privet::guide::theory#t23-linkage) to [T25](privet::guide::theory#t25-differencing)).
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
    /// At ε = 100, 10 and 1.
    pub left: [usize; 3],
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

/// All ages that three males can have.
fn triples() -> impl Iterator<Item = [i64; 3]> {
    let above = |low: i64| low..=125;
    above(0).flat_map(move |a| above(a).flat_map(move |b| above(b).map(move |c| [a, b, c])))
}

fn median_and_sum<E: Split<2>>() -> Mechanism<Table<Patient>, (i64, i64), E> {
    let males = rows::<Patient>;
    let median = males()
        .histogram(|p| p.age.clamp::<0, 125>())
        .median::<E::Part>();
    let sum = males().sum(|p| p.age.clamp::<0, 125>()).laplace();
    Mechanism::all((median, sum)).at_most()
}

/// How many triples hold 95 % of the belief of an attacker who starts without one, knows the mechanism and
/// sees its answer.
fn left(epsilon: f64, (median, sum): (i64, i64)) -> usize {
    let half = epsilon / 2.0;
    let belief = |ages: [i64; 3]| {
        // How many half-ranks a value is from being the median.
        let loss = |value: i64| {
            let below = ages.iter().filter(|age| **age < value).count() as i32;
            let above = ages.iter().filter(|age| **age > value).count() as i32;
            (2 * below - 3).max(2 * above - 3).max(0)
        };
        let weight = |value| (-half / 2.0 * f64::from(loss(value))).exp();
        let off = (ages.iter().sum::<i64>() - sum).abs() as f64;
        weight(median) / (0..=125).map(weight).sum::<f64>() * (-half / 125.0 * off).exp()
    };
    let mut beliefs: Vec<f64> = triples().map(belief).collect();
    beliefs.sort_by(|a, b| b.total_cmp(a));
    let mut rest = 0.95 * beliefs.iter().sum::<f64>();
    let enough = |belief: &&f64| {
        rest -= **belief;
        rest > 0.0
    };
    beliefs.iter().take_while(enough).count() + 1
}

fn reconstruct<E: Split<2>>() -> privet::Result<usize> {
    let males = [12, 30, 90].map(|age| Patient { age, ill: false });
    let vault: Vault<Table<Patient>, Eps<100, 1>> = Vault::open(males);
    // The price is generic here, so it is paid from a meter.
    let (meter, _) = vault.metered::<Eps<100, 1>>();
    let answer = meter.release(median_and_sum::<E>())?;
    let epsilon = common::amount(E::price());
    let left = left(epsilon, answer);
    println!(
        "  ε = {epsilon:<4} median {:>3}, sum {:>5}: {left:>6} triples hold 95 % of the belief",
        answer.0, answer.1
    );
    Ok(left)
}

fn ill() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
    rows::<Patient>().filter(|p| p.ill).count().laplace()
}

/// The attacker asks before and after one patient arrives, and guesses "ill" if the count went up.
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
    let fits = |ages: &[i64; 3]| ages[1] == 30 && ages.iter().sum::<i64>() == 132;
    let solutions = triples().filter(fits).count();
    println!(
        "  exact:   median  30, sum   132: {solutions:>6} of {} triples fit",
        triples().count()
    );
    let left = [
        reconstruct::<Eps<100, 1>>()?,
        reconstruct::<Eps<10, 1>>()?,
        reconstruct::<Eps<1, 1>>()?,
    ];
    println!();

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
        guessed,
        limit,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
