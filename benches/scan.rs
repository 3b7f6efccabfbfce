//! Scans of ten million rows against hand-written loops over the same columns.
//!
//! `cargo bench --bench scan`; threads by `RAYON_NUM_THREADS`. Rows by the first argument.

use std::hint::black_box;
use std::time::Instant;

use privet::prelude::*;
use privet::testing::{Choices, Loaded};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
    stay: i64,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

/// The best of several runs, in milliseconds.
fn best<T>(mut run: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..9).map(time).fold(f64::INFINITY, f64::min)
}

fn report(what: &str, rows: usize, hand: f64, ours: f64) {
    let each = ours * 1e6 / rows as f64;
    println!(
        "{what:<28} hand {hand:8.2} ms   ours {ours:8.2} ms ({each:.2} ns a row)   {:.2} x",
        ours / hand
    );
}

#[inline(never)]
fn ten_by_hand(patients: &Columns) -> (i64, i64, f64, i64, f64, i64, f64, [i64; 3], i64, i64) {
    let rows = patients.age.len();
    let (age, bill, stay) = (
        &patients.age[..rows],
        &patients.bill[..rows],
        &patients.stay[..rows],
    );
    let (smoker, ward) = (&patients.smoker[..rows], &patients.ward[..rows]);
    let mut t = (0, 0, 0.0, 0, 0.0, 0, 0.0, [0; 3], 0, 0);
    for i in 0..rows {
        let (years, paid) = (age[i].clamp(0, 120), bill[i].clamp(0.0, 100.0));
        t.0 += 1;
        t.1 += years;
        t.2 += paid;
        t.3 += i64::from(smoker[i] & (age[i] > 40));
        t.4 += if smoker[i] { paid } else { 0.0 };
        t.5 += stay[i].clamp(0, 30);
        t.6 += paid * paid;
        t.7[ward[i] as usize] += 1;
        t.8 += i64::from(bill[i] > 50.0);
        t.9 += years * years;
    }
    t
}

struct Columns {
    age: Vec<i64>,
    bill: Vec<f64>,
    smoker: Vec<bool>,
    ward: Vec<Ward>,
    stay: Vec<i64>,
}

type E = Eps<1, 100>;

/// What a release costs beside the scan: a count of ten rows, from a meter.
fn small_release() -> privet::Result<()> {
    const RELEASES: usize = 100_000;
    let patient = Patient {
        age: 71,
        bill: 9.5,
        smoker: true,
        ward: Ward::Surgery,
        stay: 3,
    };
    let vault: Vault<Table<Patient>, Eps<100, 1>> = Vault::open(vec![patient; 10]);
    let (meter, _) = vault.metered::<Eps<100, 1>>();
    let count = rows::<Patient>().count().laplace::<Eps<1, 100_000_000>>();
    let ours = best(|| {
        for _ in 0..RELEASES {
            black_box(meter.release(count.clone()).expect("paid for"));
        }
    });
    println!(
        "count of ten rows, a release  {:.0} ns",
        ours * 1e6 / RELEASES as f64
    );
    Ok(())
}

fn main() -> privet::Result<()> {
    let asked = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok());
    let rows_of_table: usize = asked.unwrap_or(10_000_000);
    let mut choices = Choices::new(1);
    let wards = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
    let patients: Vec<Patient> = (0..rows_of_table)
        .map(|_| Patient {
            age: choices.below(120) as i64,
            bill: choices.below(20_000) as f64 / 100.0,
            smoker: choices.below(2) == 0,
            ward: wards[choices.below(3)],
            stay: choices.below(40) as i64,
        })
        .collect();
    let columns = Columns {
        age: patients.iter().map(|p| p.age).collect(),
        bill: patients.iter().map(|p| p.bill).collect(),
        smoker: patients.iter().map(|p| p.smoker).collect(),
        ward: patients.iter().map(|p| p.ward).collect(),
        stay: patients.iter().map(|p| p.stay).collect(),
    };

    let start = Instant::now();
    let data = Loaded::new(patients.iter().cloned());
    println!(
        "{rows_of_table} rows taken apart in {:.0} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    let sum = rows::<Patient>().sum(|p| p.bill.clamp::<0, 100>());
    let hand = best(|| {
        columns
            .bill
            .iter()
            .map(|x| x.clamp(0.0, 100.0))
            .sum::<f64>()
    });
    report(
        "clamp and sum, f64",
        rows_of_table,
        hand,
        best(|| data.exact(&sum)),
    );
    let sum = rows::<Patient>().sum(|p| p.age.clamp::<0, 100>());
    let hand = best(|| columns.age.iter().map(|x| (*x).clamp(0, 100)).sum::<i64>());
    report(
        "clamp and sum, i64",
        rows_of_table,
        hand,
        best(|| data.exact(&sum)),
    );
    drop(data);

    let hand = best(|| ten_by_hand(&columns));
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    let (meter, _) = vault.metered::<Eps<1, 1>>();
    let all = || rows::<Patient>();
    let ours = best(|| {
        let ten = all()
            .count()
            .laplace::<E>()
            .and(all().sum(|p| p.age.clamp::<0, 120>()).laplace::<E>())
            .and(all().sum(|p| p.bill.clamp::<0, 100>()).laplace::<E>())
            .and(
                all()
                    .filter(|p| p.smoker & p.age.gt(40))
                    .count()
                    .laplace::<E>(),
            )
            .and(
                all()
                    .filter(|p| p.smoker)
                    .sum(|p| p.bill.clamp::<0, 100>())
                    .laplace::<E>(),
            )
            .and(all().sum(|p| p.stay.clamp::<0, 30>()).laplace::<E>())
            .and(
                all()
                    .sum(|p| p.bill.clamp::<0, 100>().square())
                    .laplace::<E>(),
            )
            .and(all().histogram(|p| p.ward).laplace::<E>())
            .and(all().filter(|p| p.bill.gt(50)).count().laplace::<E>())
            .and(
                all()
                    .sum(|p| p.age.clamp::<0, 120>().square())
                    .laplace::<E>(),
            );
        meter.release(ten).expect("paid for")
    });
    report("ten statistics, one release", rows_of_table, hand, ours);
    small_release()?;
    small()
}

/// Whole releases where the data is next to nothing: plan, generator, noise.
fn small() -> privet::Result<()> {
    const TIMES: u32 = 100_000;
    type Tiny = Eps<1, 1_000_000_000>;
    let patient = |age| Patient {
        age,
        bill: 1.0,
        smoker: true,
        ward: Ward::Surgery,
        stay: 1,
    };
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open((0..10).map(patient));
    let (meter, _) = vault.metered::<Eps<1, 1>>();
    let each = |what: &str, run: &mut dyn FnMut() -> i64| {
        let time = best(|| (0..TIMES).map(|_| run()).fold(0, i64::wrapping_add));
        println!("{what:<28} {:8.3} µs", time * 1e3 / f64::from(TIMES));
    };
    let count = rows::<Patient>().count().laplace::<Tiny>();
    let pay = |m: &Mechanism<_, i64, Tiny>| meter.release(m.clone()).expect("paid for");
    each("a count of ten rows", &mut || pay(&count));
    let mapped = (0..4).fold(count.clone(), |m, _| m.map(|n| n / 2));
    each("and four maps", &mut || pay(&mapped));
    let wards = rows::<Patient>().histogram(|p| p.ward).laplace::<Tiny>();
    let wards = wards.map(|counts| counts[0]);
    each("a histogram of ten rows", &mut || pay(&wards));
    Ok(())
}
