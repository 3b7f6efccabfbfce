//! Records as people write them, split into columns and queried.
#![forbid(unsafe_code)]
#![allow(clippy::approx_constant)]

use privet::prelude::*;
use privet::testing::exact;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
    ward: Ward,
}

#[derive(Category, Clone)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

fn patients() -> Vec<Patient> {
    vec![
        Patient {
            age: 30,
            bill: 12.34,
            smoker: true,
            ward: Ward::Surgery,
        },
        Patient {
            age: 50,
            bill: f64::NAN,
            smoker: true,
            ward: Ward::Maternity,
        },
        Patient {
            age: 70,
            bill: f64::INFINITY,
            smoker: false,
            ward: Ward::Oncology,
        },
        Patient {
            age: -5,
            bill: -3.0,
            smoker: true,
            ward: Ward::Oncology,
        },
    ]
}

#[test]
fn filters_and_counts() {
    let query = rows::<Patient>()
        .filter(|p| p.smoker & p.age.gt(40))
        .count();
    assert_eq!(exact(&query, patients()), [1]);
    let query = rows::<Patient>()
        .filter(|p| !p.smoker | p.ward.eq_to(Ward::Surgery))
        .count();
    assert_eq!(exact(&query, patients()), [2]);
    assert_eq!(
        query.term().to_string(),
        "count(where(!smoker | (ward == Surgery)))"
    );
}

#[test]
fn sums_reals_in_units_and_on_a_grid() {
    let query = rows::<Patient>().sum(|p| p.bill.clamp::<0, 100>());
    assert_eq!(exact(&query, patients()), [1_123_400]); // ten-thousandths
    let query = rows::<Patient>().sum(|p| p.bill.grid::<1>().clamp::<0, 100>());
    assert_eq!(exact(&query, patients()), [112]);
    let query = rows::<Patient>().sum(|p| p.bill.grid::<100>().clamp::<-2, 100>());
    assert_eq!(exact(&query, patients()), [1234 - 200 + 10_000 - 200]);
}

#[test]
fn counts_by_category() {
    let query = rows::<Table<Patient, Replace>>().histogram(|p| p.ward);
    assert_eq!(exact(&query, patients()), [1, 1, 2]);
}

#[derive(Record)]
#[allow(non_snake_case)]
struct Odd {
    option: Option<i64>,
    string: String,
    default: Option<String>,
    i64: u64,
    r#type: bool,
    Ward: Option<Ward>,
    point: [f64; 2],
}

#[test]
fn odd_names_and_every_type() {
    let odd = |option, string: &str, i64| Odd {
        option,
        string: string.into(),
        default: option.map(|_| "x".into()),
        i64,
        r#type: true,
        Ward: None,
        point: [3.0, 4.0],
    };
    let table = || {
        vec![
            odd(None, "a", u64::MAX),
            odd(Some(7), "b", 3),
            odd(Some(9), "a", 4),
        ]
    };
    let query = rows::<Odd>()
        .filter(|o| o.string.eq_to("a") & o.r#type)
        .count();
    assert_eq!(exact(&query, table()), [2]);
    let query = rows::<Odd>().sum(|o| o.option.clamp::<5, 8>());
    assert_eq!(exact(&query, table()), [15]);
    let query = rows::<Odd>().sum(|o| o.option.or(6).clamp::<5, 8>());
    assert_eq!(exact(&query, table()), [21]);
    let query = rows::<Odd>()
        .filter(|o| o.option.is_null() & o.Ward.is_null())
        .count();
    assert_eq!(exact(&query, table()), [1]);
    let query = rows::<Odd>()
        .filter(|o| o.default.one_of(["x", "y"]))
        .count();
    assert_eq!(exact(&query, table()), [2]);
    let query = rows::<Odd>().sum(|o| o.i64.clamp::<0, 10>());
    assert_eq!(exact(&query, table()), [17]);
    let query = rows::<Odd>().histogram(|o| o.point.nearest([[0.0, 0.0], [3.0, 3.0]]));
    assert_eq!(exact(&query, table()), [0, 3]);
}

#[derive(Record, Clone)]
struct Reading {
    x: f64,
    y: f64,
    n: i64,
    flag: Option<bool>,
}

fn reading(x: f64, y: f64, n: i64, flag: Option<bool>) -> Reading {
    Reading { x, y, n, flag }
}

#[test]
fn arithmetic_means_what_it_says() {
    let one = || [reading(1.25, 2.5, 3, None)];
    let sum = rows::<Reading>().sum(|r| (r.x.grid::<100>() + r.y).clamp::<0, 10>());
    assert_eq!(exact(&sum, one()), [375]);
    let sum = rows::<Reading>().sum(|r| (r.x - r.y.grid::<4>()).clamp::<-10, 10>());
    assert_eq!(exact(&sum, one()), [-5]);
    let sum = rows::<Reading>().sum(|r| (r.x * r.y * 2.0).grid::<100>().clamp::<0, 10>());
    assert_eq!(exact(&sum, one()), [625]);
    let sum = rows::<Reading>()
        .sum(|r| r.x.grid::<4>().clamp::<0, 9>() + r.y.grid::<2>().clamp::<0, 9>());
    assert_eq!(exact(&sum, one()), [15]);
    let sum = rows::<Reading>().sum(|r| r.x.grid::<4>().clamp::<0, 9>() * r.n.clamp::<0, 9>());
    assert_eq!(exact(&sum, one()), [15]);
    let sum = rows::<Reading>().sum(|r| r.x.grid::<4>().clamp::<0, 9>().square().plus::<1>());
    assert_eq!(exact(&sum, one()), [25 + 16]);
    assert_eq!(
        sum.term().to_string(),
        "sum(plus(square(clamp(grid(x, 4), 0, 9)), 1))"
    );
    let sum = rows::<Reading>().sum(|r| (r.n * 3 - r.n).real().clamp::<0, 9>());
    assert_eq!(exact(&sum, one()), [600_000]);
    let saturated = [reading(0.0, 0.0, i64::MAX, None)];
    let sum = rows::<Reading>().sum(|r| (r.n * r.n - 1).clamp::<0, 7>());
    assert_eq!(exact(&sum, saturated), [7]);
}

#[test]
fn rounding_is_to_nearest_with_ties_to_even() {
    for (x, steps) in [
        (0.5, 0),
        (1.5, 2),
        (2.5, 2),
        (-0.5, 0),
        (-1.5, -2),
        (0.49, 0),
        (9.6, 9),
    ] {
        let sum = rows::<Reading>().sum(|r| r.x.grid::<1>().clamp::<-9, 9>());
        assert_eq!(exact(&sum, [reading(x, 0.0, 0, None)]), [steps], "{x}");
    }
}

#[test]
fn missing_conditions_do_not_hold() {
    let table = || [None, Some(false), Some(true)].map(|flag| reading(0.0, 0.0, 0, flag));
    let holds = rows::<Reading>().filter(|r| r.flag.is_true()).count();
    assert_eq!(exact(&holds, table()), [1]);
    let not = rows::<Reading>().filter(|r| !r.flag.is_true()).count();
    assert_eq!(exact(&not, table()), [2]);
    let counts = rows::<Reading>().histogram(|r| r.flag);
    assert_eq!(exact(&counts, table()), [1, 1]);
}
