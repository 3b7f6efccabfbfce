//! Rational bounds around a probability.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::expsum::{ExpSum, Rational, ceil_div, exp, floor_div, ratio};

/// Bounds are multiples of 2^−BITS.
const BITS: u64 = 256;

/// A real number between two rationals, with its exact closed form where that is known.
///
/// Arithmetic rounds outwards and forgets the closed form; build that with [`Enclosure::of`].
#[derive(Clone, Debug)]
pub struct Enclosure {
    low: BigInt,
    high: BigInt,
    exact: Option<Arc<(ExpSum, ExpSum)>>,
}

impl Enclosure {
    /// `num`/`den`, exactly; 0 where `den` is 0.
    #[must_use]
    pub fn ratio(num: i64, den: i64) -> Self {
        Self::exactly(ratio(num, den))
    }

    /// A rational, exactly.
    #[must_use]
    pub fn exactly(value: Rational) -> Self {
        let mut enclosure = Self::between(&value, &value);
        enclosure.exact = Some(Arc::new((ExpSum::rational(value), ExpSum::ratio(1, 1))));
        enclosure
    }

    /// `num`/`den` for two sums of exponentials.
    ///
    /// `None` unless `den` can be shown to be positive.
    #[must_use]
    pub fn of(num: ExpSum, den: ExpSum) -> Option<Self> {
        if den.sign() != Some(1) {
            return None;
        }
        let shift = den.largest();
        let mut quotient = quotient((&num, &shift), (&den, &shift))?;
        quotient.exact = Some(Arc::new((num, den)));
        Some(quotient)
    }

    /// Somewhere from `low` to `high`, in either order.
    #[must_use]
    pub fn between(low: &Rational, high: &Rational) -> Self {
        let (low, high) = if low <= high {
            (low, high)
        } else {
            (high, low)
        };
        Enclosure {
            low: floor_div(&(low.numer() << BITS), low.denom()),
            high: ceil_div(&(high.numer() << BITS), high.denom()),
            exact: None,
        }
    }

    /// e^{`exponent`}; `None` from 8192 on.
    #[must_use]
    pub fn exp(exponent: &Rational) -> Option<Self> {
        let (low, high) = exp(exponent, BITS)?;
        Some(Enclosure {
            low,
            high,
            exact: None,
        })
    }

    /// A lower bound.
    #[must_use]
    pub fn lower(&self) -> Rational {
        Ratio::new(self.low.clone(), BigInt::one() << BITS)
    }

    /// An upper bound.
    #[must_use]
    pub fn upper(&self) -> Rational {
        Ratio::new(self.high.clone(), BigInt::one() << BITS)
    }

