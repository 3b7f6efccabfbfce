//! A survey without a collector: every person's device holds that person's answers in a vault of
//! its own, and sends one randomized report per question.
//!
//! `cargo run --release --example local_model`

#![forbid(unsafe_code)]

use privet::local::{Person, Sketch, SketchReport, Tally, person};
use privet::prelude::*;

/// What a device may ever spend on one answer. This is its opening budget.
type PerAnswer = Eps<2, 1>;

/// Whether the person smokes. Costs the person ε = 2.
fn smokes() -> Mechanism<Person<bool>, bool, PerAnswer> {
    person::<bool>().respond()
}

/// Which word the person looked up last. There are too many words to list.
fn looked_up() -> Mechanism<Person<String>, SketchReport, PerAnswer> {
    person::<String>().sketch::<32, 256, _>()
}

/// Runs on a person's own device.
fn device(smoker: bool, word: &str) -> privet::Result<(bool, SketchReport)> {
    let answer: Vault<Person<bool>, PerAnswer> = Vault::of_person(smoker);
    let (first, _spent) = answer.release(smokes())?;
    let answer: Vault<Person<String>, PerAnswer> = Vault::of_person(word.to_string());
    let (second, _spent) = answer.release(looked_up())?;
    Ok((first, second))
}

pub(crate) fn main() -> privet::Result<()> {
    // The server knows how reports are made, and sees only reports.
    let mut smokers = Tally::<bool>::new::<PerAnswer>();
    let mut words = Sketch::<String, 32, 256>::new::<PerAnswer>();
    let people = 20_000;
    for i in 0..people {
        let word = match i % 10 {
            0..5 => "flu",
            5..8 => "cold",
            _ => "gout",
        };
        let (smokes, word) = device(i % 5 == 0, word)?;
        smokers.add(smokes);
        words.add(&word);
    }
    println!(
        "smokers: {:.1} % ± {:.1} % (exact: 20 %)",
        100.0 * smokers.shares()[1],
        200.0 * smokers.standard_error()
    );
    for (word, exact) in [
        ("flu", 10_000),
        ("cold", 6_000),
        ("gout", 4_000),
        ("plague", 0),
    ] {
        println!(
            "{word}: {:.0} ± {:.0}, and collisions (exact: {exact})",
            words.estimate(word.to_string()),
            2.0 * words.standard_error()
        );
    }
    Ok(())
}
