//! From noisy sums to a statistic and an interval: post-processing.
//!
//! Floating point is fine here, because no privacy guarantee depends on it.

use super::moments::NoisyMoments;
#[cfg(any(feature = "ledger", feature = "serde"))]
use crate::stored::{List, Number, Plain, stored};

/// A statistic, and an interval for what it would be without noise.
///
/// # Claim
///
/// `low` and `high` enclose the exact statistic of the clamped values with at least the stated confidence, over
/// the noise, for all statistics of one answer together. The interval follows from the released sums and from what is
/// public before: bounds, prices, and the tails of the noise. It says nothing about a population of which the rows
/// are a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The statistic, from noisy sums.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The probability that the interval holds, over the noise.
    pub confidence: f64,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
stored! {
    [] Estimate {
        value as Number,
        low as Number,
        high as Number,
        confidence as Number,
    }
}

impl core::fmt::Display for Estimate {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Estimate {
            value,
            low,
            high,
            confidence,
        } = self;
        let percent = confidence * 100.0;
        write!(f, "{value} ({low} to {high} with probability {percent} %)")
    }
}

/// A line, or a plane, fitted by least squares: `intercept + Σ slopes[i]·x[i]`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Regression<const F: usize> {
    /// The value where all features are 0.
    pub intercept: Estimate,
    /// What one unit more of each feature adds.
    pub slopes: [Estimate; F],
}

#[cfg(any(feature = "ledger", feature = "serde"))]
stored! {
    [const F: usize] Regression<F> {
        intercept as Plain,
        slopes as List<Plain>,
    }
}

impl<const F: usize> Regression<F> {
    /// The fitted value at a point.
    #[must_use]
    pub fn predict(&self, features: [f64; F]) -> f64 {
        let terms = self.slopes.iter().zip(features).map(|(s, x)| s.value * x);
        self.intercept.value + terms.sum::<f64>()
    }
}

/// Numbers between two ends; with a point between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    at: f64,
    low: f64,
    high: f64,
}

impl Range {
    /// A noisy number, and how far it may be off.
    pub(super) fn around(at: f64, off: f64) -> Self {
        Range {
            at,
            low: at - off,
            high: at + off,
        }
    }

    /// The part between public limits, or all that lies between them if nothing is left.
    fn within(self, low: f64, high: f64) -> Self {
        let known = self.low <= self.high && self.low <= high && self.high >= low;
        Range {
            // A value that is not a number is in the middle of what is possible.
            at: if self.at.is_nan() {
                (low + high) / 2.0
            } else {
                self.at.clamp(low, high)
            },
            low: if known { self.low.max(low) } else { low },
            high: if known { self.high.min(high) } else { high },
        }
    }

    /// Divided by a number of rows, which is at least 1.
    fn over(self, rows: Range) -> Self {
        // If there is certainly no row, a mean may be anything.
        if rows.high < 1.0 {
            return Range {
                at: 0.0,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            };
        }
        let (few, many) = (rows.low.max(1.0), rows.high);
        Range {
            at: self.at / rows.at.max(1.0),
            low: self.low / if self.low < 0.0 { few } else { many },
            high: self.high / if self.high < 0.0 { many } else { few },
        }
    }

    fn minus(self, other: Range) -> Self {
        Range {
            at: self.at - other.at,
            low: self.low - other.high,
            high: self.high - other.low,
        }
    }

