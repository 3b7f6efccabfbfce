//! Who repays a loan? Private gradient descent in zCDP, with minibatches composed in the type.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use rand::RngExt;

const EPOCHS: usize = 10;
const BATCHES: i64 = 20;
const N: f64 = 20_000.0; // public: about how many there are

#[derive(Record, Clone)]
struct Loan {
    /// Assigned by the owner of the data at random, whatever is in the row.
    batch: i64,
    /// Income, debt and a constant, scaled.
    x: [f64; 3],
    repaid: bool,
}

/// The gradient of the logistic loss on some rows, each clipped to norm 1.
fn gradient<R: Concentrated>(weights: [f64; 3]) -> Mechanism<Table<Loan>, [f64; 3], R> {
    rows::<Loan>()
        .vector_sum(move |l| {
            let error = l.x.dot(weights).logistic() - l.repaid.number().real();
            l.x.scaled(error).grid::<4096>().clip_l2::<1>()
        })
        .gaussian()
}

/// One step on each batch in turn. Batches are disjoint, so twenty steps cost what one costs.
fn epoch<R: Concentrated>(weights: [f64; 3]) -> Mechanism<Table<Loan>, [f64; 3], R> {
    rows::<Loan>()
        .group_by(|l| l.batch.clamp::<1, BATCHES>())
        .in_turn(weights, |weights, _batch| {
            gradient::<R>(weights).map(move |gradient| {
                let rate = 2.0 * BATCHES as f64 / N;
                std::array::from_fn(|i| weights[i] - rate * gradient[i])
            })
        })
}

/// Ten epochs of twenty steps: two hundred noisy gradients, ten times the price of one.
fn train<R: Split<EPOCHS, Zcdp>>() -> Mechanism<Table<Loan>, [f64; 3], R> {
    Mechanism::iterate::<EPOCHS>([0.0; 3], |weights, _| epoch::<R::Part>(weights))
        .at_most()
        .named("logistic regression")
}

fn accuracy(weights: [f64; 3], loans: &[Loan]) -> f64 {
    let score = |l: &Loan| (0..3).map(|i| weights[i] * l.x[i]).sum::<f64>();
    let right = loans.iter().filter(|l| (score(l) > 0.0) == l.repaid);
    right.count() as f64 / loans.len() as f64
}

/// The same steps without noise and without clipping.
fn exact_descent(loans: &[Loan]) -> [f64; 3] {
    let mut weights = [0.0; 3];
    for step in 0..EPOCHS as i64 * BATCHES {
        let mut sum = [0.0; 3];
        for l in loans.iter().filter(|l| l.batch == 1 + step % BATCHES) {
            let score: f64 = (0..3).map(|i| weights[i] * l.x[i]).sum();
            let error = 1.0 / (1.0 + (-score).exp()) - f64::from(u8::from(l.repaid));
            (0..3).for_each(|i| sum[i] += error * l.x[i]);
        }
        (0..3).for_each(|i| weights[i] -= 2.0 * BATCHES as f64 / N * sum[i]);
    }
    weights
}

fn loans(n: usize, seed: u64) -> Vec<Loan> {
    let mut rng = common::rng(seed);
    let mut loan = || {
        let (income, debt) = (
            common::normal(&mut rng) / 2.0,
            common::normal(&mut rng) / 2.0,
        );
        let score = 5.0 * income - 4.0 * debt + 0.5;
        let repaid = rng.random_bool(1.0 / (1.0 + f64::exp(-score)));
        let batch = rng.random_range(1..=BATCHES);
        Loan {
            batch,
            x: [income, debt, 0.5],
            repaid,
        }
    };
    (0..n).map(|_| loan()).collect()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub exact: f64,
    /// ρ and accuracy on loans not trained on.
    pub noisy: Vec<(f64, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let (training, fresh) = (loans(N as usize, 43), loans(10_000, 47));
    let exact = accuracy(exact_descent(&training), &fresh);
    println!("{}", train::<Rho<1, 8>>().explain());
    println!("accuracy on loans not trained on:\n  without privacy {exact:.4}");
    let mut noisy = Vec::new();
    let mut show = |rho: f64, weights: [f64; 3]| {
        let share = accuracy(weights, &fresh);
        println!("  ρ = {rho:<11} {share:.4}  weights {weights:.2?}");
        noisy.push((rho, share));
    };
    let open = || -> Vault<Table<Loan>, Rho<1, 1>> { Vault::open(training.clone()) };
    show(0.0001, open().release(train::<Rho<1, 10_000>>())?.0);
    show(0.001, open().release(train::<Rho<1, 1_000>>())?.0);
    show(0.01, open().release(train::<Rho<1, 100>>())?.0);
    show(0.125, open().release(train::<Rho<1, 8>>())?.0);
    let _: Mechanism<_, _, Approx<Eps<3, 1>, Delta<1, 6>>> = train::<Rho<1, 8>>().at_most();
    println!("\nρ = 1/8 implies ε = 3 at δ = 1e-6: `.at_most::<Approx<Eps<3, 1>, Delta<1, 6>>>()`");
    println!("{}.", Rho::<1, 8>::price().meaning());
    Ok(Figures { exact, noisy })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
