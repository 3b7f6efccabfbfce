//! The distribution of ages: a hundred filtered counts, or one histogram added up.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

type Ages = Mechanism<Table<Patient>, Vec<i64>, Eps<1, 1>>;

/// Sequential composition: each of a hundred counts gets a hundredth of ε.
fn one_by_one() -> Ages {
    let up_to = |age: usize| {
        rows::<Patient>()
            .filter(move |p| p.age.le(age as i64))
            .count()
    };
    Mechanism::all(std::array::from_fn::<_, 100, _>(|age| {
        up_to(age).laplace::<Eps<1, 100>>()
    }))
    .map(Vec::from)
    .at_most()
    .named("a hundred counts")
}

/// Ages are disjoint, so all hundred counts together cost ε; adding them up is free.
fn partitioned() -> Ages {
    let patients = rows::<Patient>();
    patients
        .cumulative(|p| p.age.clamp::<0, 99>())
        .laplace()
        .named("one histogram, added up")
}

/// A noisy distribution may go down; the nearest one that does not is also free.
fn monotone() -> Ages {
    let climb = |mut counts: Vec<i64>| {
        let mut down = counts.clone();
        for i in 1..counts.len() {
            counts[i] = counts[i].max(counts[i - 1]);
        }
        for i in (1..down.len()).rev() {
            down[i - 1] = down[i - 1].min(down[i]);
        }
        counts
            .iter()
            .zip(&down)
            .map(|(up, down)| (up + down) / 2)
            .collect()
    };
    partitioned().map(climb).named("the same, made monotone")
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub one_by_one: f64,
    pub partitioned: f64,
    pub monotone: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(31);
    let mut age = || (45.0 + 18.0 * common::normal(&mut rng)).clamp(0.0, 99.0) as i64;
    let patients: Vec<_> = (0..10_000).map(|_| Patient { age: age() }).collect();
    let mut exact = vec![0; 100];
    for Patient { age } in &patients {
        exact[*age as usize..].iter_mut().for_each(|n| *n += 1);
    }

    // Three plans at ε = 1 each; releasing all three costs 3.
    let vault: Vault<Table<Patient>, Eps<3, 1>> = Vault::open(patients);
    let (first, vault) = vault.release(one_by_one())?;
    let (second, vault) = vault.release(partitioned())?;
    let (third, vault) = vault.release(monotone())?;
    println!("{} left of ε = 3\n", vault.remaining());

    println!(" age  exact {:33} counts   histogram", "");
    for age in (4..100).step_by(5) {
        let bar = common::bar(third[age] as f64 / 10_000.0, 32);
        println!(
            " {age:>3} {:>6}  {bar} {:>6} {:>11}",
            exact[age], first[age], second[age]
        );
    }
    let off = |noisy: &[i64]| {
        let squares = noisy.iter().zip(&exact).map(|(n, e)| (n - e).pow(2) as f64);
        (squares.sum::<f64>() / 100.0).sqrt()
    };
    let figures = Figures {
        one_by_one: off(&first),
        partitioned: off(&second),
        monotone: off(&third),
    };
    println!("\nroot of the mean squared error, all at ε = 1:");
    println!("  a hundred counts          {:>8.1}", figures.one_by_one);
    println!("  one histogram, added up   {:>8.1}", figures.partitioned);
    println!("  the same, made monotone   {:>8.1}", figures.monotone);
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
