//! Cumulative distributions of the magnitudes that tables are made of, as certified enclosures.

use super::fixed::{Fixed, Interval, exp_neg};
use super::gaussian::GaussianVariance;
use super::laplace::LaplaceScale;

/// A distribution on 0, 1, 2, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magnitude {
    /// |X| for discrete Laplace X.
    Laplace(LaplaceScale),
    /// ⌊G/2^shift⌋ for the geometric G of ratio exp(−1/scale).
    LaplaceHigh(LaplaceScale, u32),
    /// |X| for discrete Gaussian X.
    Gaussian(GaussianVariance),
    /// P(h) ∝ exp(−(h·2^shift)²/(2σ²)).
    GaussianHigh(GaussianVariance, u32),
}

impl Magnitude {
    /// How many entries make a table whose end is hardly ever reached.
    pub(super) fn entries(self) -> usize {
        let whole = match self {
            // exp(−12) of all draws go on to the exact tail, which costs a few dozen
            // nanoseconds.
            Magnitude::Laplace(scale) => 12 * (scale.floor() + 2),
            Magnitude::LaplaceHigh(scale, shift) => 12 * ((scale.floor() >> shift) + 2),
            // Beyond 9.5 σ there is less than 2^−64; draws there are resolved slowly.
            Magnitude::Gaussian(variance) => {
                19 * (u128::from(variance.deviation_floor()) + 1) / 2 + 8
            }
            Magnitude::GaussianHigh(variance, shift) => {
                19 * ((u128::from(variance.deviation_floor()) >> shift) + 1) / 2 + 8
            }
        };
        usize::try_from(whole).unwrap_or(usize::MAX)
    }

    /// Whether the part beyond any n, less n, is geometric again.
    pub(super) fn is_memoryless(self) -> bool {
        matches!(self, Magnitude::Laplace(_) | Magnitude::LaplaceHigh(..))
    }

    /// Enclosures of F(g) = P(X ≤ g) for g = 0, 1, …: at least `count` of them, each a few units
    /// of 2^−(64·`limbs`) wide.
    pub(super) fn cumulative(self, count: usize, limbs: usize) -> Vec<Interval> {
        match self {
            Magnitude::Laplace(scale) => {
                // F(g) = 1 − 2·r^(g+1)/(1 + r)
                let r = exp_neg(scale.den().into(), scale.num(), limbs + 1);
                let two = Interval::integer(2, limbs + 1);
                let one = Interval::integer(1, limbs + 1);
                complements(two.times(&one.plus(&r).reciprocal()), &r, count, limbs)
            }
            Magnitude::LaplaceHigh(scale, shift) => {
                // F(g) = 1 − r^(g+1), with the ratio r of the high digits
                let r = exp_neg(high_rate(scale, shift), scale.num(), limbs + 1);
                complements(Interval::integer(1, limbs + 1), &r, count, limbs)
            }
            Magnitude::Gaussian(variance) => {
                gaussian_sums(variance.den().into(), 2 * variance.num(), 2, count, limbs)
            }
            Magnitude::GaussianHigh(variance, shift) => {
                let rate = high_variance_rate(variance, shift);
                gaussian_sums(rate, 2 * variance.num(), 1, count, limbs)
            }
        }
    }
}

/// den·2^shift. The shift is chosen such that 2^shift ≤ scale, so this is at most `num` < 2^96.
pub(super) fn high_rate(scale: LaplaceScale, shift: u32) -> u128 {
    u128::from(scale.den()) << shift
}

/// den·4^shift. The shift is chosen such that 2^shift ≤ σ, so this is at most `num` < 2^127.
pub(super) fn high_variance_rate(variance: GaussianVariance, shift: u32) -> u128 {
    u128::from(variance.den()) << (2 * shift)
}

/// 1 − `factor`·r^(g+1) for g in 0..`count`.
fn complements(factor: Interval, r: &Interval, count: usize, limbs: usize) -> Vec<Interval> {
    let mut power = factor;
    let next = |_| {
        power = power.times(r).at_most_one();
        power.complement().resized(limbs).at_most_one()
    };
    (0..count).map(next).collect()
}

/// Normalized partial sums of w(0) + `sides`·(w(1) + w(2) + …) with w(k) = exp(−k²·num/den).
fn gaussian_sums(num: u128, den: u128, sides: u64, count: usize, limbs: usize) -> Vec<Interval> {
    let work = limbs + 1;
    // w(k + 1) = w(k)·ratio(k) and ratio(k + 1) = ratio(k)·step.
    let mut ratio = exp_neg(num, den, work);
    let step = ratio.times(&ratio);
    let mut weight = Interval::integer(1, work);
    let mut sum = weight.clone();
    let mut sums = vec![];
    let sides = Interval::integer(sides, work);
    // 2^20 units of the last place: below every normalized tail that `limbs` could resolve, and
    // above the point where rounding up stops the weights from shrinking.
    let negligible = Fixed::units(1 << 20, work);
    let rest = loop {
        sums.push(sum.clone());
        weight = weight.times(&ratio);
        if sums.len() >= count && weight.hi <= negligible {
            // EXACT: ratios decrease, so all that is left out is at most a geometric series.
            if let Some(rest) = weight.geometric_sum(&ratio) {
                break Interval {
                    lo: Fixed::integer(0, work),
                    hi: rest,
                };
            }
        }
        ratio = ratio.times(&step);
        sum = sum.plus(&sides.times(&weight));
    };
    let total = sum.plus(&sides.times(&rest));
    let inverse = total.reciprocal();
    sums.iter()
        .map(|sum| sum.times(&inverse).resized(limbs).at_most_one())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_reach_as_far_as_they_pay() {
        let scale = LaplaceScale::new(10, 1).unwrap();
        assert_eq!(Magnitude::Laplace(scale).entries(), 144);
        let scale = LaplaceScale::new(1 << 20, 1).unwrap();
        assert_eq!(Magnitude::LaplaceHigh(scale, 15).entries(), 408);
        let variance = GaussianVariance::new(100, 1).unwrap();
        assert_eq!(Magnitude::Gaussian(variance).entries(), 112);
        let variance = GaussianVariance::new(1 << 40, 1).unwrap();
        assert_eq!(Magnitude::GaussianHigh(variance, 14).entries(), 625);
    }

    #[test]
    fn as_many_are_computed_as_were_asked_for_each_a_few_units_wide() {
        let scale = LaplaceScale::new(37, 11).unwrap();
        let variance = GaussianVariance::new(37, 11).unwrap();
        for law in [
            Magnitude::Laplace(scale),
            Magnitude::LaplaceHigh(scale, 1),
            Magnitude::Gaussian(variance),
            Magnitude::GaussianHigh(variance, 0),
        ] {
            for (count, limbs) in [(1, 2), (5, 1), (200, 3)] {
                let cumulative = law.cumulative(count, limbs);
                assert!(cumulative.len() >= count);
                for f in cumulative {
                    let width = f.hi.to_big() - f.lo.to_big();
                    assert!(width <= 2.into(), "{law:?}, {limbs} limbs: {width} units");
                }
            }
        }
    }
}
