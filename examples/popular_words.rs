//! The most popular words of a hundred thousand phones, from noisy sketches
//! ([T8](privet::guide::theory#t8-count-mean-sketch)).
#![forbid(unsafe_code)]

mod common;

use common::svg::Chart;
use privet::local::{Person, Sketch, person};
use privet::prelude::*;
use rand::RngExt;

const HASHES: usize = 128;
const BUCKETS: usize = 128;
const WORDS: [&str; 16] = [
    "the", "love", "moon", "coffee", "rain", "football", "garden", "music", "holiday", "exam",
    "pizza", "train", "winter", "cat", "secret", "aardvark",
];

/// Word number k is typed about 1/k as often as the first.
fn typed(phones: usize) -> Vec<usize> {
    let mut rng = common::rng(61);
    let total: f64 = (1..=WORDS.len()).map(|k| 1.0 / k as f64).sum();
    let mut word = || {
        let mut at = rng.random::<f64>() * total;
        let mut past = |k: &usize| {
            at -= 1.0 / (*k as f64 + 1.0);
            at > 0.0
        };
        (0..WORDS.len() - 1).take_while(|k| past(k)).count()
    };
    (0..phones).map(|_| word()).collect()
}

/// Each phone holds its word and its budget; only a noisy row of bits leaves it.
fn collect<E>(words: &[usize]) -> privet::Result<Sketch<String, HASHES, BUCKETS>>
where
    E: Epsilon + privet::Budget + PaidFrom<E>,
{
    let mut sketch = Sketch::new::<E>();
    let report = person::<String>().sketch::<HASHES, BUCKETS, E>();
    for &word in words {
        let phone: Vault<Person<String>, E> = Vault::of_person(WORDS[word].to_string());
        sketch.add(&phone.release(report.clone())?.0);
    }
    Ok(sketch)
}

fn estimates(sketch: &Sketch<String, HASHES, BUCKETS>) -> Vec<f64> {
    WORDS
        .iter()
        .map(|word| sketch.estimate((*word).to_string()))
        .collect()
}

#[allow(dead_code)]
pub(crate) struct Figures {
    /// Estimate and truth of each word.
    pub words: Vec<(f64, f64)>,
    pub noise: f64,
    /// ε and the root of the mean squared error, as a share of the phones.
    pub curve: Vec<(f64, f64)>,
}

pub(crate) fn run() -> privet::Result<Figures> {
    let words = typed(100_000);
    let exact = |words: &[usize], k| words.iter().filter(|word| **word == k).count() as f64;
    let sketch = collect::<Eps<4, 1>>(&words)?;
    let noise = sketch.standard_error();
    let mut found: Vec<(usize, f64)> = estimates(&sketch).into_iter().enumerate().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!(
        "100,000 phones, one report of {BUCKETS} bits each, ε = 4; estimates ± {:.0}\n",
        2.0 * noise
    );
    for (k, estimate) in &found {
        println!(
            "  {:<9} {} {estimate:>7.0}   (exact {})",
            WORDS[*k],
            common::bar(estimate / 30_000.0, 30),
            exact(&words, *k)
        );
    }

    println!("\nerror against ε, 10,000 phones, as a share of them:");
    let few = &words[..10_000];
    let mut curve = Vec::new();
    for (epsilon, sketch) in [
        (1.0, collect::<Eps<1, 1>>(few)?),
        (2.0, collect::<Eps<2, 1>>(few)?),
        (4.0, collect::<Eps<4, 1>>(few)?),
        (8.0, collect::<Eps<8, 1>>(few)?),
    ] {
        let off = estimates(&sketch)
            .into_iter()
            .enumerate()
            .map(|(k, e)| e - exact(few, k));
        let error = (off.map(|off| off * off).sum::<f64>() / WORDS.len() as f64).sqrt() / 10_000.0;
        println!(
            "  ε = {epsilon}  {} {error:.4}",
            common::bar(10.0 * error, 30)
        );
        curve.push((epsilon, error));
    }
    let path = Chart::new(
        "Count-mean sketch: error against ε",
        (0.0, 8.0),
        (0.0, 0.04),
    )
    .line(0, curve.iter().copied())
    .dots(0, 4.0, curve.iter().copied())
    .save("popular_words.svg");
    println!("\npicture: {}", path.display());
    let words = (0..WORDS.len()).map(|k| (sketch.estimate(WORDS[k].to_string()), exact(&words, k)));
    Ok(Figures {
        words: words.collect(),
        noise,
        curve,
    })
}

fn main() -> privet::Result<()> {
    run().map(drop)
}
