//! The largest error of a histogram of K cells, measured against ln(K/β)·Δ/ε
//! ([T18](privet::guide::theory#t18-error-of-laplace-noise)).
#![forbid(unsafe_code)]

mod common;

use privet::Simulation;
use privet::prelude::*;
use rand::RngExt;

const CELLS: f64 = 50.0;
const RUNS: usize = 20_000;

#[derive(Record, Clone)]
struct Visit {
    day: i64,
}

fn by_day() -> Mechanism<Table<Visit>, Vec<i64>, Eps<1, 2>> {
    let visits = rows::<Visit>();
    visits.histogram(|v| v.day.clamp::<1, 50>()).laplace()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// β, the bound of T18, the crate's exact interval, and how often it was exceeded.
    pub tails: Vec<(f64, f64, f64, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(17);
    let visits: Vec<_> = (0..5_000)
        .map(|_| Visit {
            day: rng.random_range(1..=50),
        })
        .collect();
    let mut exact = [0; 50];
    visits.iter().for_each(|v| exact[v.day as usize - 1] += 1);

    let plan = by_day();
    // The data is made up and hence public, so we may run this as often as we like.
    let mut public = Simulation::of_public(visits, 1)?;
    let mut worst = Vec::new();
    for _ in 0..RUNS {
        let noisy = public.run(&plan)?;
        let off = noisy
            .iter()
            .zip(&exact)
            .map(|(noisy, exact)| (noisy - exact).abs());
        worst.push(off.max().unwrap_or(0) as f64);
    }

    println!("{}{RUNS} runs of 50 cells\n", plan.explain());
    println!("     β   ln(K/β)·Δ/ε   exceeded   exact interval   exceeded");
    let mut tails = Vec::new();
    for beta in [0.5, 0.1, 0.05, 0.01, 0.001] {
        let note = (CELLS / beta).ln() / 0.5;
        let ours = plan.accuracy(1.0 - beta).map_or(0.0, |a| a.plus_or_minus);
        let share = |x: f64| worst.iter().filter(|w| **w > x).count() as f64 / RUNS as f64;
        println!(
            "{beta:>6} {note:>12.2} {:>11.4} {ours:>13} {:>14.4}",
            share(note),
            share(ours)
        );
        tails.push((beta, note, ours, share(ours)));
    }
    println!(
        "\nThe note's bound is for continuous noise: discrete noise may exceed it a little more"
    );
    println!("often than β, which is why `accuracy()` sums the tail that the crate draws from.");
    println!("\nhow the largest of 50 errors is spread:");
    for low in (4..28).step_by(2) {
        let inside = worst
            .iter()
            .filter(|w| (low..low + 2).contains(&(**w as i64)));
        let share = inside.count() as f64 / RUNS as f64;
        println!("  {low:>3} {}", "▇".repeat((share * 160.0) as usize));
    }
    Ok(Figures { tails })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
