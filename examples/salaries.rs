//! The mean salary of a firm whose number of employees is public (Laplace mechanism, 003 example 2).
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use rand::RngExt;

#[derive(Record, Clone)]
struct Employee {
    salary: i64,
}

/// One salary is replaced by another, since the number of employees is not secret.
type Staff = Table<Employee, Replace>;

/// A salary of 0 to 200,000 moves the mean of n by 200,000/n at most.
fn mean_salary<E: Epsilon>() -> Mechanism<Staff, f64, E> {
    let staff = rows::<Staff>();
    staff.mean(|e| e.salary.clamp::<0, 200_000>()).laplace()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// ε, the noisy mean, and the scale of the noise.
    pub noisy: Vec<(f64, f64, f64)>,
    pub exact: f64,
}

fn ask<E: Epsilon>(staff: &[Employee], figures: &mut Figures) -> privet::Result<()> {
    let vault: Vault<Staff, Eps<4, 1>> = Vault::open(staff.to_vec());
    let plan = mean_salary::<E>();
    let epsilon = common::amount(plan.price());
    // The price is generic here, so it is paid from a meter.
    let (meter, _) = vault.metered::<Eps<4, 1>>();
    let mean = meter.release(plan)?;
    let scale = 200_000.0 / (epsilon * staff.len() as f64);
    let off = scale * 20.0_f64.ln();
    let share = ((mean - figures.exact).abs() / 5_000.0).min(1.0);
    println!(
        "  {epsilon:>5} {mean:>10.2} ± {off:<9.2} {:>9.2} {}",
        mean - figures.exact,
        common::bar(share, 30)
    );
    figures.noisy.push((epsilon, mean, scale));
    Ok(())
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(13);
    let mut employee = || {
        let log = 10.6 + 0.45 * common::normal(&mut rng);
        let bonus = rng.random_range(0..2_000);
        let salary = (log.exp() as i64 + bonus).min(200_000);
        Employee { salary }
    };
    let staff: Vec<_> = (0..2_000).map(|_| employee()).collect();
    let exact = staff.iter().map(|e| e.salary).sum::<i64>() as f64 / staff.len() as f64;
    let mut figures = Figures {
        noisy: Vec::new(),
        exact,
    };

    println!("{}", mean_salary::<Eps<1, 1>>().explain());
    println!("{} employees, exact mean {exact:.2}\n", staff.len());
    println!("      ε       mean ± 95 %           error");
    ask::<Eps<1, 20>>(&staff, &mut figures)?;
    ask::<Eps<1, 10>>(&staff, &mut figures)?;
    ask::<Eps<1, 4>>(&staff, &mut figures)?;
    ask::<Eps<1, 2>>(&staff, &mut figures)?;
    ask::<Eps<1, 1>>(&staff, &mut figures)?;
    ask::<Eps<2, 1>>(&staff, &mut figures)?;

    println!("\nIf hires and leavers are secret too, there is no direct mean: a sum and a count,");
    println!(
        "  `rows::<Employee>().mean(..)` has a `.sum` and a `.count`, each with its own price."
    );
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
