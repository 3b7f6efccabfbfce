//! Synthetic data by multiplicative weights and the exponential mechanism (MWEM).
//!
//! Each round finds the range of ages that the synthetic data gets most wrong, asks for its true
//! share with noise, and corrects the synthetic data.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use rand::RngExt;

const AGES: usize = 64;
const ROUNDS: usize = 12;
const N: f64 = 20_000.0; // public: about how many there are

#[derive(Record, Clone)]
struct Person {
    age: i64,
}

/// A distribution over ages, and the noisy shares that it was made from.
#[derive(Clone)]
struct Synthetic {
    shares: [f64; AGES],
    measured: Vec<((i64, i64), f64)>,
}

fn ranges() -> impl Iterator<Item = (i64, i64)> {
    let ends = |low| (low..AGES as i64).step_by(4).map(move |high| (low, high));
    (0..AGES as i64).step_by(4).flat_map(ends)
}

fn share(shares: &[f64; AGES], (low, high): (i64, i64)) -> f64 {
    shares[low as usize..=high as usize].iter().sum()
}

/// The place of a range that the synthetic data gets badly wrong, in one direction or the other.
fn worst<E: Epsilon>(shares: [f64; AGES]) -> Mechanism<Table<Person>, usize, E> {
    // Each person adds 1000·(in the range) − 1000·(the share that the synthetic data has there):
    // the sum is 1000 times how many people the synthetic data is short of, or the reverse.
    let errors = ranges().flat_map(|(low, high)| {
        let expected = (1_000.0 * share(&shares, (low, high))).round() as i64;
        [1, -1].map(|sign| {
            rows::<Person>().sum(move |p| {
                let inside = (p.age.ge(low) & p.age.le(high)).number();
                ((inside * 1_000 - expected) * sign).clamp::<-1_000, 1_000>()
            })
        })
    });
    Mechanism::largest(errors).map(|place| place / 2)
}

/// Select the worst range, then measure it: two adaptive steps, half of a round's price each.
fn round<E: Split<2>>(synthetic: Synthetic) -> Mechanism<Table<Person>, Synthetic, E> {
    Mechanism::iterate::<2>((synthetic, (0, 0)), |(synthetic, (low, high)), step| {
        if step == 0 {
            worst::<E::Part>(synthetic.shares).map(move |place| {
                let range = ranges().nth(place).unwrap_or((0, 0));
                (synthetic.clone(), range)
            })
        } else {
            let inside = rows::<Person>().filter(move |p| p.age.ge(low) & p.age.le(high));
            inside.count().laplace().map(move |n| {
                let mended = synthetic.clone().mend((low, high), n as f64 / N);
                (mended, (low, high))
            })
        }
    })
    .map(|(synthetic, _)| synthetic)
    .at_most()
}

impl Synthetic {
    /// Multiplicative weights, over all measurements so far: ages in a range weigh more if it is
    /// short of people, else less.
    fn mend(mut self, range: (i64, i64), measured: f64) -> Self {
        self.measured.push((range, measured.clamp(0.0, 1.0)));
        for (range, measured) in self.measured.iter().cycle().take(50 * self.measured.len()) {
            let off = measured - share(&self.shares, *range);
            for age in range.0..=range.1 {
                self.shares[age as usize] *= off.exp();
            }
            let total: f64 = self.shares.iter().sum();
            self.shares = self.shares.map(|share| share / total);
        }
        self
    }
}

fn mwem<E: Split<ROUNDS, Part: Split<2>>>() -> Mechanism<Table<Person>, [f64; AGES], E> {
    let start = Synthetic {
        shares: [1.0 / AGES as f64; AGES],
        measured: Vec::new(),
    };
    Mechanism::iterate::<ROUNDS>(start, |synthetic, _| round::<E::Part>(synthetic))
        .map(|synthetic| synthetic.shares)
        .at_most()
        .named("MWEM")
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub uniform: f64,
    pub synthetic: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(42);
    let mut age = || match rng.random_range(0..3) {
        0 => 12.0 + 4.0 * common::normal(&mut rng),
        _ => 42.0 + 7.0 * common::normal(&mut rng),
    };
    let mut person = || Person {
        age: age().clamp(0.0, AGES as f64 - 1.0) as i64,
    };
    let people: Vec<_> = (0..N as usize).map(|_| person()).collect();
    let mut exact = [0.0; AGES];
    people.iter().for_each(|p| exact[p.age as usize] += 1.0 / N);

    println!("{}", mwem::<Eps<1, 1>>().explain());
    let vault: Vault<Table<Person>, Eps<1, 1>> = Vault::open(people);
    let (synthetic, vault) = vault.release(mwem::<Eps<1, 1>>())?;
    println!("{} left of ε = 1\n", vault.remaining());
    println!(" age  {:<30}  synthetic", "exact");
    for age in (0..AGES).step_by(4) {
        let [a, b] = [&exact, &synthetic].map(|s| share(s, (age as i64, age as i64 + 3)));
        println!(
            " {age:>3}  {}  {}",
            common::bar(4.0 * a, 30),
            common::bar(4.0 * b, 30)
        );
    }
    let off = |shares| {
        let errors = ranges().map(|r| (share(shares, r) - share(&exact, r)).abs());
        errors.fold(0.0, f64::max)
    };
    let figures = Figures {
        uniform: off(&[1.0 / AGES as f64; AGES]),
        synthetic: off(&synthetic),
    };
    println!(
        "\nlargest error of {} ranges, as a share of all:",
        ranges().count()
    );
    println!(
        "  before: {:.4}\n  after:  {:.4}",
        figures.uniform, figures.synthetic
    );
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