    fn times(self, other: Range) -> Self {
        let corners = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        Range {
            at: self.at * other.at,
            low: corners.into_iter().fold(f64::INFINITY, f64::min),
            high: corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn square(self) -> Self {
        let (a, b) = (self.low * self.low, self.high * self.high);
        let across = self.low <= 0.0 && self.high >= 0.0;
        Range {
            at: self.at * self.at,
            low: if across { 0.0 } else { a.min(b) },
            high: a.max(b),
        }
    }

    /// In units: times a number that is not negative, plus another.
    fn scaled(self, by: f64, plus: f64) -> Self {
        let scaled = |x: f64| if by == 0.0 { plus } else { x * by + plus };
        Range {
            at: scaled(self.at),
            low: scaled(self.low),
            high: scaled(self.high),
        }
    }

    pub(super) fn estimate(self, confidence: f64) -> Estimate {
        Estimate {
            value: self.at,
            low: self.low,
            high: self.high,
            confidence,
        }
    }
}

/// The part of two numbers that the first makes up: both are counts.
pub(super) fn share(yes: Range, no: Range) -> Range {
    let part = |yes: f64, no: f64| {
        let (yes, no) = (yes.max(0.0), no.max(0.0));
        if yes + no > 0.0 {
            yes / (yes + no)
        } else {
            0.5
        }
    };
    let nothing = yes.high < 0.5 && no.high < 0.5;
    Range {
        at: part(yes.at, no.at),
        low: if nothing { 0.0 } else { part(yes.low, no.high) },
        high: if nothing { 1.0 } else { part(yes.high, no.low) },
    }
    .within(0.0, 1.0)
}

/// Moments with what is known about their noise.
pub(super) struct Known {
    /// The number of rows, the sums, the sums of products.
    cells: Vec<Range>,
    /// Half the width and the middle of each number, in units.
    units: Vec<(f64, f64)>,
}

impl Known {
    /// All cells are within `reach` steps of noise.
    pub(super) fn new(noisy: &NoisyMoments, reach: f64, units: Vec<(f64, f64)>) -> Self {
        let off = |step: f64| if step == 0.0 { 0.0 } else { reach * step };
        let cells = noisy.cells.iter().zip(&noisy.step);
        Known {
            cells: cells
                .map(|(&at, &step)| Range::around(at, off(step)))
                .collect(),
            units,
        }
    }

    fn rows(&self) -> Range {
        self.cells[0]
    }

    /// The mean of number `i`, as u.
    fn centre(&self, i: usize) -> Range {
        self.cells[1 + i].over(self.rows()).within(-1.0, 1.0)
    }

    pub(super) fn mean(&self) -> Range {
        let (half, middle) = self.units[0];
        self.centre(0).scaled(half, middle)
    }

    /// The mean square of number `i` around its mean, as u, where its squares are in a cell.
    fn spread(&self, i: usize, cell: usize) -> Range {
        let squares = self.cells[cell].over(self.rows()).within(0.0, 1.0);
        squares.minus(self.centre(i).square()).within(0.0, 1.0)
    }

    fn joint(&self, cell: usize) -> Range {
        let products = self.cells[cell].over(self.rows()).within(-1.0, 1.0);
        products
            .minus(self.centre(0).times(self.centre(1)))
            .within(-1.0, 1.0)
    }

    pub(super) fn variance(&self) -> Range {
        let half = self.units[0].0;
        self.spread(0, 2).scaled(half * half, 0.0)
    }

    pub(super) fn covariance(&self) -> Range {
        self.joint(3).scaled(self.units[0].0 * self.units[1].0, 0.0)
    }

    /// From 1, x, y, xx, xy, yy.
    pub(super) fn correlation(&self) -> Range {
        let (joint, x, y) = (self.joint(4), self.spread(0, 3), self.spread(1, 5));
        let (least, most) = ((x.low * y.low).sqrt(), (x.high * y.high).sqrt());
        let ratio = |joint: f64, by: f64| match joint / by {
            // No spread: the correlation may be anything, and 0 is in the middle.
            ratio if ratio.is_nan() => 0.0,
            ratio => ratio,
        };
        let low = if joint.low < 0.0 { least } else { most };
        let high = if joint.high < 0.0 { most } else { least };
        let open = least == 0.0;
        Range {
            at: ratio(joint.at, (x.at * y.at).sqrt()),
            low: if open && joint.low <= 0.0 {
                -1.0
            } else {
                ratio(joint.low, low)
            },
            high: if open && joint.high >= 0.0 {
                1.0
            } else {
                ratio(joint.high, high)
            },
        }
        .within(-1.0, 1.0)
    }

    /// Least squares of the last number on the others.
    pub(super) fn regression<const F: usize>(&self, confidence: f64) -> Regression<F> {
        // Products are in the order of (i, j ≥ i); the last number is F.
        let product = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            self.cells[2 + F + (0..i).map(|i| F + 1 - i).sum::<usize>() + (j - i)]
        };
        let entry = |i: usize, j: usize| match (i, j) {
            (0, 0) => self.rows(),
            (0, k) | (k, 0) => self.cells[k],
            (i, j) => product(i - 1, j - 1),
        };
        let matrix: Vec<Vec<Range>> = (0..=F)
            .map(|i| (0..=F).map(|j| entry(i, j)).collect())
            .collect();
        let right: Vec<Range> = (0..=F).map(|i| entry(i, F + 1)).collect();
        let solution = solve(&matrix, &right);

        let (high, level) = self.units[F];
        let mut intercept = solution[0].scaled(high, level);
        let slopes = core::array::from_fn(|i| {
            let (half, middle) = self.units[i];
            // A feature that is the same on all rows has no slope.
            let by = if half == 0.0 { 0.0 } else { high / half };
            let slope = solution[i + 1].scaled(by, 0.0);
            let off = Range {
                at: middle,
                low: middle,
                high: middle,
            };
            // 0·∞ is no number, and a middle of 0 moves nothing.
            if middle != 0.0 {
                intercept = intercept.minus(slope.times(off));
            }
            slope.estimate(confidence)
        });
        Regression {
            intercept: intercept.estimate(confidence),
            slopes,
        }
    }
}

/// Solutions of all linear systems whose entries are in the given ranges.
///
/// With C the inverse of the matrix at its points, E and f how far entries are off, and x the exact solution:
/// x = x̃ + C(E′x − f′) for some |E′| ≤ E and |f′| ≤ f. So d = |x − x̃| is at most |C|(E(|x̃| + d) + f). A vector d that
/// satisfies this with room to spare bounds it, and shows that no matrix in the range is singular (Rump's theorem:
/// |C|E then has spectral radius below 1).
fn solve(matrix: &[Vec<Range>], right: &[Range]) -> Vec<Range> {
    let n = right.len();
    let unknown = Range {
        at: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    let Some(inverse) = invert(
        matrix
            .iter()
            .map(|row| row.iter().map(|r| r.at).collect())
            .collect(),
    ) else {
        return vec![unknown; n];
    };
    let apply = |by: &[Vec<f64>], x: &[f64]| -> Vec<f64> {
        let dot = |row: &Vec<f64>| row.iter().zip(x).map(|(a, b)| a * b).sum();
        by.iter().map(dot).collect()
    };
    let at = apply(&inverse, &right.iter().map(|r| r.at).collect::<Vec<_>>());
    let size: Vec<Vec<f64>> = inverse
        .iter()
        .map(|row| row.iter().map(|c| c.abs()).collect())
        .collect();
    let off = |r: &Range| (r.high - r.low) / 2.0;
    let errors: Vec<Vec<f64>> = matrix
        .iter()
        .map(|row| row.iter().map(off).collect())
        .collect();
    // One round: |C|(E(|x̃| + d) + f).
    let bound = |d: &[f64]| -> Vec<f64> {
        let most: Vec<f64> = at.iter().zip(d).map(|(x, d)| x.abs() + d).collect();
        let mut inner = apply(&errors, &most);
        for (sum, r) in inner.iter_mut().zip(right) {
            *sum += off(r);
        }
        apply(&size, &inner)
    };
    let mut d = vec![0.0; n];
    for _ in 0..200 {
        let next = bound(&d);
        let enough = next.iter().zip(&d).all(|(next, d)| next <= d);
        if enough {
            return at
                .iter()
                .zip(&d)
                .map(|(&at, &d)| Range::around(at, d))
                .collect();
        }
        // A little more than asked for, so that the end is reached and rounding is covered.
        d = next.iter().map(|d| d * 1.01 + 1e-12).collect();
    }
    at.iter().map(|&at| Range { at, ..unknown }).collect()
}

/// The inverse, by elimination with row exchange.
fn invert(mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..n {
        let size = |row: &usize| a[*row][column].abs();
        let pivot = (column..n).max_by(|x, y| size(x).total_cmp(&size(y)))?;
        a.swap(column, pivot);
        let head = a[column][column];
        if head == 0.0 || !head.is_finite() {
            return None;
        }
        for value in &mut a[column] {
            *value /= head;
        }
        let unit = a[column].clone();
        for (row, values) in a.iter_mut().enumerate() {
            if row != column {
                let factor = values[column];
                for (value, unit) in values.iter_mut().zip(&unit) {
                    *value -= factor * unit;
                }
            }
        }
    }
    Some(a.into_iter().map(|row| row[n..].to_vec()).collect())
}
