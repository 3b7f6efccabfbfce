//! A naive Bayes classifier from noisy tables, one block of rows per class.
#![forbid(unsafe_code)]

mod common;

use privet::prelude::*;
use rand::RngExt;

#[derive(Record, Clone)]
struct Flower {
    species: Species,
    petal: i64,
    leaf: i64,
    colour: Colour,
}

#[derive(Category, Clone, Copy, PartialEq)]
enum Species {
    Rose,
    Iris,
    Tulip,
}

#[derive(Category, Clone, Copy)]
enum Colour {
    Red,
    White,
    Yellow,
    Blue,
}

const SPECIES: [Species; 3] = [Species::Rose, Species::Iris, Species::Tulip];
const COLOURS: [Colour; 4] = [Colour::Red, Colour::White, Colour::Yellow, Colour::Blue];

/// For each class, a histogram of each feature.
type Tables = Vec<[Vec<i64>; 3]>;

/// Classes are disjoint, so three tables per class cost as much as three tables, not nine.
fn train<E: Split<3>>() -> Mechanism<Table<Flower>, Tables, E> {
    let flowers = rows::<Flower>;
    flowers()
        .group_by(|f| f.species)
        .each(|_species| {
            Mechanism::all([
                flowers()
                    .histogram(|f| f.petal.clamp::<0, 9>())
                    .laplace::<E::Part>(),
                flowers().histogram(|f| f.leaf.clamp::<0, 9>()).laplace(),
                flowers().histogram(|f| f.colour).laplace(),
            ])
        })
        .at_most()
        .named("naive Bayes")
}

/// The class under which a flower is likeliest: post-processing.
fn classify(tables: &Tables, flower: &Flower) -> usize {
    let score = |class: &[Vec<i64>; 3]| {
        let places = [
            flower.petal as usize,
            flower.leaf as usize,
            flower.colour as usize,
        ];
        let total = |table: &[i64]| table.iter().map(|n| (*n).max(0) as f64 + 1.0).sum::<f64>();
        let features = class
            .iter()
            .zip(places)
            .map(|(table, place)| ((table[place].max(0) as f64 + 1.0) / total(table)).ln());
        total(&class[0]).ln() + features.sum::<f64>()
    };
    let scores: Vec<f64> = tables.iter().map(score).collect();
    (0..3)
        .max_by(|&a, &b| scores[a].total_cmp(&scores[b]))
        .unwrap_or(0)
}

fn accuracy(tables: &Tables, flowers: &[Flower]) -> f64 {
    let right = flowers
        .iter()
        .filter(|f| classify(tables, f) == f.species as usize);
    right.count() as f64 / flowers.len() as f64
}

fn exact_tables(flowers: &[Flower]) -> Tables {
    let mut tables = vec![[vec![0; 10], vec![0; 10], vec![0; 4]]; 3];
    for f in flowers {
        let [petal, leaf, colour] = &mut tables[f.species as usize];
        petal[f.petal as usize] += 1;
        leaf[f.leaf as usize] += 1;
        colour[f.colour as usize] += 1;
    }
    tables
}

fn garden(n: usize, seed: u64) -> Vec<Flower> {
    let mut rng = common::rng(seed);
    let mut flower = || {
        let kind = rng.random_range(0..3);
        let size =
            |rng: &mut _, middle: f64| (middle + 1.3 * common::normal(rng)).clamp(0.0, 9.0) as i64;
        let petal = size(&mut rng, [3.0, 5.0, 7.0][kind]);
        let leaf = size(&mut rng, [6.0, 3.5, 5.0][kind]);
        let place = if rng.random_bool(0.6) {
            [0, 3, 2][kind]
        } else {
            rng.random_range(0..4)
        };
        Flower {
            species: SPECIES[kind],
            petal,
            leaf,
            colour: COLOURS[place],
        }
    };
    (0..n).map(|_| flower()).collect()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    pub exact: f64,
    /// ε and accuracy on flowers not trained on.
    pub noisy: Vec<(f64, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let (training, fresh) = (garden(3_000, 53), garden(5_000, 59));
    let exact = accuracy(&exact_tables(&training), &fresh);
    println!("{}", train::<Eps<3, 4>>().explain());
    println!("accuracy on flowers not trained on:");
    println!("  without privacy {} {exact:.4}", common::bar(exact, 40));
    let mut noisy = Vec::new();
    let mut show = |epsilon: f64, tables: Tables| {
        let share = accuracy(&tables, &fresh);
        println!("  ε = {epsilon:<11} {} {share:.4}", common::bar(share, 40));
        noisy.push((epsilon, share));
    };
    let open = || -> Vault<Table<Flower>, Eps<3, 1>> { Vault::open(training.clone()) };
    show(0.003, open().release(train::<Eps<3, 1_000>>())?.0);
    show(0.03, open().release(train::<Eps<3, 100>>())?.0);
    show(0.3, open().release(train::<Eps<3, 10>>())?.0);
    show(3.0, open().release(train::<Eps<3, 1>>())?.0);
    Ok(Figures { exact, noisy })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
