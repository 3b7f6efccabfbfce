//! One of a few candidates, by their scores.

use super::{probability, unknown};
use crate::exact::{Enclosure, ExpSum, Law};

/// How a candidate is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Each with probability proportional to exp(rate·score).
    Exponential,
    /// Tried in random order. Each is taken with probability exp(rate·(score − best)), until one is.
    PermuteAndFlip,
    /// The first of the largest scores after discrete Laplace noise of scale 1/rate.
    NoisyMax,
}

/// A choice among candidates whose scores are the input.
///
/// ```
/// use privet_lab::exact::{Bound, check};
/// use privet_lab::laws::{Choice, Rule, each_by_one};
///
/// // Scores that each move by 1 in either direction need ε/2, not ε.
/// let pairs = each_by_one(2, 2);
/// let rule = Rule::Exponential;
/// assert!(check(&Choice { rule, rate: (1, 2), pairs: pairs.clone() }, &Bound::pure(1, 1)).holds());
/// assert!(check(&Choice { rule, rate: (1, 1), pairs }, &Bound::pure(1, 1)).is_violated());
/// ```
#[derive(Clone, Debug)]
pub struct Choice {
    /// How a candidate is chosen.
    pub rule: Rule,
    /// Numerator and denominator of the rate.
    pub rate: (i64, i64),
    /// The scores on pairs of neighbours.
    pub pairs: Vec<(Vec<i64>, Vec<i64>)>,
}

impl Law for Choice {
    type Input = Vec<i64>;
    type Output = usize;

    fn neighbours(&self) -> Vec<(Vec<i64>, Vec<i64>)> {
        self.pairs.clone()
    }

    fn outputs(&self, left: &Vec<i64>, _: &Vec<i64>) -> Vec<usize> {
        (0..left.len()).collect()
    }

    fn probability(&self, scores: &Vec<i64>, chosen: &usize) -> Enclosure {
        let best = scores.iter().copied().max().unwrap_or(0);
        let weight = |i: usize| match scores.get(i) {
            Some(score) => ExpSum::exp(self.rate.0.saturating_mul(score - best), self.rate.1),
            None => ExpSum::default(),
        };
        match self.rule {
            Rule::Exponential => {
                let all = (0..scores.len()).fold(ExpSum::default(), |sum, i| sum + weight(i));
                probability(weight(*chosen), all)
            }
            Rule::PermuteAndFlip => permute_and_flip(scores.len(), *chosen, weight),
            Rule::NoisyMax => noisy_max(self.rate, scores, *chosen),
        }
    }
}

/// Sums over the sets that may come before the chosen one. They all fail, and it does not.
fn permute_and_flip(len: usize, chosen: usize, weight: impl Fn(usize) -> ExpSum) -> Enclosure {
    let one = ExpSum::ratio(1, 1);
    if len > 12 {
        return unknown();
    }
    let mut total = ExpSum::default();
    for before in 0u32..1 << len {
        if before & (1 << chosen) != 0 {
            continue;
        }
        let failed = (0..len).filter(|i| before & (1 << i) != 0);
        let product = failed.fold(weight(chosen), |p, i| p * (one.clone() - weight(i)));
        // That exactly these come before has probability s!·(n−1−s)!/n!.
        let s = before.count_ones() as i64;
        let orders = factorial(s) * factorial(len as i64 - 1 - s);
        total = total + product * ExpSum::ratio(orders, factorial(len as i64));
    }
    probability(total, one)
}

fn factorial(n: i64) -> i64 {
    (1..=n).product()
}

/// Sums over the noise of the chosen one, as far as it matters.
fn noisy_max(rate: (i64, i64), scores: &[i64], chosen: usize) -> Enclosure {
    let Some(&score) = scores.get(chosen) else {
        return Enclosure::ratio(0, 1);
    };
    let noise = Noise::new((rate.1, rate.0));
    let spread = scores.iter().map(|s| s.abs_diff(score)).max().unwrap_or(0) as i64;
    let reach = noise.reach + spread;
    let mut total = Enclosure::ratio(0, 1);
    for k in -reach..=reach {
        let mut product = noise.mass(k);
        for (i, other) in scores.iter().enumerate() {
            // Of equal scores the first wins.
            let most = score + k - other - i64::from(i < chosen);
            if i != chosen {
                product = product * noise.at_most(most);
            }
        }
        total = total + product;
    }
    total.widened(&noise.outside(reach))
}

