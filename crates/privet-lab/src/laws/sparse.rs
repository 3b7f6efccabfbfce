//! The first answer above a threshold.

use super::choice::{Noise, grid};
use crate::exact::{Enclosure, Law};

/// Above-threshold on a few answers, each 0 or 1: the place of the first whose noisy value reaches
/// the noisy threshold.
#[derive(Clone, Copy, Debug)]
pub struct AboveThreshold {
    /// How many answers.
    pub answers: usize,
    /// The threshold.
    pub threshold: i64,
    /// Numerator and denominator of the scale of the threshold's noise.
    pub of_threshold: (i64, i64),
    /// Numerator and denominator of the scale of the answers' noise.
    pub of_answer: (i64, i64),
}

impl Law for AboveThreshold {
    type Input = Vec<i64>;
    type Output = Option<usize>;

    fn neighbours(&self) -> Vec<(Vec<i64>, Vec<i64>)> {
        let inputs = grid(self.answers, 2);
        inputs
            .iter()
            .flat_map(|a| inputs.iter().map(move |b| (a.clone(), b.clone())))
            .filter(|(a, b)| a < b)
            .collect()
    }

    fn outputs(&self, _: &Vec<i64>, _: &Vec<i64>) -> Vec<Option<usize>> {
        (0..self.answers).map(Some).chain([None]).collect()
    }

    /// Over the noisy threshold, as far as it matters; given it, answers are independent.
    fn probability(&self, input: &Vec<i64>, output: &Option<usize>) -> Enclosure {
        let (threshold, answer) = (Noise::new(self.of_threshold), Noise::new(self.of_answer));
        let mut total = Enclosure::ratio(0, 1);
        for k in -threshold.reach..=threshold.reach {
            let mut product = threshold.mass(k);
            for (place, value) in input.iter().enumerate() {
                let below = answer.at_most(self.threshold + k - 1 - value);
                if Some(place) == *output {
                    product = product * (Enclosure::ratio(1, 1) - below);
                    break;
                }
                product = product * below;
            }
            total = total + product;
        }
        total.widened(&threshold.outside(threshold.reach))
    }
}
