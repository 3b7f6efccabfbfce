//! "Publish each record with probability δ": private by an additive δ alone, and it names people
//! ([T7](privet::guide::theory#t7-what-is-never-private)). The crate cannot state it; the laboratory
//! catches it.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use privet_lab::{Audit, Claim, Coins};

const PEOPLE: [&str; 8] = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Alice"];

/// Publishes each record unchanged with probability 1/100.
fn name_and_shame(coins: &mut Coins, people: &[&'static str]) -> Vec<&'static str> {
    let named = people.iter().filter(|_| coins.chance(0.01));
    named.copied().collect()
}

#[derive(Record, Clone)]
struct Person {
    ill: bool,
}

/// What the crate offers instead: a mechanism with a price.
fn ill() -> Mechanism<Table<Person>, i64, Eps<1, 2>> {
    rows::<Person>().filter(|p| p.ill).count().laplace()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// How often somebody was named.
    pub named: f64,
    /// Whether each claim about it was refuted: pure, with a smaller δ, and with ε = 0 and its own δ.
    pub refuted: [bool; 3],
    pub ours: bool,
}

pub(crate) fn run() -> Result<Figures, privet_lab::Error> {
    let mut coins = Coins::new(1);
    let runs = 10_000;
    let mut example = Vec::new();
    let mut named = 0;
    for _ in 0..runs {
        let list = name_and_shame(&mut coins, &PEOPLE);
        named += usize::from(!list.is_empty());
        if example.is_empty() {
            example = list;
        }
    }
    let named = named as f64 / f64::from(runs);
    println!(
        "With eight people somebody is named in {:.1} % of the runs: {example:?}, say.\n",
        100.0 * named
    );

    // With Alice on the left and without her on the right, where her name cannot appear.
    let without = &PEOPLE[..7];
    let audit = |claim: Claim| {
        Audit::new(claim).draws(100_000).run(
            |coins| name_and_shame(coins, &PEOPLE).join(" "),
            |coins| name_and_shame(coins, without).join(" "),
        )
    };
    let mut refuted = [false; 3];
    let claims = [
        Claim::Pure(3.0),
        Claim::Approximate(1.0, 0.001),
        Claim::Approximate(0.0, 0.01),
    ];
    for (refuted, claim) in refuted.iter_mut().zip(claims) {
        let report = audit(claim)?;
        *refuted = report.is_refuted();
        println!("{report}\n");
    }
    println!(
        "The last claim holds, as far as anyone can see: an additive δ of 1/100 with no ε at all is"
    );
    println!(
        "what this has, and it is worth nothing. Here no mechanism has a δ without a reason for it,"
    );
    println!("and nobody outside the crate can make one from a function of the rows.\n");

    let all: Vec<_> = (0..8).map(|i| Person { ill: i > 4 }).collect();
    let ours =
        Audit::of(&ill())
            .draws(100_000)
            .mechanism(&ill(), || all.clone(), || all[..7].to_vec())?;
    println!("{}{ours}", ill().explain());
    Ok(Figures {
        named,
        refuted,
        ours: ours.is_refuted(),
    })
}

fn main() -> Result<(), privet_lab::Error> {
    run().map(drop)
}
