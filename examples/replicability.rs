//! Two samples, the same coins: is the answer the same
//! ([T22](privet::guide::theory#t22-replicability))? This is a test, not a guarantee.
#![forbid(unsafe_code)]

mod common;

use privet::Simulation;
use privet::prelude::*;
use rand::RngExt;

const N: usize = 2_000;
const TRIALS: u64 = 2_000;

#[derive(Record, Clone)]
struct Person {
    age: i64,
}

/// Samples of one population. Replicability is only about these.
fn sample(seed: u64) -> Vec<Person> {
    let mut rng = common::rng(seed);
    let mut age = || rng.random_range(0..50) + rng.random_range(0..50);
    (0..N).map(|_| Person { age: age() }).collect()
}

/// How often an algorithm gives one answer on two samples, with the same coins.
fn replicability<Out: PartialEq>(algorithm: impl Fn(Vec<Person>, u64) -> Out) -> f64 {
    let same = |trial: &u64| {
        let (one, two) = (sample(2 * trial), sample(2 * trial + 1));
        algorithm(one, *trial) == algorithm(two, *trial)
    };
    (0..TRIALS).filter(same).count() as f64 / TRIALS as f64
}

fn mean(people: &[Person]) -> f64 {
    people.iter().map(|p| p.age).sum::<i64>() as f64 / people.len() as f64
}

/// Rounds to a grid that the coins shift: samples that nearly agree are rarely cut apart.
fn rounded(value: f64, grid: f64, coins: u64) -> i64 {
    let shift: f64 = common::rng(coins).random();
    (value / grid + shift).floor() as i64
}

fn noisy_mean() -> Mechanism<Table<Person, Replace>, f64, Eps<1, 1>> {
    let people = rows::<Table<Person, Replace>>();
    people.mean(|p| p.age.clamp::<0, 100>()).laplace()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub exact: f64,
    pub noisy: f64,
    pub rounded: f64,
    pub private_and_rounded: f64,
    pub leaky: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    // Samples are made up and hence public, so coins may be shared.
    let noisy = |people, coins| {
        let mut public = Simulation::of_public(people, coins).expect("rows in memory");
        public.run(&noisy_mean()).expect("noise for a mean")
    };
    let figures = Figures {
        exact: replicability(|people, _| mean(&people)),
        noisy: replicability(noisy),
        rounded: replicability(|people, coins| rounded(mean(&people), 10.0, coins)),
        private_and_rounded: replicability(|p, coins| rounded(noisy(p, coins), 10.0, coins)),
        leaky: replicability(|people, _| people.iter().any(|p| p.age == 117)),
    };
    let show = |what: &str, share: f64, private: &str| {
        println!(
            "  {what:<34} {} {share:.3}   {private}",
            common::bar(share, 25)
        );
    };
    println!("Two samples of {N} people, {TRIALS} times: how often is the answer the same?\n");
    show("exact mean", figures.exact, "not private");
    show("noisy mean, ε = 1", figures.noisy, "ε = 1");
    show(
        "mean on a shifted grid of 10",
        figures.rounded,
        "not private",
    );
    show(
        "noisy mean on a shifted grid of 10",
        figures.private_and_rounded,
        "ε = 1",
    );
    show(
        "\"is the 117-year-old here?\"",
        figures.leaky,
        "not private",
    );
    println!(
        "\nThe last one is perfectly replicable and tells exactly who is there: nobody of 117"
    );
    println!("is ever in a sample. Off the distribution replicability promises nothing; ε does.");
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
