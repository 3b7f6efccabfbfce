//! Laws of what each person's device reports, and of one mechanism that only claims to be private.

use super::{power, probability};
use crate::exact::{Enclosure, ExpSum, Law};

/// Randomized response among `values` answers: the truth with weight `truth`, any other with
/// weight 1.
#[derive(Clone, Debug)]
pub struct RandomizedResponse {
    values: usize,
    truth: ExpSum,
}

impl RandomizedResponse {
    /// The truth is e^{num/den} times as likely as any other answer.
    #[must_use]
    pub fn new(values: usize, num: i64, den: i64) -> Self {
        RandomizedResponse {
            values,
            truth: ExpSum::exp(num, den),
        }
    }

    /// One bit, told truly with probability 1/2 + num/den.
    #[must_use]
    pub fn by_gamma(num: i64, den: i64) -> Self {
        // (1/2 + γ)/(1/2 − γ) = (den + 2·num)/(den − 2·num).
        RandomizedResponse {
            values: 2,
            truth: ExpSum::ratio(den + 2 * num, den - 2 * num),
        }
    }
}

impl Law for RandomizedResponse {
    type Input = usize;
    type Output = usize;

    fn neighbours(&self) -> Vec<(usize, usize)> {
        (0..self.values)
            .flat_map(|a| (0..a).map(move |b| (b, a)))
            .collect()
    }

    fn outputs(&self, _: &usize, _: &usize) -> Vec<usize> {
        (0..self.values).collect()
    }

    fn probability(&self, input: &usize, output: &usize) -> Enclosure {
        let one = ExpSum::ratio(1, 1);
        let others = ExpSum::ratio(self.values.saturating_sub(1) as i64, 1);
        let weight = if input == output {
            self.truth.clone()
        } else {
            one
        };
        probability(weight, self.truth.clone() + others)
    }
}

/// A value among `buckets`, one-hot encoded, every bit kept with odds e^{num/den}
/// ([T8](privet::guide::theory#t8-count-mean-sketch)).
#[derive(Clone, Copy, Debug)]
pub struct OneHot {
    /// The number of bits.
    pub buckets: usize,
    /// The logarithm of the odds with which a bit is kept: ε/2 for a report of price ε.
    pub odds: (i64, i64),
}

impl Law for OneHot {
    type Input = usize;
    type Output = u32;

    fn neighbours(&self) -> Vec<(usize, usize)> {
        (0..self.buckets)
            .flat_map(|a| (0..a).map(move |b| (b, a)))
            .collect()
    }

    fn outputs(&self, _: &usize, _: &usize) -> Vec<u32> {
        (0..1 << self.buckets.min(16)).collect()
    }

    fn probability(&self, input: &usize, output: &u32) -> Enclosure {
        let flipped = (output ^ (1 << input)).count_ones() as usize;
        let keep = ExpSum::exp(self.odds.0, self.odds.1);
        let kept = self.buckets.saturating_sub(flipped);
        let all = power(&(keep.clone() + ExpSum::ratio(1, 1)), self.buckets);
        probability(power(&keep, kept), all)
    }
}

/// A report of a sketch: one of a few hash functions, and the bits of the value's bucket under it.
#[derive(Clone, Copy, Debug)]
pub struct SketchReport {
    /// How many hash functions.
    pub hashes: usize,
    /// The bits.
    pub bits: OneHot,
}

impl Law for SketchReport {
    /// The bucket of the value under each hash function.
    type Input = Vec<usize>;
    type Output = (usize, u32);

    /// Any value against any other.
    fn neighbours(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let values = super::choice::grid(self.hashes, self.bits.buckets as i64);
        let values: Vec<Vec<usize>> = values
            .iter()
            .map(|value| value.iter().map(|bucket| *bucket as usize).collect())
            .collect();
        let pairs = values
            .iter()
            .flat_map(|a| values.iter().map(move |b| (a.clone(), b.clone())));
        pairs.filter(|(a, b)| a < b).collect()
    }

    fn outputs(&self, _: &Vec<usize>, _: &Vec<usize>) -> Vec<(usize, u32)> {
        let bits = self.bits.outputs(&0, &0);
        (0..self.hashes)
            .flat_map(|hash| bits.iter().map(move |bits| (hash, *bits)))
            .collect()
    }

    fn probability(&self, value: &Vec<usize>, (hash, bits): &(usize, u32)) -> Enclosure {
        let Some(bucket) = value.get(*hash) else {
            return Enclosure::ratio(0, 1);
        };
        let drawn = Enclosure::ratio(1, self.hashes as i64);
        drawn.times(self.bits.probability(bucket, bits))
    }
}

/// Publishes each record with probability num/den, and nothing else
/// ([T7](privet::guide::theory#t7-what-is-never-private)): private by an additive
/// δ alone, that is, not at all.
#[derive(Clone, Copy, Debug)]
pub struct NameAndShame {
    /// The probability with which a record is published.
    pub publish: (i64, i64),
}

impl Law for NameAndShame {
    type Input = [bool; 2];
    type Output = [Option<bool>; 2];

    fn neighbours(&self) -> Vec<([bool; 2], [bool; 2])> {
        vec![
            ([false, false], [true, false]),
            ([false, false], [false, true]),
            ([true, false], [true, true]),
            ([false, true], [true, true]),
        ]
    }

    fn outputs(&self, _: &[bool; 2], _: &[bool; 2]) -> Vec<[Option<bool>; 2]> {
        let each = [None, Some(false), Some(true)];
        each.into_iter()
            .flat_map(|a| each.into_iter().map(move |b| [a, b]))
            .collect()
    }

    fn probability(&self, input: &[bool; 2], output: &[Option<bool>; 2]) -> Enclosure {
        let publish = ExpSum::ratio(self.publish.0, self.publish.1);
        let factor = |record: bool, shown: Option<bool>| match shown {
            None => ExpSum::ratio(1, 1) - publish.clone(),
            Some(shown) if shown == record => publish.clone(),
            Some(_) => ExpSum::default(),
        };
        let both = factor(input[0], output[0]) * factor(input[1], output[1]);
        probability(both, ExpSum::ratio(1, 1))
    }
}
