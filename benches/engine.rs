//! The program of a plan against the loops of its queries and against hand-written loops, in memory.
//!
//! `RAYON_NUM_THREADS=1 cargo bench --bench engine`: the hand-written loops have one thread. Rows by the
//! first argument, and only the lines that contain the second. Times are processor times, the best of fifteen rounds in which each has its turn.

#[path = "shared/clock.rs"]
mod clock;

use std::hint::black_box;

use clock::clock;

use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
    stay: i64,
    code: i64,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

type Cells = Vec<i64>;

struct Columns {
    age: Vec<i64>,
    bill: Vec<f64>,
    smoker: Vec<bool>,
    ward: Vec<Ward>,
    stay: Vec<i64>,
    code: Vec<i64>,
}

/// The time of a run, in milliseconds.
fn time<T>(run: &mut impl FnMut() -> T) -> f64 {
    let start = clock();
    black_box(run());
    (clock() - start) * 1e3
}

/// The best times of runs that take turns.
fn best<A, B, C>(
    mut a: impl FnMut() -> A,
    mut b: impl FnMut() -> B,
    mut c: impl FnMut() -> C,
) -> [f64; 3] {
    let mut best = [f64::INFINITY; 3];
    for _ in 0..15 {
        let times = [time(&mut a), time(&mut b), time(&mut c)];
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    best
}

fn report<T>(
    what: &str,
    (data, columns): (&Loaded<Patient>, &Columns),
    asked: &[Asked<Patient>],
    by_hand: impl Fn(&Columns) -> T,
) {
    assert_eq!(data.pass(asked, false), data.pass(asked, true));
    let [hand, loops, program] = best(
        || by_hand(black_box(columns)),
        || data.pass(asked, false),
        || data.pass(asked, true),
    );
    println!(
        "{what:<32} hand {hand:8.2} ms   loops {loops:8.2} ms ({:.2} x)   program {program:8.2} ms ({:.2} x)",
        loops / hand,
        program / hand
    );
}

/// Sums of reals are inexact here, which is faster than exact ones.
#[inline(never)]
fn ten_by_hand(p: &Columns) -> ([i64; 6], [f64; 3], [i64; 3]) {
    let rows = p.age.len();
    let (age, bill, stay) = (&p.age[..rows], &p.bill[..rows], &p.stay[..rows]);
    let (smoker, ward) = (&p.smoker[..rows], &p.ward[..rows]);
    let (mut t, mut paid_in_all, mut wards) = ([0; 6], [0.0; 3], [0; 3]);
    for i in 0..rows {
        let (years, paid, days) = (
            age[i].clamp(0, 120),
            bill[i].clamp(0.0, 100.0),
            stay[i].clamp(0, 30),
        );
        t[0] += 1;
        t[1] += years;
        t[2] += i64::from(smoker[i] & (age[i] > 40));
        t[3] += days * years;
        t[4] += i64::from(bill[i] > 50.0);
        t[5] += years * years;
        paid_in_all[0] += paid;
        paid_in_all[1] += if smoker[i] { paid } else { 0.0 };
        paid_in_all[2] += paid * paid;
        wards[ward[i] as usize] += 1;
    }
    (t, paid_in_all, wards)
}

fn ten() -> Vec<Asked<Patient>> {
    let all = rows::<Patient>;
    vec![
        Asked::new(&all().count()),
        Asked::new(&all().sum(|p| p.age.clamp::<0, 120>())),
        Asked::new(&all().sum(|p| p.bill.grid::<100>().clamp::<0, 100>())),
        Asked::new(&all().filter(|p| p.smoker & p.age.gt(40)).count()),
        Asked::new(
            &all()
                .filter(|p| p.smoker)
                .sum(|p| p.bill.grid::<100>().clamp::<0, 100>()),
        ),
        Asked::new(&all().sum(|p| p.stay.clamp::<0, 30>() * p.age.clamp::<0, 120>())),
        Asked::new(&all().sum(|p| p.bill.grid::<100>().clamp::<0, 100>().square())),
        Asked::new(&all().filter(|p| p.bill.gt(50.0)).count()),
        Asked::new(&all().sum(|p| p.age.clamp::<0, 120>().square())),
        Asked::new(&all().histogram(|p| p.ward)),
    ]
}

/// Five statistics of each ward, and of all.
fn by_ward() -> Vec<Asked<Patient>> {
    let mut asked = Vec::new();
    macro_rules! five {
        ($rows:expr) => {
            asked.extend([
                Asked::new(&$rows.count()),
                Asked::new(&$rows.sum(|p| p.age.clamp::<0, 120>())),
                Asked::new(&$rows.sum(|p| p.bill.grid::<100>().clamp::<0, 100>())),
                Asked::new(&$rows.sum(|p| p.bill.grid::<100>().clamp::<0, 100>().square())),
                Asked::new(&$rows.sum(|p| p.stay.clamp::<0, 30>() * p.age.clamp::<0, 120>())),
            ]);
        };
    }
    five!(rows::<Patient>());
    for ward in [Ward::Surgery, Ward::Maternity, Ward::Oncology] {
        five!(rows::<Patient>().filter(|p| p.ward.eq_to(ward)));
    }
    asked
}

/// The same, inexact, as people write it: sums by ward in one table.
#[inline(never)]
fn by_ward_by_hand(p: &Columns) -> [(i64, i64, f64, f64, i64); 4] {
    let rows = p.age.len();
    let (age, bill, stay) = (&p.age[..rows], &p.bill[..rows], &p.stay[..rows]);
    let ward = &p.ward[..rows];
    let mut wards = [(0, 0, 0.0, 0.0, 0); 4];
    for i in 0..rows {
        let (years, paid, days) = (
            age[i].clamp(0, 120),
            bill[i].clamp(0.0, 100.0),
            stay[i].clamp(0, 30),
        );
        let of_ward = &mut wards[ward[i] as usize];
        of_ward.0 += 1;
        of_ward.1 += years;
        of_ward.2 += paid;
        of_ward.3 += paid * paid;
        of_ward.4 += days * years;
    }
    for ward in 0..3 {
        let (a, b, c, d, e) = wards[ward];
        let all = &mut wards[3];
        *all = (all.0 + a, all.1 + b, all.2 + c, all.3 + d, all.4 + e);
    }
    wards
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|a| a.parse().ok());
    let size: usize = asked.unwrap_or(10_000_000);
    let mut choices = Choices::new(1);
    let wards = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
    let patients = (0..size).map(|_| Patient {
        age: choices.below(130) as i64,
        bill: choices.below(20_000) as f64 / 100.0,
        smoker: choices.below(2) == 0,
        ward: wards[choices.below(3)],
        stay: choices.below(40) as i64,
        code: choices.below(1 << 20) as i64,
    });
    let patients: Vec<Patient> = patients.collect();
    let columns = Columns {
        age: patients.iter().map(|p| p.age).collect(),
        bill: patients.iter().map(|p| p.bill).collect(),
        smoker: patients.iter().map(|p| p.smoker).collect(),
        ward: patients.iter().map(|p| p.ward).collect(),
        stay: patients.iter().map(|p| p.stay).collect(),
        code: patients.iter().map(|p| p.code).collect(),
    };
    let data = Loaded::new(patients);
    println!("{size} rows");
    let all = rows::<Patient>;
    let only = std::env::args().nth(2).filter(|arg| !arg.starts_with("--"));
    let only = only.unwrap_or_default();
    let report = |what: &str, asked: &[Asked<Patient>], by_hand: &dyn Fn(&Columns) -> Cells| {
        if what.contains(&only) {
            report(what, (&data, &columns), asked, by_hand);
        }
    };

    let sum = [Asked::new(&all().sum(|p| p.age.clamp::<0, 100>()))];
    report("clamp and sum, i64", &sum, &|p| {
        vec![p.age.iter().map(|x| (*x).clamp(0, 100)).sum()]
    });
    let sum = [Asked::new(&all().sum(|p| p.bill.clamp::<0, 100>()))];
    report("clamp and sum, f64, inexact", &sum, &|p| {
        let clamped = p.bill.iter().map(|x| x.clamp(0.0, 100.0));
        vec![clamped.sum::<f64>() as i64]
    });
    let count = [Asked::new(
        &all().filter(|p| p.smoker & p.age.gt(40)).count(),
    )];
    report("filtered count", &count, &|p| {
        let rows = p.smoker.iter().zip(&p.age);
        let kept = rows.filter(|(smoker, age)| **smoker & (**age > 40));
        vec![kept.count() as i64]
    });
    report("ten statistics", &ten(), &|p| {
        black_box(ten_by_hand(p));
        Cells::new()
    });
    report("twenty statistics, by ward", &by_ward(), &|p| {
        black_box(by_ward_by_hand(p));
        Cells::new()
    });
    let ages = [Asked::new(&all().histogram(|p| p.age.clamp::<0, 120>()))];
    report("histogram of 121 cells", &ages, &|p| {
        let mut cells = vec![0; 121];
        for age in &p.age {
            cells[(*age).clamp(0, 120) as usize] += 1;
        }
        cells
    });
    let codes = [Asked::new(
        &all().histogram(|p| p.code.clamp::<0, 1_048_575>()),
    )];
    report("histogram of 2^20 cells", &codes, &|p| {
        let mut cells = vec![0; 1 << 20];
        for code in &p.code {
            cells[(*code).clamp(0, 1_048_575) as usize] += 1;
        }
        cells
    });
    if only.is_empty() {
        blocks(&columns);
        ten_rows();
    }
}

