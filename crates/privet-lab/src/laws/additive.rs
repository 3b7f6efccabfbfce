//! Noise added to integers.

use super::{power, probability, unknown};
use crate::exact::{Enclosure, ExpSum, Law, Rational, Rest, ratio};

/// Discrete Laplace noise: P(k) ∝ exp(−|k|·den/num), on answers that differ by up to
/// `sensitivity`.
#[derive(Clone, Copy, Debug)]
pub struct DiscreteLaplace {
    /// Numerator and denominator of the scale.
    pub scale: (i64, i64),
    /// By how much the answers of neighbours differ.
    pub sensitivity: i64,
    /// How far from the answers outputs are listed.
    pub reach: i64,
}

/// P(noise = k), for noise of this scale.
fn laplace(scale: (i64, i64), k: i64) -> (ExpSum, ExpSum) {
    if scale.0 <= 0 || scale.1 <= 0 {
        // No such noise: a denominator of zero, so that nothing is known of it.
        return (ExpSum::default(), ExpSum::default());
    }
    let one = ExpSum::ratio(1, 1);
    let r = ExpSum::exp(-scale.1, scale.0);
    let weight = ExpSum::exp(-scale.1.saturating_mul(k.saturating_abs()), scale.0);
    ((one.clone() - r.clone()) * weight, one + r)
}

impl Law for DiscreteLaplace {
    type Input = i64;
    type Output = i64;

    fn neighbours(&self) -> Vec<(i64, i64)> {
        (1..=self.sensitivity).map(|d| (0, d)).collect()
    }

    fn outputs(&self, left: &i64, right: &i64) -> Vec<i64> {
        (left - self.reach..=right + self.reach).collect()
    }

    fn probability(&self, input: &i64, output: &i64) -> Enclosure {
        let (num, den) = laplace(self.scale, output - input);
        probability(num, den)
    }

    /// Beyond both answers every further step divides both probabilities by the same number.
    fn rest(&self, _: &i64, _: &i64) -> Rest {
        let one = ExpSum::ratio(1, 1);
        let r = ExpSum::exp(-self.scale.1, self.scale.0);
        let tail = ExpSum::ratio(2, 1)
            * ExpSum::exp(-self.scale.1.saturating_mul(self.reach + 1), self.scale.0);
        Rest::like_the_edge(probability(tail, one + r).upper())
    }
}

/// Independent discrete Laplace noise on the two cells of a histogram in which one record moves
/// from the first to the second.
#[derive(Clone, Copy, Debug)]
pub struct LaplaceVector {
    /// Numerator and denominator of the scale.
    pub scale: (i64, i64),
    /// How far from the answers outputs are listed.
    pub reach: i64,
}

impl Law for LaplaceVector {
    type Input = (i64, i64);
    type Output = (i64, i64);

    fn neighbours(&self) -> Vec<((i64, i64), (i64, i64))> {
        vec![((1, 0), (0, 1))]
    }

    fn outputs(&self, _: &(i64, i64), _: &(i64, i64)) -> Vec<(i64, i64)> {
        let line = -self.reach..=self.reach + 1;
        line.clone()
            .flat_map(|a| line.clone().map(move |b| (a, b)))
            .collect()
    }

    fn probability(&self, input: &(i64, i64), output: &(i64, i64)) -> Enclosure {
        let (a, b) = laplace(self.scale, output.0 - input.0);
        let (c, d) = laplace(self.scale, output.1 - input.1);
        probability(a * c, b * d)
    }

    /// As for one cell, cell by cell: the ratio of a pair is the product of the ratios.
    fn rest(&self, _: &(i64, i64), _: &(i64, i64)) -> Rest {
        let one = DiscreteLaplace {
            scale: self.scale,
            sensitivity: 1,
            reach: self.reach,
        };
        let mass = one.rest(&0, &1);
        Rest::like_the_edge(mass.mass() * ratio(2, 1))
    }
}

