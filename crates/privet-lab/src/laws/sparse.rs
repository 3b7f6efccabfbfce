//! The first answers above a threshold, and keys that are named if their count reaches a threshold.

use super::choice::{Noise, grid};
use super::probability;
use crate::exact::{Enclosure, ExpSum, Law, Rest};

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

    /// Sums over the noisy threshold, as far as it matters. Given the threshold, answers are independent.
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

/// Above-threshold that continues after each place it finds, with fresh noise, `most` times.
#[derive(Clone, Copy, Debug)]
pub struct FewAbove {
    /// One search.
    pub one: AboveThreshold,
    /// The most places to find.
    pub most: usize,
}

impl Law for FewAbove {
    type Input = Vec<i64>;
    type Output = Vec<usize>;

    fn neighbours(&self) -> Vec<(Vec<i64>, Vec<i64>)> {
        self.one.neighbours()
    }

    /// All rising sequences of places, up to the length that ends the search.
    fn outputs(&self, _: &Vec<i64>, _: &Vec<i64>) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for place in 0..self.one.answers {
            let longer: Vec<_> = all
                .iter()
                .filter(|places| places.len() < self.most)
                .map(|places| [places.as_slice(), &[place]].concat())
                .collect();
            all.extend(longer);
        }
        all
    }

    fn probability(&self, input: &Vec<i64>, output: &Vec<usize>) -> Enclosure {
        let mut product = Enclosure::ratio(1, 1);
        let mut start = 0;
        let ends = (output.len() < self.most).then_some(None);
        for found in output.iter().copied().map(Some).chain(ends) {
            let rest = input.get(start..).unwrap_or_default().to_vec();
            let place = found.map(|place| place - start);
            product = product.times(self.one.probability(&rest, &place));
            start = found.map_or(start, |place| place + 1);
        }
        product
    }
}

/// One key that is not public: named, with its noisy count, if it has a row and the noisy count
/// reaches the threshold.
#[derive(Clone, Copy, Debug)]
pub struct FrequentKey {
    /// Numerator and denominator of the scale of the noise.
    pub scale: (i64, i64),
    /// The least noisy count at which the key is named.
    pub threshold: i64,
    /// Up to how many rows are tried.
    pub most: i64,
    /// How far from the counts and the threshold outputs are listed.
    pub reach: i64,
}

impl FrequentKey {
    /// r^k: over 1 + r, the probability of noise of k or more, for k above 0.
    fn tail(&self, k: i64) -> ExpSum {
        ExpSum::exp(self.scale.1.saturating_mul(-k), self.scale.0)
    }

    fn divisor(&self) -> ExpSum {
        ExpSum::ratio(1, 1) + self.tail(1)
    }
}

impl Law for FrequentKey {
    type Input = i64;
    type Output = Option<i64>;

    fn neighbours(&self) -> Vec<(i64, i64)> {
        (0..self.most).map(|n| (n, n + 1)).collect()
    }

    fn outputs(&self, left: &i64, right: &i64) -> Vec<Option<i64>> {
        let last = self.threshold.max(*left).max(*right) + self.reach;
        (self.threshold..=last).map(Some).chain([None]).collect()
    }

    fn probability(&self, rows: &i64, output: &Option<i64>) -> Enclosure {
        let one = ExpSum::ratio(1, 1);
        if self.scale.0 <= 0 || self.scale.1 <= 0 {
            return super::unknown();
        }
        match (rows, output) {
            (..=0, None) => Enclosure::ratio(1, 1),
            (..=0, Some(_)) => Enclosure::ratio(0, 1),
            (rows, Some(count)) => {
                let weight = (one - self.tail(1)) * self.tail((count - rows).abs());
                probability(weight, self.divisor())
            }
            // Noise below k: r^{1−k}/(1 + r) for k up to 0, else 1 − r^k/(1 + r).
            (rows, None) => match self.threshold - rows {
                k @ ..=0 => probability(self.tail(1 - k), self.divisor()),
                k => probability(self.divisor() - self.tail(k), self.divisor()),
            },
        }
    }

    /// Beyond both counts every further step divides both probabilities by the same number.
    fn rest(&self, _: &i64, _: &i64) -> Rest {
        Rest::like_the_edge(probability(self.tail(self.reach + 1), self.divisor()).upper())
    }
}
