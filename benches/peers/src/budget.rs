//! What T releases cost by OpenDP's accountant, and by the types of privet.

use std::marker::PhantomData;

use opendp::combinators::{
    make_composition, make_fix_delta, make_pureDP_to_zCDP, make_zCDP_to_approxDP,
};
use opendp::core::Measurement;
use opendp::domains::AtomDomain;
use opendp::measurements::{make_gaussian, make_laplace};
use opendp::measures::{MaxDivergence, ZeroConcentratedDivergence};
use opendp::metrics::AbsoluteDistance;
use privet::cost::Times;
use privet::prelude::*;

use crate::report::{head, row};

const DELTA: f64 = 1e-6;

type Noisy<M> = Measurement<AtomDomain<i64>, AbsoluteDistance<i64>, M, i64>;

fn atom() -> (AtomDomain<i64>, AbsoluteDistance<i64>) {
    (AtomDomain::default(), AbsoluteDistance::default())
}

/// A count with discrete Gaussian noise of σ = 20.
fn gaussian() -> Noisy<ZeroConcentratedDivergence> {
    let (domain, metric) = atom();
    make_gaussian::<_, _, ZeroConcentratedDivergence>(domain, metric, 20.0, None)
        .expect("mechanism")
}

/// A count with discrete Laplace noise of scale 10.
fn laplace() -> Noisy<MaxDivergence> {
    let (domain, metric) = atom();
    make_laplace(domain, metric, 10.0, None).expect("mechanism")
}

/// ε at δ = 10⁻⁶ of mechanisms in zCDP, composed by OpenDP and converted once.
fn in_rho(all: Vec<Noisy<ZeroConcentratedDivergence>>) -> f64 {
    let all = make_composition(all).expect("composition");
    let all = make_zCDP_to_approxDP(all).expect("conversion");
    all.map(&1).expect("a price").epsilon(DELTA).expect("an ε")
}

/// ε where each is converted at δ/T, and OpenDP adds up (ε, δ).
fn one_by_one(t: usize) -> f64 {
    let one = || {
        let one = make_zCDP_to_approxDP(gaussian()).expect("conversion");
        make_fix_delta(&one, DELTA / t as f64).expect("a δ")
    };
    let all = make_composition((0..t).map(|_| one()).collect()).expect("composition");
    all.map(&1).expect("a price").0
}

/// The ε of a stated price, if the cost passes as that price: else this does not compile.
struct Stated<C, B>(PhantomData<(C, B)>);
impl<C: AtMost<B>, B: Cost> Stated<C, B> {
    fn epsilon() -> f64 {
        let epsilon = B::price().epsilon().expect("an ε");
        *epsilon.numer() as f64 / *epsilon.denom() as f64
    }
}
type InRho<const N: usize, const D: usize, const W: usize = 0> = Approx<Eps<N, D, W>, Delta<1, 6>>;
type Product<C, const K: usize> = <C as Times<K>>::Product;

pub fn run() {
    println!("## What T releases cost");
    println!(
        "\nThe ε of T counts with discrete Gaussian noise of σ = 20 at δ = 10⁻⁶. privet's compile, and the next smaller"
    );
    println!("thousandth does not (`tests/budgets.rs`).");
    head(&[
        "T",
        "OpenDP, in ρ",
        "privet, in ρ",
        "more",
        "OpenDP, one by one",
        "privet, one by one",
    ]);
    type One = Rho<1, 800>;
    type Each<const N: usize, const A: usize, const K: usize> = Approx<Eps<N, 1000>, Delta<A, K>>;
    let each = [
        Stated::<One, Each<232, 1, 7>>::epsilon() * 10.0,
        Stated::<One, Each<255, 1, 8>>::epsilon() * 100.0,
        Stated::<One, Each<276, 1, 9>>::epsilon() * 1000.0,
    ];
    let ours = [
        Stated::<Product<One, 10>, InRho<701, 1000>>::epsilon(),
        Stated::<Product<One, 100>, InRho<420, 1000, 2>>::epsilon(),
        Stated::<Product<One, 1000>, InRho<852, 1000, 8>>::epsilon(),
    ];
    for ((t, ours), each) in [10, 100, 1000].into_iter().zip(ours).zip(each) {
        let theirs = in_rho((0..t).map(|_| gaussian()).collect());
        row(
            &t.to_string(),
            &[
                format!("{theirs:.4}"),
                format!("{ours}"),
                format!("{:.2} %", 100.0 * (ours / theirs - 1.0)),
                format!("{:.2}", one_by_one(t)),
                format!("{each:.2}"),
            ],
        );
    }
    let theirs = in_rho(
        (0..100)
            .map(|_| make_pureDP_to_zCDP(laplace()).expect("conversion"))
            .collect(),
    );
    println!(
        "\nA hundred counts with discrete Laplace noise of ε = 1/10, in ρ: OpenDP {theirs:.4},"
    );
    println!(
        "privet {}. A hundred sums: privet {}.",
        Stated::<Product<Rho<1, 200>, 100>, InRho<523, 100>>::epsilon(),
        Stated::<Product<Rho<484, 100_000>, 100>, InRho<513, 100>>::epsilon(),
    );
}
