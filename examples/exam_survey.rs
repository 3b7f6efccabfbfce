//! Who cheated in the exam? Randomized response: every student can deny everything
//! ([T5](privet::guide::theory#t5-randomized-response)).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::local::{Person, Tally, person};
use privet::prelude::*;
use rand::RngExt;

const STUDENTS: usize = 5_000;
const TERMS: u64 = 20;
const CHEATED: f64 = 0.17;

/// Tells the truth with probability 1/2 + A/B. A price below ln((1/2 + γ)/(1/2 − γ)) does not compile.
fn answer<const A: u32, const B: u32, E: Epsilon>() -> Mechanism<Person<bool>, bool, E> {
    person::<bool>().respond_by_gamma::<A, B, E>()
}

/// Each student's phone holds one bit and one budget; only the noisy bit leaves it.
fn survey<const A: u32, const B: u32, E>(seed: u64) -> privet::Result<(f64, f64)>
where
    E: Epsilon + privet::Budget + PaidFrom<E>,
{
    let mut rng = common::rng(seed);
    let (mut tally, mut yes) = (Tally::<bool>::by_gamma::<A, B>(), 0);
    for _ in 0..STUDENTS {
        let cheated = rng.random_bool(CHEATED);
        yes += u32::from(cheated);
        let phone: Vault<Person<bool>, E> = Vault::of_person(cheated);
        tally.add(phone.release(answer::<A, B, E>())?.0);
    }
    let exact = f64::from(yes) / STUDENTS as f64;
    Ok((tally.shares()[1], exact))
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// γ, the price, the root of the mean squared error, and what theory says.
    pub rows: Vec<(f64, f64, f64, f64)>,
}

fn terms<const A: u32, const B: u32, E>(figures: &mut Figures) -> privet::Result<()>
where
    E: Epsilon + privet::Budget + PaidFrom<E>,
{
    let gamma = f64::from(A) / f64::from(B);
    let mut squares = 0.0;
    let mut last = (0.0, 0.0);
    for term in 0..TERMS {
        last = survey::<A, B, E>(term)?;
        squares += (last.0 - last.1).powi(2) / TERMS as f64;
    }
    // A noisy bit has variance (1/2 + γ)(1/2 − γ), and the estimate divides by 2γ.
    let theory = ((0.25 - gamma * gamma) / STUDENTS as f64).sqrt() / (2.0 * gamma);
    let price = common::amount(E::price());
    let needed = ((0.5 + gamma) / (0.5 - gamma)).ln();
    println!(
        "{A}/{B:<4} {price:<6} {needed:<8.4} {:<9.4} {:<8.4} {:<9.4} {theory:.4}",
        last.0,
        last.1,
        squares.sqrt()
    );
    figures.rows.push((gamma, price, squares.sqrt(), theory));
    Ok(())
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut figures = Figures { rows: Vec::new() };
    println!("{}", answer::<1, 4, Eps<11, 10>>().explain());
    println!("{STUDENTS} students, {TERMS} terms\n");
    println!("γ      ε      at least estimate exact    error     in theory");
    terms::<1, 16, Eps<13, 50>>(&mut figures)?;
    terms::<1, 8, Eps<13, 25>>(&mut figures)?;
    terms::<1, 4, Eps<11, 10>>(&mut figures)?;
    terms::<3, 8, Eps<39, 20>>(&mut figures)?;
    terms::<7, 16, Eps<136, 50>>(&mut figures)?;
    let curve = |(_, price, error, _): &(f64, f64, f64, f64)| (*price, *error);
    let theory = |(_, price, _, theory): &(f64, f64, f64, f64)| (*price, *theory);
    let path = Chart::new(
        "Error of the estimated share against ε",
        (0.0, 3.0),
        (0.0, 0.08),
    )
    .line(0, figures.rows.iter().map(theory))
    .dots(1, 4.0, figures.rows.iter().map(curve))
    .legend(0, "theory")
    .legend(1, "measured over 20 terms")
    .save("exam_survey.svg");
    println!("\npicture: {}", path.display());
    println!(
        "To a student at γ = 1/4: {}.",
        Eps::<11, 10>::price().meaning()
    );
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
