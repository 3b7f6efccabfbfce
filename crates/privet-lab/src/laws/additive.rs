//! Noise added to integers.

use super::{power, probability, unknown};
use num_traits::Zero;

use crate::exact::{Enclosure, ExpSum, Law, Moment, Rational, Rest, ratio};

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
        // There is no such noise. A denominator of zero means that nothing is known about it.
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
        (left.min(right) - self.reach..=left.max(right) + self.reach).collect()
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
        let mass = self.cell().rest(&0, &1);
        Rest::like_the_edge(mass.mass() * ratio(2, 1))
    }

    /// Cells are independent: the product.
    fn moments(&self, left: &(i64, i64), right: &(i64, i64), order: &Rational) -> [Moment; 2] {
        let [a, b] = self.cell().moments(&left.0, &right.0, order);
        let [c, d] = self.cell().moments(&left.1, &right.1, order);
        [a * c, b * d]
    }
}

impl LaplaceVector {
    fn cell(&self) -> DiscreteLaplace {
        DiscreteLaplace {
            scale: self.scale,
            sensitivity: 1,
            reach: self.reach,
        }
    }
}

/// Discrete Gaussian noise: P(k) ∝ exp(−k²·den/(2·num)), on answers that differ by up to
/// `sensitivity`.
#[derive(Clone, Debug)]
pub struct DiscreteGaussian {
    variance: (i64, i64),
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
            variance: (num, den),
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
        (left.min(right) - self.reach..=left.max(right) + self.reach).collect()
    }

    fn probability(&self, input: &i64, output: &i64) -> Enclosure {
        let mass = self.masses.get(output.abs_diff(*input) as usize);
        mass.cloned().unwrap_or_else(unknown)
    }

    fn rest(&self, _: &i64, _: &i64) -> Rest {
        Rest::at_most(self.rest.upper())
    }

    /// By completing the square: with μ the difference of the answers,
    /// α(k − μ)² + (1 − α)k² = (k − αμ)² − α(α − 1)μ², so that the sum is e^{α(α−1)μ²/(2σ²)} times
    /// Θ(αμ)/Θ(0), where Θ(c) = Σ e^{−(k−c)²/(2σ²)} over all integers k.
    fn moments(&self, left: &i64, right: &i64, order: &Rational) -> [Moment; 2] {
        let (num, den) = self.variance;
        if num <= 0 || den <= 0 {
            let unknown = || Moment::unknown("no such noise");
            return [unknown(), unknown()];
        }
        let shift = Rational::from_integer(left.abs_diff(*right).into());
        let spread = ratio(den, 2) / ratio(num, 1);
        let exponent = order * (order - ratio(1, 1)) * &shift * &shift * &spread;
        let factor = theta_ratio(&(order * shift), &spread, self.reach.clamp(1, 1 << 16));
        // By Poisson summation Θ is largest at integers: where σ is large, no number of bits would
        // tell the quotient from 1.
        let moment = Moment::new(factor.capped(), exponent);
        [moment.clone(), moment]
    }
}

/// Θ(c)/Θ(0) for Θ(c) = Σ e^{−(k−c)²·spread}, from `reach` terms on either side and bounds on what
/// is beyond. Exactly 1 where c is whole.
fn theta_ratio(centre: &Rational, spread: &Rational, reach: i64) -> Enclosure {
    let part = centre - centre.floor();
    if part.is_zero() {
        return Enclosure::ratio(1, 1);
    }
    let above = theta(&part, spread, reach);
    above
        .over(&theta(&Rational::zero(), spread, reach))
        .unwrap_or_else(unknown)
}

/// Θ(c) for 0 ≤ c < 1.
fn theta(part: &Rational, spread: &Rational, reach: i64) -> Enclosure {
    let exp = |x: Rational| Enclosure::exp(&(-x * spread)).unwrap_or_else(unknown);
    let listed = (-reach..=reach).fold(Enclosure::ratio(0, 1), |sum, k| {
        let off = ratio(k, 1) - part;
        sum + exp(&off * &off)
    });
    // From m on, in steps of 1, each term is less than the last by at least e^{−(2m+1)·spread}.
    let tail = |m: Rational| {
        let step = exp(ratio(2, 1) * &m + ratio(1, 1));
        let rest = Enclosure::ratio(1, 1) - step;
        exp(&m * &m).over(&rest).unwrap_or_else(unknown)
    };
    let next = ratio(reach + 1, 1);
    listed
        .widened(&tail(&next - part))
        .widened(&tail(next + part))
}

