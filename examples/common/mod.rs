//! What the examples share: public randomness for their data, bars, receipts and small pictures.
#![allow(dead_code)]

pub mod svg;

use std::path::PathBuf;

use privet::{Cost, Domain, Explanation, Mechanism, Price};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rand_distr::StandardNormal;

/// Public randomness, for making data. The noise of a release is the crate's own.
pub fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A standard normal number.
pub fn normal(rng: &mut StdRng) -> f64 {
    rng.sample(StandardNormal)
}

/// A price as a number, for charts.
pub fn amount(price: Price) -> f64 {
    let ratio = price.epsilon().or(price.rho()).unwrap_or_default();
    *ratio.numer() as f64 / *ratio.denom() as f64
}

/// A bar, `share` of `width` full.
pub fn bar(share: f64, width: usize) -> String {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "·".repeat(width - full))
}

/// What was released and what is left, printed as the budget goes down.
pub struct Receipts {
    budget: Price,
    paid: Vec<Explanation>,
}

impl Receipts {
    pub fn new(budget: Price) -> Self {
        let paid = Vec::new();
        println!("  {} {budget} to spend\n", bar(1.0, 40));
        Receipts { budget, paid }
    }

    /// Notes what is about to be released.
    pub fn note<In: Domain, Out: 'static, C: Cost>(
        &mut self,
        mechanism: Mechanism<In, Out, C>,
    ) -> Mechanism<In, Out, C> {
        self.paid.push(mechanism.explain());
        mechanism
    }

    /// The budget as a bar.
    pub fn left(&self, left: Price) {
        let share = amount(left) / amount(self.budget);
        println!("  {} {left} left\n", bar(share, 40));
    }

    /// The spending tree.
    pub fn tree(&self) {
        println!("{} went into:", self.budget);
        for (i, paid) in self.paid.iter().enumerate() {
            let last = i + 1 == self.paid.len();
            for (line, text) in paid.to_string().lines().enumerate() {
                let lead = match (line, last) {
                    (0, false) => "├─ ",
                    (0, true) => "└─ ",
                    (_, false) => "│  ",
                    (_, true) => "   ",
                };
                println!("  {lead}{text}");
            }
        }
        println!();
    }
}

/// Where examples write their files.
pub fn target(file: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/gallery"));
    std::fs::create_dir_all(&folder).expect("a folder for pictures can be made");
    folder.join(file)
}

/// Writes a file whole: another process never sees half of it.
pub fn write(file: &str, content: &str) -> PathBuf {
    let path = target(file);
    let draft = target(&format!("{file}.{}", std::process::id()));
    std::fs::write(&draft, content).expect("the example can write its file");
    std::fs::rename(draft, &path).expect("the example can name its file");
    path
}