    /// About the number, for display.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let middle = (&self.low + &self.high).to_f64().unwrap_or(f64::INFINITY);
        middle / 2f64.powi(BITS as i32 + 1)
    }

    /// The quotient, `None` unless `other` is above 0.
    #[must_use]
    pub fn over(&self, other: &Self) -> Option<Self> {
        if !other.low.is_positive() {
            return None;
        }
        let low_by = if self.low.is_negative() {
            &other.low
        } else {
            &other.high
        };
        let high_by = if self.high.is_negative() {
            &other.high
        } else {
            &other.low
        };
        Some(Enclosure {
            low: floor_div(&(&self.low << BITS), low_by),
            high: ceil_div(&(&self.high << BITS), high_by),
            exact: None,
        })
    }

    /// Allows the number to be larger by as much as `other`'s upper bound.
    #[must_use]
    pub fn widened(mut self, other: &Self) -> Self {
        if other.high.is_positive() {
            self.high += &other.high;
            self.exact = None;
        }
        self
    }

    /// Whether `self` is below, at or above `factor`·`other`; `None` if the bounds overlap.
    pub(super) fn compare(&self, factor: &ExpSum, other: &Self) -> Option<Ordering> {
        let scaled = Enclosure::of(factor.clone(), ExpSum::ratio(1, 1))? * other.clone();
        if self.low > scaled.high {
            return Some(Ordering::Greater);
        }
        if self.high < scaled.low {
            return Some(Ordering::Less);
        }
        let (Some(a), Some(b)) = (&self.exact, &other.exact) else {
            // Zero is zero, whatever the enclosure.
            return (self.high.is_zero() && !scaled.low.is_negative()).then_some(Ordering::Less);
        };
        let left = a.0.clone() * b.1.clone();
        let right = factor.clone() * b.0.clone() * a.1.clone();
        left.compare(&right)
    }

    /// Numerator and denominator, where known.
    pub(super) fn closed_form(&self) -> Option<(&ExpSum, &ExpSum)> {
        self.exact
            .as_ref()
            .map(|quotient| (&quotient.0, &quotient.1))
    }

    /// Whether it is certainly at most `bound`; `None` if the bounds overlap.
    pub(super) fn at_most(&self, bound: &Rational) -> Option<bool> {
        if self.upper() <= *bound {
            Some(true)
        } else if self.lower() > *bound {
            Some(false)
        } else {
            None
        }
    }

    /// The part above zero.
    pub(super) fn positive_part(mut self) -> Self {
        if self.low.is_negative() {
            self.low = BigInt::zero();
            self.exact = None;
        }
        if self.high.is_negative() {
            self.high = BigInt::zero();
        }
        self
    }

    /// As a factor times e^x: with all bits in the factor, however small the number, where it is
    /// known in closed form.
    pub(super) fn scaled(&self) -> Option<(Self, Rational)> {
        let Some((num, den)) = self.closed_form() else {
            return Some((self.clone(), Rational::zero()));
        };
        let (up, down) = (num.largest(), den.largest());
        let factor = quotient((num, &up), (den, &down))?;
        Some((factor, up - down))
    }

    /// The power, for a number above 0 and an exponent above 0 with a small numerator and a
    /// denominator that is small or a power of two.
    pub(super) fn power(&self, exponent: &Rational) -> Option<Self> {
        if !self.low.is_positive() || exponent.is_negative() {
            return None;
        }
        let mut left = exponent.numer().to_u32().filter(|n| *n <= 1 << 16)?;
        let mut roots = exponent.denom().to_u64()?;
        let mut base = self.clone();
        while roots % 2 == 0 {
            base = base.root(2);
            roots /= 2;
        }
        if roots > 1 {
            base = base.root(u32::try_from(roots).ok().filter(|n| *n <= 64)?);
        }
        let mut power = Enclosure::ratio(1, 1);
        while left > 0 {
            if left & 1 == 1 {
                power = power * base.clone();
            }
            base = base.clone() * base;
            left >>= 1;
        }
        Some(power)
    }

    /// The root of a number above 0.
    fn root(&self, degree: u32) -> Self {
        let lift = BITS * u64::from(degree - 1);
        Enclosure {
            low: (&self.low << lift).nth_root(degree),
            // Rounded down, and one more.
            high: (&self.high << lift).nth_root(degree) + 1,
            exact: None,
        }
    }

    /// The product; a factor of exactly 1 changes nothing, and closed forms are kept.
    pub(crate) fn times(self, other: Self) -> Self {
        let one = BigInt::one() << BITS;
        let is_one = |x: &Self| x.low == one && x.high == one;
        if is_one(&self) {
            return other;
        }
        if is_one(&other) {
            return self;
        }
        let closed = match (self.closed_form(), other.closed_form()) {
            (Some((a, b)), Some((c, d))) => Self::of(a.clone() * c.clone(), b.clone() * d.clone()),
            _ => None,
        };
        closed.unwrap_or_else(|| self * other)
    }

    /// The number, known to be at most 1.
    pub(crate) fn capped(mut self) -> Self {
        let one = BigInt::one() << BITS;
        if self.high > one {
            self.high = one;
            self.exact = None;
        }
        self
    }

    /// Whether it is zero for certain.
    pub(super) fn is_zero(&self) -> bool {
        self.low.is_zero() && self.high.is_zero()
    }

    /// Whether the bounds exclude zero from below.
    pub(super) fn is_positive(&self) -> bool {
        self.low.is_positive()
    }
}

/// num·e^{−up}/(den·e^{−down}); `None` unless the denominator's bounds exclude zero.
fn quotient(
    (num, up): (&ExpSum, &Rational),
    (den, down): (&ExpSum, &Rational),
) -> Option<Enclosure> {
    let (a, b) = num.enclose(up, 2 * BITS)?;
    let (c, d) = den.enclose(down, 2 * BITS)?;
    if !c.is_positive() {
        return None;
    }
    Some(Enclosure {
        low: floor_div(&(&a << BITS), if a.is_negative() { &c } else { &d }),
        high: ceil_div(&(&b << BITS), if b.is_negative() { &d } else { &c }),
        exact: None,
    })
}

impl std::ops::Add for Enclosure {
    type Output = Enclosure;
    fn add(self, other: Enclosure) -> Enclosure {
        Enclosure {
            low: self.low + other.low,
            high: self.high + other.high,
            exact: None,
        }
    }
}

impl std::ops::Sub for Enclosure {
    type Output = Enclosure;
    fn sub(self, other: Enclosure) -> Enclosure {
        Enclosure {
            low: self.low - other.high,
            high: self.high - other.low,
            exact: None,
        }
    }
}

impl std::ops::Mul for Enclosure {
    type Output = Enclosure;
    fn mul(self, other: Enclosure) -> Enclosure {
        let unit = BigInt::one() << BITS;
        let products = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let low = products.iter().min().map(|p| floor_div(p, &unit));
        let high = products.iter().max().map(|p| ceil_div(p, &unit));
        Enclosure {
            low: low.unwrap_or_default(),
            high: high.unwrap_or_default(),
            exact: None,
        }
    }
}

/// The middle, as a decimal.
impl fmt::Display for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6e}", self.to_f64())
    }
}
