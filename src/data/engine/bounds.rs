//! What is known about the values of an expression: the same rules that its type follows.

use crate::number::gcd;

/// The greatest bound and the finest grid, as everywhere in the crate.
const LIMIT: i128 = 1 << 51;

/// What the bounds say about a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Size {
    /// The result may exceed 64 bits, and then saturates.
    Any,
    /// The result fits 64 bits.
    Word,
    /// It fits, and the factors lie in 0..2^32.
    Half,
}

/// The least and the greatest value, and steps per unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) grid: i128,
}

fn word(value: i128) -> i128 {
    value.clamp(i64::MIN.into(), i64::MAX.into())
}

/// The greatest and the least of the values, cut back to 64 bits, and whether they fitted.
fn cut(values: [i128; 4]) -> (i128, i128, bool) {
    let (low, high) = (
        values.into_iter().min().unwrap_or(0),
        values.into_iter().max().unwrap_or(0),
    );
    let fits = word(low) == low && word(high) == high;
    (word(low), word(high), fits)
}

/// The grid, if it is not too fine.
pub(super) fn fine(grid: i128) -> Option<i128> {
    (grid <= LIMIT).then_some(grid)
}

impl Bounds {
    /// Any 64-bit number, in units.
    pub(super) const FREE: Bounds = Bounds {
        low: i64::MIN as i128,
        high: i64::MAX as i128,
        grid: 1,
    };

    pub(super) fn within(low: i128, high: i128) -> Bounds {
        Bounds { low, high, grid: 1 }
    }

    fn half(self) -> bool {
        0 <= self.low && self.high < 1 << 32
    }

    fn size(fits: bool, half: bool) -> Size {
        match (fits, half) {
            (false, _) => Size::Any,
            (true, false) => Size::Word,
            (true, true) => Size::Half,
        }
    }

    /// Bounds of `clamp`, in units.
    pub(super) fn clamp(self, low: i64, high: i64) -> Option<Bounds> {
        let steps = |bound: i64| Some(i128::from(bound) * self.grid).filter(|s| s.abs() <= LIMIT);
        let (low, high) = (steps(low)?, steps(high)?);
        (low <= high).then_some(Bounds { low, high, ..self })
    }

    /// A sum or a difference: the factors of both sides, whether the result fits, and its bounds.
    pub(super) fn linear(self, other: Bounds, minus: bool) -> Option<(i64, i64, bool, Bounds)> {
        let shared = gcd(self.grid as u128, other.grid as u128) as i128;
        let grid = fine(self.grid / shared * other.grid)?;
        let (a, b) = (grid / self.grid, grid / other.grid);
        let b = if minus { -b } else { b };
        let (p, q) = (b * other.low, b * other.high);
        let (low, high) = (a * self.low + p.min(q), a * self.high + p.max(q));
        let (low, high, fits) = cut([low, high, low, high]);
        let bounds = Bounds { low, high, grid };
        Some((a as i64, b as i64, fits, bounds))
    }

    pub(super) fn product(self, other: Bounds) -> Option<(Size, Bounds)> {
        let (low, high, fits) = cut([
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ]);
        let grid = fine(self.grid * other.grid)?;
        let size = Self::size(fits, self.half() && other.half());
        Some((size, Bounds { low, high, grid }))
    }

    pub(super) fn square(self) -> Option<(Size, Bounds)> {
        let (size, mut bounds) = self.product(self)?;
        let (low, high) = (self.low * self.low, self.high * self.high);
        bounds.low = if self.low <= 0 && self.high >= 0 {
            0
        } else {
            word(low.min(high))
        };
        bounds.high = word(low.max(high));
        Some((size, bounds))
    }

    /// The number of steps that is added, and the bounds after.
    pub(super) fn plus(self, units: i64) -> Option<(i64, Bounds)> {
        let steps = Some(i128::from(units) * self.grid).filter(|s| s.abs() <= LIMIT)?;
        let (low, high) = (word(self.low + steps), word(self.high + steps));
        Some((steps as i64, Bounds { low, high, ..self }))
    }

    pub(super) fn times(self, by: i64) -> (Size, Bounds) {
        let by = i128::from(by);
        let (p, q) = (self.low * by, self.high * by);
        let (low, high, fits) = cut([p, q, p, q]);
        let half = self.half() && (0..1 << 32).contains(&by);
        (Self::size(fits, half), Bounds { low, high, ..self })
    }

    /// Whether a sum of 1,024 such values fits 64 bits.
    pub(super) fn summable(self) -> bool {
        self.low >= -LIMIT && self.high <= LIMIT && self.low <= self.high
    }
}
