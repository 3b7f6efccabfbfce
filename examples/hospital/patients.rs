//! Synthetic patients as a CSV file, and what its owner could see in it.

use std::fmt::Write;

use rand::RngExt;

pub const WARDS: [&str; 4] = ["Surgery", "Maternity", "Oncology", "Pediatrics"];

/// The file, and what the data owner could see in it.
pub struct Made {
    pub csv: String,
    pub exact: Exact,
}

#[derive(Default)]
pub struct Exact {
    pub count: i64,
    pub smokers: i64,
    pub mean: f64,
    pub mean_65: f64,
    pub wards: Vec<i64>,
    pub median: i64,
}

pub fn patients(n: i64) -> Made {
    let mut rng = super::common::rng(7);
    let mut csv = String::from("age,bill,smoker,ward\n");
    let (mut ages, mut old) = (Vec::new(), (0.0, 0));
    let mut exact = Exact {
        count: n,
        wards: vec![0; 4],
        ..Exact::default()
    };
    for _ in 0..n {
        let age: i64 = rng.random_range(0..60) + rng.random_range(0..40);
        let bill = rng.random_range(50.0..4_000.0) + 20.0 * age as f64;
        let smoker = age > 15 && rng.random_bool(0.23);
        let ward = match age {
            0..16 => 3,
            16..45 => rng.random_range(0..3),
            _ => 2 * rng.random_range(0..2),
        };
        exact.smokers += i64::from(smoker && age > 40);
        exact.mean += bill / n as f64;
        exact.wards[ward] += 1;
        if age >= 65 {
            old = (old.0 + bill, old.1 + 1);
        }
        ages.push(age);
        let _ = writeln!(csv, "{age},{bill:.2},{smoker},{}", WARDS[ward]);
    }
    ages.sort_unstable();
    exact.median = ages[ages.len() / 2];
    exact.mean_65 = old.0 / f64::from(old.1);
    Made { csv, exact }
}
