//! Two hospitals publish a count each. A patient of both pays for both (scenario 1).
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use privet::{Disjoint, Pair};
use rand::RngExt;

#[derive(Record, Clone)]
struct Patient {
    flu: bool,
}

#[derive(Record, Clone)]
struct Visitor {
    flu: bool,
}

type North = Table<Patient>;
type South = Table<Visitor>;

fn north() -> Mechanism<North, i64, Eps<1, 4>> {
    let ill = rows::<Patient>().filter(|p| p.flu).count().laplace();
    ill.named("flu in the north")
}

fn south() -> Mechanism<South, i64, Eps<1, 4>> {
    let ill = rows::<Visitor>().filter(|p| p.flu).count().laplace();
    ill.named("flu in the south")
}

/// A person may be in both, so the costs add.
fn both() -> Mechanism<Pair<North, South>, (i64, i64), Eps<2, 4>> {
    north().on_first().and(south().on_second())
}

/// The vault's owner declares that nobody is in both, so the larger cost covers both.
fn apart() -> Mechanism<Pair<North, South, Disjoint>, (i64, i64), Eps<1, 4>> {
    north().beside(south())
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub shared: (i64, i64),
    pub apart: (i64, i64),
    pub exact: (i64, i64),
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(3);
    let first: Vec<_> = (0..40_000)
        .map(|_| Patient {
            flu: rng.random_bool(0.1),
        })
        .collect();
    let second: Vec<_> = (0..25_000)
        .map(|_| Visitor {
            flu: rng.random_bool(0.2),
        })
        .collect();
    let exact = (
        first.iter().filter(|p| p.flu).count() as i64,
        second.iter().filter(|p| p.flu).count() as i64,
    );

    println!(
        "A person may be a patient of both hospitals:\n\n{}",
        both().explain()
    );
    let vault: Vault<Pair<North, South>, Eps<1, 2>> = Vault::load((first.clone(), second.clone()))?;
    let (shared, vault) = vault.release(both())?;
    println!(
        "  {shared:?}, exact {exact:?}; {} left of ε = 1/2\n",
        vault.remaining()
    );

    println!(
        "The owner of both states that nobody is in both:\n\n{}",
        apart().explain()
    );
    let vault: Vault<Pair<North, South, Disjoint>, Eps<1, 2>> = Vault::load((first, second))?;
    let (apart, vault) = vault.release(apart())?;
    println!(
        "  {apart:?}, exact {exact:?}; {} left of ε = 1/2\n",
        vault.remaining()
    );

    println!(
        "The assumption is in the vault's type: a vault that does not make it refuses the plan,"
    );
    println!("  error: expected `Pair<_, _, MayShare>`, found `Pair<_, _, Disjoint>`\n");
    let (one, two) = (Eps::<1, 4>::price(), Eps::<2, 4>::price());
    println!("To a patient of one hospital: {}.", one.meaning());
    println!("To a patient of both: {}.", two.meaning());
    Ok(Figures {
        shared,
        apart,
        exact,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