/// Discrete Laplace noise, as enclosures.
pub(super) struct Noise {
    unit: Enclosure,
    fall: Enclosure,
    powers: Vec<Enclosure>,
    /// Beyond it lies less than e^−60.
    pub reach: i64,
}

impl Noise {
    pub(super) fn new(scale: (i64, i64)) -> Self {
        let scale = (scale.0.max(1), scale.1.max(1));
        let one = ExpSum::ratio(1, 1);
        let ratio = ExpSum::exp(-scale.1, scale.0);
        let step = probability(ratio.clone(), one.clone());
        let reach = (60 * scale.0 / scale.1 + 1).min(1 << 16);
        let mut powers = vec![Enclosure::ratio(1, 1)];
        for _ in 0..reach + 64 {
            powers.extend(powers.last().map(|last| last.clone() * step.clone()));
        }
        Noise {
            unit: probability(one.clone(), one.clone() + ratio.clone()),
            fall: probability(one.clone() - ratio, one),
            powers,
            reach,
        }
    }

    /// r^k, or a bound on it where k is far out.
    fn power(&self, k: i64) -> Enclosure {
        let last = self.powers.len() - 1;
        match usize::try_from(k) {
            Ok(k) if k <= last => self.powers[k].clone(),
            Ok(_) => Enclosure::ratio(0, 1).widened(&self.powers[last]),
            Err(_) => unknown(),
        }
    }

    /// P(X = k).
    pub(super) fn mass(&self, k: i64) -> Enclosure {
        self.unit.clone() * self.fall.clone() * self.power(k.abs())
    }

    /// P(X ≤ k).
    pub(super) fn at_most(&self, k: i64) -> Enclosure {
        if k < 0 {
            self.unit.clone() * self.power(-k)
        } else {
            Enclosure::ratio(1, 1) - self.unit.clone() * self.power(k + 1)
        }
    }

    /// P(|X| > reach).
    pub(super) fn outside(&self, reach: i64) -> Enclosure {
        Enclosure::ratio(2, 1) * self.unit.clone() * self.power(reach + 1)
    }
}

/// All scores up to `most` of `candidates`, and neighbours in which each moves by at most 1.
#[must_use]
pub fn each_by_one(candidates: usize, most: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    let moves = grid(candidates, 3);
    pairs(candidates, most, |_| {
        moves
            .iter()
            .map(|d| d.iter().map(|x| x - 1).collect())
            .collect()
    })
}

/// All counts up to `most` of `candidates`, and neighbours with one record more (`AddRemove`).
#[must_use]
pub fn one_by_one(candidates: usize, most: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    pairs(candidates, most, |len| {
        (0..len)
            .map(|i| (0..len).map(|j| i64::from(i == j)).collect())
            .collect()
    })
}

/// All counts up to `most` of `candidates`, and neighbours with one record replaced (`Replace`).
#[must_use]
pub fn one_replaced(candidates: usize, most: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    pairs(candidates, most, |len| {
        let mut moves = Vec::new();
        for (i, j) in (0..len).flat_map(|i| (0..len).map(move |j| (i, j))) {
            let step = |k: usize| i64::from(k == i) - i64::from(k == j);
            moves.push((0..len).map(step).collect());
        }
        moves
    })
}

fn pairs(
    candidates: usize,
    most: i64,
    moves: impl Fn(usize) -> Vec<Vec<i64>>,
) -> Vec<(Vec<i64>, Vec<i64>)> {
    let moves = moves(candidates);
    let mut pairs = Vec::new();
    for scores in grid(candidates, most + 1) {
        for by in &moves {
            let other: Vec<i64> = scores.iter().zip(by).map(|(s, d)| s + d).collect();
            // Each pair once: the check looks at both orders.
            if other > scores && other.iter().all(|s| *s >= 0) {
                pairs.push((scores.clone(), other));
            }
        }
    }
    pairs
}

/// All vectors of numbers from 0 to `base` − 1.
pub(super) fn grid(len: usize, base: i64) -> Vec<Vec<i64>> {
    (0..len).fold(vec![Vec::new()], |all, _| {
        let longer = |v: &Vec<i64>| {
            let v = v.clone();
            (0..base.max(0)).map(move |x| v.iter().copied().chain([x]).collect::<Vec<i64>>())
        };
        all.iter().flat_map(longer).collect()
    })
}