/// What compiling a program costs where the scan costs nothing.
fn ten_rows() {
    const TIMES: usize = 20_000;
    let data = Loaded::new((0..10).map(|i| Patient {
        age: i,
        bill: 1.0,
        smoker: true,
        ward: Ward::Surgery,
        stay: 1,
        code: 1,
    }));
    let many = |asked: &[Asked<Patient>], by_program| {
        (0..TIMES).for_each(|_| drop(black_box(data.pass(asked, by_program))));
    };
    let count = [Asked::new(&rows::<Patient>().count())];
    for (what, asked) in [("a count", &count[..]), ("ten statistics", &ten())] {
        let times = best(|| (), || many(asked, false), || many(asked, true));
        let [_, loops, program] = times.map(|time| time * 1e6 / TIMES as f64);
        println!("{what} of ten rows   loops {loops:.0} ns   program {program:.0} ns");
    }
}

/// A count in each of 1,024 blocks: a whole release, against a histogram by hand.
fn blocks(columns: &Columns) {
    type E = Eps<1, 1_000_000>;
    let size = columns.code.len().min(1_000_000);
    let patients = (0..size).map(|i| Patient {
        age: columns.age[i],
        bill: columns.bill[i],
        smoker: columns.smoker[i],
        ward: columns.ward[i],
        stay: columns.stay[i],
        code: columns.code[i] % 1024,
    });
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    let (meter, _) = vault.metered::<Eps<1, 1>>();
    let sums = rows::<Patient>()
        .group_by(|p| p.code.clamp::<0, 1023>())
        .each(|_| {
            rows::<Patient>()
                .sum(|p| p.age.clamp::<0, 120>())
                .laplace::<E>()
        });
    let by_hand = || {
        let columns = black_box(columns);
        let mut cells: Cells = vec![0; 1024];
        for (code, age) in columns.code.iter().zip(&columns.age).take(size) {
            cells[(*code % 1024) as usize] += (*age).clamp(0, 120);
        }
        cells
    };
    let release = || meter.release(sums.clone()).expect("paid for");
    let [hand, ours, _] = best(by_hand, release, || ());
    println!("sums of 1,024 blocks, {size} rows   hand {hand:8.2} ms   a release {ours:8.2} ms");
}
