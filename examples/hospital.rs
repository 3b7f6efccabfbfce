//! A hospital makes six releases about its patients and watches the budget go down.
//!
//! The data is synthetic, so that the exact answers can be shown beside the noisy ones.
#![forbid(unsafe_code)]

mod common;
#[path = "hospital/patients.rs"]
mod patients;

use common::{Receipts, bar};
use patients::{Made, patients};
use privet::load::Csv;
use privet::prelude::*;

#[derive(Record)]
#[allow(dead_code)] // rows come from a file
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
}

#[derive(Category)]
#[allow(dead_code)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
    Pediatrics,
}

type Patients = Table<Patient>;

#[privet::audited(instances(everyone::<Eps<1, 10>>))]
fn everyone<E: Epsilon>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>().count().laplace().named("patients")
}

#[privet::audited(instances(older_smokers::<Eps<1, 10>>))]
fn older_smokers<E: Epsilon>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>()
        .filter(|p| p.smoker & p.age.gt(40)) // runs once, on symbols: never sees a row
        .count()
        .laplace()
        .named("smokers over 40")
}

/// A mean is two releases, each for half of its ε. It comes with a 95 % interval.
#[privet::audited(instances(mean_bill_from::<Eps<2, 10>>))]
fn mean_bill_from<E: Split<2>>(age: i64) -> Mechanism<Patients, Interval, E> {
    let of_age = || rows::<Patient>().filter(move |p| p.age.ge(age));
    let billed = of_age().sum(|p| p.bill.clamp::<0, 10_000>());
    let parts = (
        billed.laplace::<E::Part>(),
        of_age().count().laplace::<E::Part>(),
    );
    let off = (parts.0.accuracy(0.975), parts.1.accuracy(0.975));
    let (sum_off, n_off) = (off.0.unwrap().plus_or_minus, off.1.unwrap().plus_or_minus);
    Mechanism::all(parts)
        .map(move |(sum, n)| {
            let n = (n as f64).max(1.0);
            Interval {
                value: sum / n,
                low: (sum - sum_off) / (n + n_off),
                high: (sum + sum_off) / (n - n_off).max(1.0),
            }
        })
        .at_most()
        .named(format!("mean bill from age {age}"))
}

#[privet::audited(instances(by_ward::<Eps<1, 10>>))]
fn by_ward<E: Epsilon>() -> Mechanism<Patients, Vec<i64>, E> {
    rows::<Patient>()
        .histogram(|p| p.ward)
        .laplace()
        .named("patients by ward")
}

#[privet::audited(instances(median_age::<Eps<2, 10>>))]
fn median_age<E: Epsilon>() -> Mechanism<Patients, i64, E> {
    rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 120>())
        .median()
        .named("median age")
}

/// Looks closer only if there is something to see. Both branches are priced before any data is read.
#[privet::audited(at_most = "3/10")]
fn follow_up() -> Mechanism<Patients, (i64, Option<Interval>), Eps<3, 10>> {
    older_smokers::<Eps<1, 10>>()
        .then(|&n| {
            let closer = mean_bill_from::<Eps<2, 10>>(65).map(Some);
            Mechanism::either(n > 1_000, closer, Mechanism::constant(None))
        })
        .named("follow-up")
}

/// What would not compile, and what the compiler says. The text is quoted, and checked on the
/// example's page in the documentation.
const REFUSED: [(&str, &str); 4] = [
    (
        "let (_, vault) = vault.release(everyone::<Eps<1, 10>>())?; // a seventh release",
        "error[E0277]: privacy budget exceeded: this release costs `privet::Eps<1, 10>`, but only \
         `privet::Eps<0, 10>` is left",
    ),
    (
        "let (_, again) = opened.release(everyone::<Eps<1, 10>>())?; // a vault already spent from",
        "error[E0382]: use of moved value: `opened`",
    ),
    (
        "rows::<Patient>().sum(|p| p.bill).laplace::<Eps<1, 10>>()",
        "error[E0277]: `Col<bill>` has no bounds, so its sum has no finite sensitivity",
    ),
    (
        "fn cheap() -> Mechanism<Patients, i64, Eps<1, 20>> { everyone::<Eps<1, 10>>() }",
        "error[E0308]: mismatched types: expected `privet::Mechanism<_, _, privet::Eps<_, 20>>`, \
         found `privet::Mechanism<_, _, privet::Eps<_, 10>>`",
    ),
];

