//! How many visits up to each of 1,024 minutes: a flat histogram added up, or a tree (zCDP).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::Simulation;
use privet::prelude::*;
use rand::RngExt;

const MINUTES: usize = 1024;
const LEVELS: usize = 10;

#[derive(Record, Clone)]
struct Visit {
    minute: i64,
}

type Visits<Out, R> = Mechanism<Table<Visit>, Out, R>;

fn flat<R: Concentrated>() -> Visits<Vec<i64>, R> {
    let visits = rows::<Visit>();
    visits
        .cumulative(|v| v.minute.clamp::<0, 1023>())
        .gaussian()
        .named("flat")
}

/// One level of the tree: `EDGES` + 1 nodes of equal width.
fn level<const EDGES: usize, R: Concentrated>() -> Visits<Vec<i64>, R> {
    let width = (MINUTES / (EDGES + 1)) as i64;
    let edges: [i64; EDGES] = std::array::from_fn(|i| width * (i as i64 + 1));
    rows::<Visit>()
        .histogram(move |v| v.minute.bins(edges))
        .gaussian()
}

/// A visit is in one node of each level, so ten levels cost ten times one: a tenth of ρ each.
/// A prefix is the sum of at most ten nodes, while in the flat histogram it is a sum of up to 1,024.
fn tree<R: Split<LEVELS, Zcdp>>() -> Visits<Vec<i64>, R> {
    Mechanism::all([
        level::<1, R::Part>(),
        level::<3, R::Part>(),
        level::<7, R::Part>(),
        level::<15, R::Part>(),
        level::<31, R::Part>(),
        level::<63, R::Part>(),
        level::<127, R::Part>(),
        level::<255, R::Part>(),
        level::<511, R::Part>(),
        level::<1023, R::Part>(),
    ])
    .map(|levels| (1..=MINUTES).map(|end| prefix(&levels, end)).collect())
    .at_most()
    .named("tree")
}

/// The first `end` minutes, from the fewest nodes.
fn prefix(levels: &[Vec<i64>; LEVELS], end: usize) -> i64 {
    if end == MINUTES {
        return levels[0][0] + levels[0][1];
    }
    let mut start = 0;
    let mut sum = 0;
    for (depth, nodes) in levels.iter().enumerate() {
        let width = MINUTES >> (depth + 1);
        if start + width <= end {
            sum += nodes[start / width];
            start += width;
        }
    }
    sum
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub flat: f64,
    pub tree: f64,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let mut rng = common::rng(37);
    let mut minute = || (rng.random_range(0..512) + rng.random_range(0..512)).min(1023);
    let visits: Vec<_> = (0..5_000).map(|_| Visit { minute: minute() }).collect();
    let mut exact = vec![0; MINUTES];
    for Visit { minute } in &visits {
        exact[*minute as usize..].iter_mut().for_each(|n| *n += 1);
    }

    let vault: Vault<Table<Visit>, Rho<1, 4>> = Vault::open(visits.clone());
    let (one_flat, vault) = vault.release(flat::<Rho<1, 8>>())?;
    let (one_tree, vault) = vault.release(tree::<Rho<1, 8>>())?;
    println!("{} left of ρ = 1/4\n", vault.remaining());

    // The error over twenty runs. The visits are made up and hence public.
    let off = |noisy: &[i64]| {
        let squares = noisy.iter().zip(&exact).map(|(n, e)| (n - e).pow(2) as f64);
        squares.sum::<f64>() / MINUTES as f64
    };
    let mut public = Simulation::of_public(visits, 1)?;
    let mut error = |plan: &Visits<Vec<i64>, Rho<1, 8>>| -> privet::Result<f64> {
        let runs: privet::Result<Vec<f64>> = (0..20).map(|_| Ok(off(&public.run(plan)?))).collect();
        Ok((runs?.iter().sum::<f64>() / 20.0).sqrt())
    };
    let figures = Figures {
        flat: error(&flat())?,
        tree: error(&tree())?,
    };
    println!("root of the mean squared error over all prefixes, at ρ = 1/8:");
    println!(
        "  flat  {:>6.1}   (noise of deviation 2, up to 1,024 times)",
        figures.flat
    );
    println!(
        "  tree  {:>6.1}   (noise of deviation 6.3, up to ten times)",
        figures.tree
    );

    let errors = |noisy: &[i64]| -> Vec<(f64, f64)> {
        let off = noisy.iter().zip(&exact).map(|(n, e)| (n - e) as f64);
        off.enumerate().map(|(i, off)| (i as f64, off)).collect()
    };
    let path = Chart::new(
        "Error of each prefix sum, ρ = 1/8",
        (0.0, 1024.0),
        (-120.0, 120.0),
    )
    .line(1, errors(&one_flat))
    .line(0, errors(&one_tree))
    .legend(1, "flat")
    .legend(0, "tree")
    .save("prefix_sums.svg");
    println!("picture: {}", path.display());
    Ok(figures)
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