/// Independent discrete Gaussian noise on every cell of a vector.
///
/// ```
/// use privet_lab::exact::{Bound, check};
/// use privet_lab::laws::GaussianVector;
///
/// // A record that moves four cells by 1 each costs four times what one cell costs.
/// let law = GaussianVector::new((4, 1), vec![vec![1, 1, 1, 1]], 60);
/// assert!(check(&law, &Bound::rho(4, 8)).holds());
/// assert!(check(&law, &Bound::rho(1, 8)).is_violated());
/// ```
#[derive(Clone, Debug)]
pub struct GaussianVector {
    cell: DiscreteGaussian,
    moves: Vec<Vec<i64>>,
}

impl GaussianVector {
    /// Noise of variance parameter `num`/`den`, on cells that neighbours move by one of `moves`;
    /// outputs are listed up to `reach` from the answers.
    #[must_use]
    pub fn new(variance: (i64, i64), moves: Vec<Vec<i64>>, reach: i64) -> Self {
        let most = moves.iter().flatten().map(|by| by.saturating_abs()).max();
        GaussianVector {
            cell: DiscreteGaussian::new(variance, most.unwrap_or(0), reach),
            moves,
        }
    }
}

impl Law for GaussianVector {
    type Input = Vec<i64>;
    type Output = Vec<i64>;

    fn neighbours(&self) -> Vec<(Vec<i64>, Vec<i64>)> {
        let pair = |by: &Vec<i64>| (vec![0; by.len()], by.clone());
        self.moves.iter().map(pair).collect()
    }

    fn outputs(&self, left: &Vec<i64>, right: &Vec<i64>) -> Vec<Vec<i64>> {
        left.iter()
            .zip(right)
            .fold(vec![Vec::new()], |all, (l, r)| {
                let line = self.cell.outputs(l, r);
                let longer = |v: Vec<i64>| {
                    let line = line.clone();
                    line.into_iter().map(move |x| [v.as_slice(), &[x]].concat())
                };
                all.into_iter().flat_map(longer).collect()
            })
    }

    fn probability(&self, input: &Vec<i64>, output: &Vec<i64>) -> Enclosure {
        let cells = input.iter().zip(output);
        cells.fold(Enclosure::ratio(1, 1), |p, (i, o)| {
            p * self.cell.probability(i, o)
        })
    }

    fn rest(&self, left: &Vec<i64>, _: &Vec<i64>) -> Rest {
        let cells = ratio(left.len() as i64, 1);
        Rest::at_most(self.cell.rest.upper() * cells)
    }

    /// Cells are independent: the product.
    fn moments(&self, left: &Vec<i64>, right: &Vec<i64>, order: &Rational) -> [Moment; 2] {
        let none = || Moment::new(Enclosure::ratio(1, 1), Rational::zero());
        let cells = left.iter().zip(right);
        cells.fold([none(), none()], |[there, back], (l, r)| {
            let [more, less] = self.cell.moments(l, r, order);
            [there * more, back * less]
        })
    }
}

/// Noise from coin flips
/// ([T4](privet::guide::theory#t4-noise-from-fair-coins)): P(0) = 1/2 and P(±k) = 2^−(k+2), on counts that differ by 1.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers alone, without Poisson: below 1, and above what one more term of the series of
    /// its Fourier transform allows, 1 − 5·e^{−2π²σ²}.
    #[test]
    fn theta_is_largest_at_integers() {
        for (num, den) in [(1, 2), (1, 1), (4, 1), (8, 1)] {
            let spread = ratio(den, 2) / ratio(num, 1);
            let sigma_squared = num as f64 / den as f64;
            let gap = 5.0 * (-2.0 * std::f64::consts::PI.powi(2) * sigma_squared).exp();
            for part in [(1, 2), (1, 3), (1, 1024), (7, 2)] {
                let quotient = theta_ratio(&ratio(part.0, part.1), &spread, 80);
                assert!(quotient.upper() < ratio(1, 1), "{num}/{den} {part:?}");
                let off = (Enclosure::ratio(1, 1) - quotient).to_f64();
                assert!(off > 0.0 && off < gap, "{num}/{den} {part:?}: {off} {gap}");
            }
            let whole = theta_ratio(&ratio(-3, 1), &spread, 80);
            assert_eq!((whole.lower(), whole.upper()), (ratio(1, 1), ratio(1, 1)));
        }
    }
}
