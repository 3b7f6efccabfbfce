//! A hospital asks five questions of its patients and watches the budget go down.
//!
//! The data is synthetic, so that the exact answers can be shown beside the noisy ones.
#![forbid(unsafe_code)]

use privet::prelude::*;
use rand::{RngExt, SeedableRng};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

const WARDS: [&str; 3] = ["Surgery", "Maternity", "Oncology"];

fn patients() -> Vec<Patient> {
    let mut rng = rand::rngs::StdRng::seed_from_u64(7);
    let mut patient = || {
        let age = rng.random_range(0..100);
        Patient {
            age,
            bill: rng.random_range(50.0..4_000.0) + 20.0 * age as f64,
            smoker: rng.random_bool(0.23),
            ward: [
                Ward::Surgery,
                Ward::Surgery,
                Ward::Maternity,
                Ward::Oncology,
            ][rng.random_range(0..4)],
        }
    };
    (0..200_000).map(|_| patient()).collect()
}

#[privet::audited(instances(total::<Eps<1, 10>>))]
fn total<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace().named("patients")
}

#[privet::audited(instances(older_smokers::<Eps<1, 10>>, older_smokers::<Eps<2, 10>>))]
fn older_smokers<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>()
        .filter(|p| p.smoker & p.age.gt(40))
        .count()
        .laplace()
        .named("smokers over 40")
}

/// A mean is two releases: its ε goes in halves.
#[privet::audited(instances(mean_bill::<Eps<2, 10>>, mean_bill::<Eps<3, 10>>))]
fn mean_bill<E: Split<2>>() -> Mechanism<Table<Patient>, f64, E> {
    let billed = rows::<Patient>()
        .sum(|p| p.bill.clamp::<0, 10_000>())
        .laplace::<E::Part>();
    Mechanism::all((billed, total::<E::Part>()))
        .map(|(sum, n)| sum / n.max(1) as f64)
        .at_most()
        .named("mean bill")
}

#[privet::audited(instances(by_ward::<Eps<1, 10>>))]
fn by_ward<E: Epsilon>() -> Mechanism<Table<Patient>, Vec<i64>, E> {
    rows::<Patient>()
        .histogram(|p| p.ward)
        .laplace()
        .named("patients by ward")
}

/// Looks closer only if there is something to see: both branches are priced before any data is.
#[privet::audited(at_most = "3/10")]
fn follow_up() -> Mechanism<Table<Patient>, (i64, f64), Eps<3, 10>> {
    older_smokers::<Eps<1, 10>>()
        .then(|&n| {
            Mechanism::either(
                n > 1_000,
                mean_bill::<Eps<2, 10>>(),
                Mechanism::constant(0.0),
            )
        })
        .named("follow-up")
}

fn left(budget: privet::Price) {
    let left = budget
        .epsilon()
        .map_or(0.0, |e| *e.numer() as f64 / *e.denom() as f64);
    let bar = "█".repeat((left * 40.0).round() as usize);
    println!("  {bar:·<40} {budget} left\n");
}

fn main() -> privet::Result<()> {
    let data = patients();
    let n = data.len() as i64;
    let smokers = data.iter().filter(|p| p.smoker && p.age > 40).count();
    let mean = data.iter().map(|p| p.bill).sum::<f64>() / n as f64;
    let exact = |w: usize| data.iter().filter(|p| p.ward as usize == w).count();
    let wards = [exact(0), exact(1), exact(2)];

    let plan = (total::<Eps<1, 10>>().explain(), follow_up().explain());
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(data);
    println!("{n} synthetic patients go into a vault.\n");
    left(vault.remaining());

    let (answer, vault) = vault.release(total::<Eps<1, 10>>())?;
    println!("How many patients?                   {answer:>9}   (exact {n})");
    left(vault.remaining());

    let (answer, vault) = vault.release(older_smokers::<Eps<2, 10>>())?;
    println!("How many smokers over 40?            {answer:>9}   (exact {smokers})");
    left(vault.remaining());

    let (answer, vault) = vault.release(mean_bill::<Eps<3, 10>>())?;
    println!("What is the mean bill?               {answer:>9.2}   (exact {mean:.2})");
    left(vault.remaining());

    let (answer, vault) = vault.release(by_ward::<Eps<1, 10>>())?;
    println!("How many patients in each ward?");
    for ((ward, noisy), exact) in WARDS.iter().zip(&answer).zip(wards) {
        let bar = "▇".repeat((*noisy).max(0) as usize / 4_000);
        println!("  {ward:<10} {bar} {noisy}   (exact {exact})");
    }
    left(vault.remaining());

    let ((smokers, mean), vault) = vault.release(follow_up())?;
    println!("More than 1000 of them? Then their bill: {smokers} smokers, mean bill {mean:.2}");
    left(vault.remaining());

    println!("What two of these were made of:\n\n{}\n{}", plan.0, plan.1);
    println!("What the whole of it means to a patient, at ε = 1:");
    println!("  {}.\n", Eps::<1, 1>::price().meaning());
    println!("One more line, `vault.release(total::<Eps<1, 10>>())`, and this does not compile:");
    println!(
        "  privacy budget exceeded: this release costs `Eps<1, 10>`, but only `Eps<0, 10>` is left"
    );
    drop(vault);
    Ok(())
}
