//! A second query that depends on the first noisy answer (scenario 2). It costs the dearer branch.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use rand::RngExt;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    ill: bool,
}

type Patients = Table<Patient>;

fn ill<E: Epsilon>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>().filter(|p| p.ill).count().laplace()
}

/// The dear branch: who is ill, by decade of age.
fn by_decade() -> Mechanism<Patients, Vec<i64>, Eps<4, 8>> {
    let decade = [10, 20, 30, 40, 50, 60, 70, 80, 90];
    let ill = rows::<Patient>().filter(|p| p.ill);
    ill.histogram(move |p| p.age.bins(decade)).laplace()
}

/// The cheap branch: only whether it is the young or the old.
fn by_half() -> Mechanism<Patients, Vec<i64>, Eps<1, 8>> {
    let ill = rows::<Patient>().filter(|p| p.ill);
    ill.histogram(|p| p.age.bins([50])).laplace()
}

/// 1/8 for the first answer, and 4/8 for the dearer of the branches, whichever is taken.
fn outbreak() -> Mechanism<Patients, (i64, Vec<i64>), Eps<5, 8>> {
    ill::<Eps<1, 8>>()
        .then(|&n| Mechanism::either(n > 500, by_decade(), by_half()))
        .named("outbreak")
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub calm: (i64, usize, i64),
    pub outbreak: (i64, usize, i64),
}

fn town(rate: f64) -> Vec<Patient> {
    let mut rng = common::rng(5);
    let mut patient = || {
        let age: i64 = rng.random_range(0..100);
        let ill = rng.random_bool(rate * age as f64 / 50.0);
        Patient { age, ill }
    };
    (0..20_000).map(|_| patient()).collect()
}

fn ask(name: &str, rate: f64) -> privet::Result<(i64, usize, i64)> {
    let patients = town(rate);
    let exact = patients.iter().filter(|p| p.ill).count() as i64;
    let vault: Vault<Patients, Eps<1, 1>> = Vault::open(patients);
    let ((n, parts), vault) = vault.release(outbreak())?;
    println!(
        "{name}: {n} ill (exact {exact}), so it was asked by {} ages:",
        parts.len()
    );
    let most = parts.iter().copied().max().unwrap_or(1).max(1) as f64;
    for (i, count) in parts.iter().enumerate() {
        println!("  {i:>2} {} {count}", common::bar(*count as f64 / most, 30));
    }
    println!("  {} left, whichever branch it was\n", vault.remaining());
    Ok((n, parts.len(), exact))
}

pub(crate) fn run() -> privet::Result<Figures> {
    println!("{}", outbreak().explain());
    Ok(Figures {
        calm: ask("a calm winter", 0.005)?,
        outbreak: ask("an outbreak", 0.15)?,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
