//! Upper bounds of what is irrational in a price: e^ε and ln(1/δ). Rational from end
//! to end, and never below the number itself.

use num_bigint::BigUint;
use privet::cost::Ratio;

type Q = Ratio<u128>;

/// Numbers here are multiples of 2^-BITS.
const BITS: u64 = 256;

/// A multiple of 2^-[`BITS`] that is at least the number it stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Above(BigUint);

impl Above {
    pub fn of(x: Q) -> Self {
        Above((BigUint::from(*x.numer()) << BITS).div_ceil_by(&BigUint::from(*x.denom())))
    }

    fn one() -> Self {
        Above(BigUint::from(1_u8) << BITS)
    }

    pub fn plus(&self, other: &Self) -> Self {
        Above(&self.0 + &other.0)
    }

    pub fn times(&self, other: &Self) -> Self {
        let unit = BigUint::from(1_u8) << BITS;
        Above((&self.0 * &other.0).div_ceil_by(&unit))
    }

    fn over(&self, n: u64) -> Self {
        Above(self.0.div_ceil_by(&BigUint::from(n)))
    }

    /// The least multiple of 1/`grid` from here; none beyond 128 bits.
    pub fn on_grid(&self, grid: u128) -> Option<Q> {
        let unit = BigUint::from(1_u8) << BITS;
        let steps = (&self.0 * BigUint::from(grid)).div_ceil_by(&unit);
        u128::try_from(steps).ok().map(|steps| Q::new(steps, grid))
    }

    /// This less `x`, from above, or zero.
    fn less(&self, x: Q) -> Above {
        let below = (BigUint::from(*x.numer()) << BITS) / BigUint::from(*x.denom());
        Above(if self.0 > below {
            &self.0 - below
        } else {
            BigUint::from(0_u8)
        })
    }

    pub fn is_at_most(&self, x: Q) -> bool {
        &self.0 * BigUint::from(*x.denom()) <= BigUint::from(*x.numer()) << BITS
    }
}

trait DivCeil {
    fn div_ceil_by(&self, by: &Self) -> Self;
}

impl DivCeil for BigUint {
    fn div_ceil_by(&self, by: &Self) -> Self {
        let one = BigUint::from(1_u8);
        (self + (by - one)) / by
    }
}

/// e^x from above; none where it is beyond e^64, which is more than one over any δ that matters.
pub fn exp(x: Q) -> Option<Above> {
    if x > Q::from_integer(64) {
        return None;
    }
    // e^x = (e^(x/128))^128, and x/128 is at most 1/2.
    let small = Above::of(x).over(128);
    let (mut sum, mut term) = (Above::one(), Above::one());
    for n in 1..=48 {
        term = term.times(&small).over(n);
        sum = sum.plus(&term);
    }
    // What is left of the series is less than its last term.
    sum = sum.plus(&term);
    for _ in 0..7 {
        sum = sum.times(&sum);
    }
    Some(sum)
}

/// ln(1/x) from above, for an x above 0 and at most 1.
fn ln_inverse(x: Q) -> Above {
    // 1/x = 2^k · y with 1 ≤ y < 2, and ln y = 2 artanh((y − 1)/(y + 1)).
    let (num, den) = (BigUint::from(*x.numer()), BigUint::from(*x.denom()));
    let mut k = den.bits().saturating_sub(num.bits());
    if (&num << k) > den {
        k -= 1;
    }
    let shifted = num << k;
    let rest = twice_artanh(&(&den - &shifted), &(&den + &shifted));
    let ln_2 = twice_artanh(&BigUint::from(1_u8), &BigUint::from(3_u8));
    Above(ln_2.0 * k).plus(&rest)
}