/// Discrete Gaussian noise: P(k) ∝ exp(−k²·den/(2·num)), on answers that differ by up to
/// `sensitivity`.
#[derive(Clone, Debug)]
pub struct DiscreteGaussian {
    sensitivity: i64,
    reach: i64,
    /// P(|noise| = k) for k up to reach + sensitivity.
    masses: Vec<Enclosure>,
    rest: Enclosure,
}

impl DiscreteGaussian {
    /// Noise of variance parameter `num`/`den`; outputs are listed up to `reach` from the answers.
    #[must_use]
    pub fn new((num, den): (i64, i64), sensitivity: i64, reach: i64) -> Self {
        let last = reach.saturating_add(sensitivity).clamp(0, 1 << 16);
        let exp = |half_steps: i128| {
            let exponent = Rational::from_integer(half_steps.into()) * ratio(-den, 2);
            let exponent = exponent / ratio(num.max(1), 1);
            Enclosure::exp(&exponent).unwrap_or_else(unknown)
        };
        let weight = |k: i64| exp(i128::from(k) * i128::from(k));
        let one = || Enclosure::ratio(1, 1);
        // Σ_{k > last}, by the geometric series that starts like it.
        let tail = |last: i64| {
            let step = exp(2 * i128::from(last) + 3);
            weight(last + 1)
                .over(&(one() - step))
                .unwrap_or_else(unknown)
        };
        let two = || Enclosure::ratio(2, 1);
        let weights: Vec<Enclosure> = (0..=last).map(weight).collect();
        let half = weights
            .iter()
            .skip(1)
            .cloned()
            .fold(Enclosure::ratio(0, 1), |a, b| a + b);
        let all = one() + two() * half.widened(&tail(last));
        let share = |weight: Enclosure| weight.over(&all).unwrap_or_else(unknown);
        DiscreteGaussian {
            sensitivity,
            reach,
            rest: share(two() * tail(reach.clamp(0, 1 << 16))),
            masses: weights.into_iter().map(share).collect(),
        }
    }
}

impl Law for DiscreteGaussian {
    type Input = i64;
    type Output = i64;

    fn neighbours(&self) -> Vec<(i64, i64)> {
        (1..=self.sensitivity).map(|d| (0, d)).collect()
    }

    fn outputs(&self, left: &i64, right: &i64) -> Vec<i64> {
        (left - self.reach..=right + self.reach).collect()
    }

    fn probability(&self, input: &i64, output: &i64) -> Enclosure {
        let mass = self.masses.get(output.abs_diff(*input) as usize);
        mass.cloned().unwrap_or_else(unknown)
    }

    fn rest(&self, _: &i64, _: &i64) -> Rest {
        Rest::at_most(self.rest.upper())
    }
}

/// Noise from coin flips (T4): P(0) = 1/2 and P(±k) = 2^−(k+2), on counts that differ by 1.
#[derive(Clone, Copy, Debug)]
pub struct CoinFlips {
    /// How far from the answers outputs are listed.
    pub reach: i64,
}

impl Law for CoinFlips {
    type Input = i64;
    type Output = i64;

    fn neighbours(&self) -> Vec<(i64, i64)> {
        vec![(0, 1)]
    }

    fn outputs(&self, _: &i64, _: &i64) -> Vec<i64> {
        (-self.reach..=1 + self.reach).collect()
    }

    fn probability(&self, input: &i64, output: &i64) -> Enclosure {
        let half = ExpSum::ratio(1, 2);
        let steps = match output.abs_diff(*input) {
            0 => 1,
            k => k as usize + 2,
        };
        probability(power(&half, steps), ExpSum::ratio(1, 1))
    }

    /// Beyond both counts every further step halves both probabilities.
    fn rest(&self, _: &i64, _: &i64) -> Rest {
        let half = power(&ExpSum::ratio(1, 2), self.reach.unsigned_abs() as usize + 1);
        Rest::like_the_edge(probability(half, ExpSum::ratio(1, 1)).upper())
    }
}
