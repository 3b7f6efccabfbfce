//! A count hidden by fair coins: the note's own two-sided geometric noise
//! ([T4](privet::guide::theory#t4-noise-from-fair-coins)).
#![forbid(unsafe_code)]

mod common;

use privet::Simulation;
use privet::prelude::*;

const RUNS: usize = 400_000;

#[derive(Record, Clone)]
struct Patient {
    ill: bool,
}

/// ln 4 = 1.386… is irrational, so the price is the next short fraction above it.
fn ill() -> Mechanism<Table<Patient>, i64, Eps<25, 18>> {
    rows::<Patient>().filter(|p| p.ill).count().coin_flips()
}

fn patients(ill: usize) -> Vec<Patient> {
    (0..100).map(|i| Patient { ill: i < ill }).collect()
}

/// How often each answer from −10 to 10 around 30 comes out. The data is made up and hence public.
fn answers(ill_ones: usize, seed: u64) -> privet::Result<[f64; 21]> {
    let mut public = Simulation::of_public(patients(ill_ones), seed)?;
    let (plan, mut seen) = (ill(), [0.0; 21]);
    for _ in 0..RUNS {
        let place = (public.run(&plan)? - 20).clamp(0, 20);
        seen[place as usize] += 1.0 / RUNS as f64;
    }
    Ok(seen)
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub released: i64,
    /// How often 0, 1, 2, … was added, and how often it should be.
    pub noise: Vec<(f64, f64)>,
    pub loss: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let vault: Vault<Table<Patient>, Eps<25, 18>> = Vault::open(patients(30));
    let (released, vault) = vault.release(ill())?;
    let off = ill().accuracy(0.95).map_or(0.0, |off| off.plus_or_minus);
    println!(
        "{}30 are ill: {released} ± {off} were released, {} left\n",
        ill().explain(),
        vault.remaining()
    );

    let (with, without) = (answers(30, 1)?, answers(29, 2)?);
    println!("answer   30 ill{:27}29 ill{:27}ratio", "", "");
    for place in 5..=15 {
        let (p, q) = (with[place], without[place]);
        println!(
            "{:>5}    {} {} {:>7.3}",
            place + 20,
            common::bar(p, 32),
            common::bar(q, 32),
            p / q
        );
    }
    let share = |k: usize| {
        if k == 0 {
            0.5
        } else {
            0.5_f64.powi(k as i32 + 2)
        }
    };
    let noise = (0..6).map(|k| (with[10 + k], share(k))).collect();
    let loss = (with[10] / without[10]).ln();
    println!(
        "\nlargest loss seen: ln {:.3} = {loss:.4}; ln 4 = {:.4}; the price is 25/18 = {:.4}",
        loss.exp(),
        4.0_f64.ln(),
        25.0 / 18.0
    );
    Ok(Figures {
        released,
        noise,
        loss,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