/// 2 artanh(a/b) from above, for a/b of at most 1/3.
fn twice_artanh(a: &BigUint, b: &BigUint) -> Above {
    let z = Above((a << (BITS + 1)).div_ceil_by(&(b * 2_u8)));
    let square = z.times(&z);
    let (mut sum, mut power) = (z.clone(), z);
    for n in 1..=90 {
        power = power.times(&square);
        sum = sum.plus(&power.over(2 * n + 1));
    }
    // What is left of the series is less than its last power.
    sum = sum.plus(&power);
    sum.plus(&sum)
}

/// An ε that a ρ has at a δ, from above; none where δ is 0. It is the least (1+g)ρ + (ln(1/δ) − h)/g at the orders of
/// the library ([T16](privet::guide::theory#t16-concentrated-privacy)), so that no verdict here is stricter than a type's.
pub fn epsilon_of(rho: Q, delta: Q) -> Option<Above> {
    if delta == Q::from_integer(0) {
        return None;
    }
    if delta >= Q::from_integer(1) {
        return Some(Above::of(rho));
    }
    let (rho, log) = (Above::of(rho), ln_inverse(delta));
    privet::audit::orders()
        .map(|(g, gain)| {
            let first = rho.times(&Above::of(g + Q::from_integer(1)));
            // Never below zero: what is below zero passes as zero.
            let owed = log.less(gain).times(&Above::of(g.recip()));
            first.plus(&owed)
        })
        .min_by(|a, b| a.0.cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(numer: u128, denom: u128) -> Q {
        Q::new(numer, denom)
    }

    fn float(x: &Above) -> f64 {
        let x = x.on_grid(10_u128.pow(15)).expect("small");
        *x.numer() as f64 / *x.denom() as f64
    }

    /// Digits of the numbers themselves, so that a bound is above and close.
    #[test]
    fn bounds_are_above_and_close() {
        // 30 digits of e, e^(1/3), ln 10 and ln 10^6, cut off.
        let digits = 10_u128.pow(30);
        let within = |bound: &Above, cut: u128| {
            let (low, high) = (q(cut, digits), q(cut + 2, digits));
            assert!(!bound.is_at_most(low) && bound.is_at_most(high), "{cut}");
        };
        within(&exp(q(1, 1)).expect("e"), 2_718281828459045235360287471352);
        within(
            &exp(q(1, 3)).expect("root"),
            1_395612425086089528628125319602,
        );
        within(&ln_inverse(q(1, 10)), 2_302585092994045684017991454684);
        within(
            &ln_inverse(q(1, 1_000_000)),
            13_815510557964274104107948728106,
        );
        assert!(ln_inverse(q(1, 1)).is_at_most(q(1, digits)));
        assert_eq!(exp(q(65, 1)), None);
    }

    #[test]
    fn everyday_values_agree_with_floating_point() {
        for (numer, denom) in [(1, 1000), (1, 10), (1, 2), (3, 1), (20, 1), (63, 1)] {
            let x = numer as f64 / denom as f64;
            let bound = exp(q(numer, denom)).expect("small");
            let seen = bound.on_grid(1).or(Some(q(1, 1))).expect("some");
            assert!(*seen.numer() as f64 >= x.exp() * (1.0 - 1e-12) || x > 60.0);
            for k in [3, 6, 9, 30_u32] {
                let epsilon = epsilon_of(q(numer, denom), q(1, 10_u128.pow(k))).expect("a δ");
                let ln = f64::from(k) * core::f64::consts::LN_10;
                let at = |g: f64| x * (1.0 + g) + (ln - g.ln_1p() - g * (1.0 / g).ln_1p()) / g;
                let orders = (-2000..6000).map(|i| 10_f64.powf(f64::from(i) / 1000.0));
                let best = orders.map(at).fold(f64::INFINITY, f64::min);
                let above = float(&epsilon) / best - 1.0;
                assert!((-1e-6..0.01).contains(&above), "{x} at 1e-{k}: {above}");
            }
        }
        assert_eq!(epsilon_of(q(1, 2), q(0, 1)), None);
    }
}
