//! What a promise to one person means to a household of four
//! ([T12](privet::guide::theory#t12-group-privacy)).
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use privet::{Groups, Price};
use rand::RngExt;

#[derive(Record, Clone)]
struct Person {
    ill: bool,
}

type One = Table<Person>;
/// Neighbours differ in up to four persons.
type Four = Table<Person, Groups<4>>;

fn ill<E: Epsilon>() -> Mechanism<One, i64, E> {
    rows::<Person>().filter(|p| p.ill).count().laplace()
}

/// A promise of 1/4 to each person is a promise of 4/4 to each household.
fn by_promise() -> Mechanism<Four, i64, Eps<4, 4>> {
    ill::<Eps<1, 4>>().for_groups::<4>()
}

/// Here the household is the unit from the start, and moves the count by four.
fn by_sensitivity() -> Mechanism<Four, i64, Eps<1, 1>> {
    rows::<Four>().filter(|p| p.ill).count().laplace()
}

fn gaussian() -> Mechanism<One, i64, Rho<1, 32>> {
    rows::<Person>().filter(|p| p.ill).count().gaussian()
}

fn approximate() -> Mechanism<One, i64, Approx<Eps<1, 4>, Delta<1, 9>>> {
    ill::<Eps<1, 4>>().at_most()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub answers: (i64, i64),
    pub exact: i64,
    pub intervals: (f64, f64),
    pub prices: Vec<(Price, Price)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(19);
    let people: Vec<_> = (0..10_000)
        .map(|_| Person {
            ill: rng.random_bool(0.05),
        })
        .collect();
    let exact = people.iter().filter(|p| p.ill).count() as i64;

    let prices = vec![
        (ill::<Eps<1, 4>>().price(), by_promise().price()),
        (gaussian().price(), gaussian().for_groups::<4>().price()),
        (
            approximate().price(),
            approximate().for_groups::<4>().price(),
        ),
    ];
    println!("to one person          to a household of four");
    for (one, four) in &prices {
        println!("{:<22} {four}", one.to_string());
    }

    let vault: Vault<Four, Eps<2, 1>> = Vault::open(people);
    let (first, vault) = vault.release(by_promise())?;
    let (second, vault) = vault.release(by_sensitivity())?;
    let interval = |off: Option<privet::Accuracy>| off.map_or(0.0, |off| off.plus_or_minus);
    let intervals = (
        interval(ill::<Eps<1, 4>>().accuracy(0.95)),
        interval(by_sensitivity().accuracy(0.95)),
    );
    println!(
        "\nby promise:     {first} ± {}   (exact {exact})",
        intervals.0
    );
    println!(
        "by sensitivity: {second} ± {}   (exact {exact})",
        intervals.1
    );
    println!(
        "{} left of ε = 2, where the household is the unit\n",
        vault.remaining()
    );
    println!("{}\n{}", by_promise().explain(), by_sensitivity().explain());
    println!("To a household: {}.", Eps::<1, 1>::price().meaning());
    Ok(Figures {
        answers: (first, second),
        exact,
        intervals,
        prices,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
