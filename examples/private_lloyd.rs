//! Clusters of shops in a city, found without revealing where any one shop is (private Lloyd).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::algorithms::{Clusters, kmeans};
use privet::prelude::*;
use privet::query::{All, Contributions, Neighbours};
use rand::RngExt;

const ROUNDS: usize = 8;
const TOWNS: [[f64; 2]; 4] = [[0.45, 0.35], [-0.4, 0.4], [-0.35, -0.4], [0.4, -0.45]];
const START: [[f64; 2]; 4] = [[0.2, 0.1], [-0.1, 0.3], [-0.2, -0.1], [0.1, -0.2]];

#[derive(Record, Clone)]
struct Shop {
    place: [f64; 2],
}

/// Four centres in eight rounds of two releases: each costs a sixteenth of `E`.
fn centres<Rel, E>() -> Mechanism<Table<Shop, Rel>, Clusters<4, 2>, E>
where
    Rel: Neighbours,
    All: Contributions<Rel>,
    E: Split<ROUNDS, Part: Split<2>>,
{
    let shops = rows::<Table<Shop, Rel>>();
    kmeans::<4, ROUNDS>().from(START).of(shops, |s| s.place)
}

/// The same method without noise, to compare with.
fn exact_lloyd(shops: &[Shop]) -> [[f64; 2]; 4] {
    (0..ROUNDS).fold(START, |centres, _| {
        let mut sums = [[0.0; 3]; 4];
        for Shop { place } in shops {
            let sum = &mut sums[nearest(&centres, place).0];
            *sum = [sum[0] + place[0], sum[1] + place[1], sum[2] + 1.0];
        }
        sums.map(|[x, y, n]| [x / n.max(1.0), y / n.max(1.0)])
    })
}

fn nearest(centres: &[[f64; 2]; 4], [x, y]: &[f64; 2]) -> (usize, f64) {
    let square = |c: &[f64; 2]| (x - c[0]).powi(2) + (y - c[1]).powi(2);
    let distances = centres.map(|c| square(&c));
    let best = (0..4).min_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let best = best.unwrap_or(0);
    (best, distances[best])
}

/// The mean squared distance of a shop to its nearest centre.
fn loss(centres: &[[f64; 2]; 4], shops: &[Shop]) -> f64 {
    let distances = shops.iter().map(|s| nearest(centres, &s.place).1);
    distances.sum::<f64>() / shops.len() as f64
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub exact: f64,
    pub noisy: f64,
    pub averaged: f64,
    pub replace: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(11);
    let mut shop = |_| {
        let [x, y] = TOWNS[rng.random_range(0..4)];
        let (dx, dy) = (common::normal(&mut rng), common::normal(&mut rng));
        Shop {
            place: [x + 0.07 * dx, y + 0.07 * dy],
        }
    };
    let shops: Vec<Shop> = (0..20_000).map(&mut shop).collect();

    let vault: Vault<Table<Shop>, Eps<1, 1>> = Vault::open(shops.clone());
    let plan = centres::<AddRemove, Eps<1, 1>>();
    println!("{}", plan.explain());
    let (clusters, vault) = vault.release(plan)?;
    println!(
        "{} shops in a vault: {} left of ε = 1\n",
        shops.len(),
        vault.remaining()
    );

    // The same under the other relation: the number of shops is public, and the noise is doubled.
    let vault: Vault<Table<Shop, Replace>, Eps<1, 1>> = Vault::open(shops.clone());
    let (replace, _) = vault.release(centres::<Replace, Eps<1, 1>>())?;

    let exact = exact_lloyd(&shops);
    println!("town              exact centre      noisy centre      mean of 4 rounds   size");
    let show = |c: [f64; 2]| format!("({:+.4}, {:+.4})", c[0], c[1]);
    for (k, &town) in TOWNS.iter().enumerate() {
        let (noisy, mean) = (clusters.centres()[k], clusters.averaged(4)[k]);
        let places = [town, exact[k], noisy, mean].map(show).join(" ");
        println!("{places} {}", clusters.sizes()[k]);
    }
    let figures = Figures {
        exact: loss(&exact, &shops),
        noisy: loss(&clusters.centres(), &shops),
        averaged: loss(&clusters.averaged(4), &shops),
        replace: loss(&replace.averaged(4), &shops),
    };
    println!("\nmean squared distance to the nearest centre:");
    println!("  without privacy      {:.6}", figures.exact);
    println!("  last round, ε = 1    {:.6}", figures.noisy);
    println!("  mean of 4, ε = 1     {:.6}", figures.averaged);
    println!("  the same, replacing  {:.6}", figures.replace);

    let place = |c: &[f64; 2]| (c[0], c[1]);
    let mut chart = Chart::new(
        "Private Lloyd: 20,000 shops, ε = 1",
        (-0.8, 0.8),
        (-0.8, 0.8),
    )
    .dots(3, 1.0, shops.iter().step_by(8).map(|s| place(&s.place)))
    .legend(5, "exact centres")
    .legend(1, "noisy centres, round by round");
    for k in 0..4 {
        chart = chart.line(1, clusters.rounds().iter().map(|round| place(&round[k])));
    }
    let path = chart
        .dots(5, 6.0, exact.iter().map(place))
        .dots(1, 4.0, clusters.averaged(4).iter().map(place))
        .save("private_lloyd.svg");
    println!("\npicture: {}", path.display());
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
