//! A hospital's report.
#![forbid(unsafe_code)]

use privet::expr::{Numeric, columns};
use privet::prelude::*;

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
}

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    weight: Option<f64>,
    ward: Ward,
}

fn patients() -> Vec<Patient> {
    let patient = |i: i64| Patient {
        age: 20 + i % 60,
        bill: 3.0 * (20 + i % 60) as f64,
        weight: (i % 5 != 0).then_some(70.0),
        ward: if i % 4 == 0 { Ward::Surgery } else { Ward::Maternity },
    };
    (0..12_000).map(patient).collect()
}

fn main() -> privet::Result<()> {
    let p = columns::<Patient>();
    let vault: Vault<Table<Patient>, Eps<8, 1>> = Vault::open(patients());

    let report = summaries::report::<0, 120, Patient, _, _, Eps<3, 1>>(p.age, |p| p.ward);
    let (report, vault) = vault.release(report)?;
    assert!((report.rows - 12_000).abs() < 100);
    assert!(report.mean.low < 49.5 && 49.5 < report.mean.high, "{}", report.mean);
    assert!((report.shares[0] - 0.25).abs() < 0.02, "{:?}", report.shares);

    let older = p.age.ge(50).boxed();
    let bills = summaries::mean::<0, 500, Patient, _, Eps<1, 1>>(p.bill, Some(older));
    let (bills, vault) = vault.release(bills)?;
    assert!((bills.value - 193.5).abs() < 10.0, "{bills}");

    let (gaps, vault) = vault.release(summaries::missing::<Patient, _, Eps<1, 1>>(p.weight))?;
    assert!((gaps.value - 0.2).abs() < 0.02, "{gaps}");

    let limits = [65.0, 75.0]; // from a request
    let reaching = summaries::reaching::<4, Patient, _, Eps<1, 1>>(p.age, &limits)?;
    let (counts, vault) = vault.release(reaching)?;
    assert!((counts[0] - 3000).abs() < 200 && (counts[1] - 1000).abs() < 200);
    assert!(summaries::reaching::<1, Patient, _, Eps<1, 1>>(p.age, &limits).is_err());

    let trend = summaries::trend::<Patient, _, _, Rho<1, 2>>(
        p.age.clamp::<0, 120>(),
        p.bill.clamp::<0, 500>(),
    );
    let price = trend.price();
    println!("{report:?}\n{bills}\n{counts:?}\na trend would cost {price}");
    drop(vault);
    Ok(())
}

#[test]
fn the_report_is_released() {
    main().unwrap();
}

#[test]
fn numbers_of_all_kinds_have_one_type() {
    let p = columns::<Patient>();
    let boxed = [Numeric::boxed(p.age), p.bill.boxed(), p.weight.or(0.0).boxed()];
    let means = boxed.map(|number| summaries::mean::<0, 500, _, _, Eps<1, 8>>(number, None));
    let all: Mechanism<Table<Patient>, _, Eps<3, 8>> = Mechanism::all(means);
    assert_eq!(all.price().to_string(), "ε = 3/8");
}
