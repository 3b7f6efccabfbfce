//! Output laws of well-known mechanisms, for [`exact::check`](crate::exact::check).
//!
//! Each is written from the mathematics, not from the samplers; [`fit`](crate::fit) compares a
//! sampler with its law.

mod additive;
mod choice;
mod response;
mod sparse;
mod together;

pub use additive::{CoinFlips, DiscreteGaussian, DiscreteLaplace, GaussianVector, LaplaceVector};
pub use choice::{Choice, Rule, each_by_one, one_by_one, one_replaced};
pub use response::{NameAndShame, OneHot, RandomizedResponse, SketchReport};
pub use sparse::{AboveThreshold, FewAbove, FrequentKey};
pub use together::Together;

use crate::exact::{Enclosure, ExpSum};

/// The quotient, or the range from 0 to 1 that every probability is in.
fn probability(num: ExpSum, den: ExpSum) -> Enclosure {
    Enclosure::of(num, den).unwrap_or_else(unknown)
}

/// A probability about which nothing is known.
fn unknown() -> Enclosure {
    Enclosure::ratio(0, 1).widened(&Enclosure::ratio(1, 1))
}

/// A power, by repeated multiplication.
fn power(base: &ExpSum, exponent: usize) -> ExpSum {
    (0..exponent).fold(ExpSum::ratio(1, 1), |product, _| product * base.clone())
}