#[derive(Clone, Copy)]
pub(crate) struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Noisy answers beside exact ones, for the tests.
#[allow(dead_code)]
pub(crate) struct Figures {
    pub count: (i64, i64),
    pub smokers: (i64, i64),
    pub mean: (Interval, f64),
    pub wards: Vec<(i64, i64)>,
    pub median: (i64, i64),
    pub follow_up: Option<(Interval, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let Made { csv, exact } = patients(300_000);
    let path = common::write("hospital.csv", &csv);
    let vault: Vault<Patients, Eps<1, 1>> = Vault::load(Csv::file(&path))?;
    println!(
        "{} synthetic patients, from {}\n",
        exact.count,
        path.display()
    );
    let mut receipts = Receipts::new(vault.remaining());
    let within = |off: Option<privet::Accuracy>| off.map_or(0.0, |off| off.plus_or_minus);

    let ask = receipts.note(everyone::<Eps<1, 10>>());
    let off = within(ask.accuracy(0.95));
    let (count, vault) = vault.release(ask)?;
    println!(
        "How many patients?          {count} ± {off}   (exact {})",
        exact.count
    );
    receipts.left(vault.remaining());

    let ask = receipts.note(older_smokers::<Eps<1, 10>>());
    let off = within(ask.accuracy(0.95));
    let (smokers, vault) = vault.release(ask)?;
    println!(
        "How many smokers over 40?   {smokers} ± {off}   (exact {})",
        exact.smokers
    );
    receipts.left(vault.remaining());

    let (mean, vault) = vault.release(receipts.note(mean_bill_from::<Eps<2, 10>>(0)))?;
    println!(
        "What is the mean bill?      {mean}   (exact {:.2})",
        exact.mean
    );
    receipts.left(vault.remaining());

    let ask = receipts.note(by_ward::<Eps<1, 10>>());
    let off = within(ask.accuracy(0.95));
    let (wards, vault) = vault.release(ask)?;
    println!("How many in each ward?      all four ± {off}");
    for ((ward, noisy), exact) in Ward::NAMES.iter().zip(&wards).zip(&exact.wards) {
        let share = *noisy as f64 / count as f64;
        println!("  {ward:<11} {} {noisy}   (exact {exact})", bar(share, 32));
    }
    receipts.left(vault.remaining());

    // A loss of t half-ranks has probability at most 121·e^(−εt/2): 121 candidate ages.
    let ranks = (121.0_f64 / 0.05).ln() / 0.2;
    let (median, vault) = vault.release(receipts.note(median_age::<Eps<2, 10>>()))?;
    println!(
        "What is the median age?     {median}, at most {ranks:.0} patients from the middle   (exact {})",
        exact.median
    );
    receipts.left(vault.remaining());

    let ((n, closer), vault) = vault.release(receipts.note(follow_up()))?;
    print!("More than 1000 older smokers? {n}: ");
    match closer {
        Some(mean) => println!("mean bill from 65 is {mean}   (exact {:.2})", exact.mean_65),
        None => println!("too few to look closer"),
    }
    receipts.left(vault.remaining());

    receipts.tree();
    println!("What all of it means to a patient:");
    println!("  {}.\n", Eps::<1, 1>::price().meaning());
    println!("What would not compile:\n");
    for (line, message) in REFUSED {
        println!("  {line}\n    {message}\n");
    }
    drop(vault);
    Ok(Figures {
        count: (count, exact.count),
        smokers: (smokers, exact.smokers),
        mean: (mean, exact.mean),
        wards: wards.into_iter().zip(exact.wards).collect(),
        median: (median, exact.median),
        follow_up: closer.map(|mean| (mean, exact.mean_65)),
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Interval { value, low, high } = self;
        write!(f, "{value:.2}, from {low:.2} to {high:.2}")
    }
}
