//! Division by a public constant that takes the same time for every value: a processor's own does not.

/// A positive divisor, and what is computed from it alone.
pub(super) struct Divisor {
    by: u64,
    /// 2^64 over the divisor, rounded down.
    inverse: u128,
    /// 2^63 over the divisor, and what remains.
    half: (u64, u64),
}

impl Divisor {
    /// A divisor; less than 1 is taken as 1.
    pub(super) fn new(by: i64) -> Self {
        let by = by.max(1) as u64;
        Divisor {
            by,
            inverse: (1 << 64) / u128::from(by),
            half: ((1 << 63) / by, (1 << 63) % by),
        }
    }

    /// The quotient, rounded down, and what remains, which is not negative.
    #[inline(always)]
    pub(super) fn divide(&self, value: i64) -> (i64, i64) {
        // What is at least 0: the value plus 2^63.
        let up = value as u64 ^ 1 << 63;
        // At most 1 too small, since the inverse is less than 1 too small.
        let near = ((u128::from(up) * self.inverse) >> 64) as u64;
        let rest = up.wrapping_sub(near.wrapping_mul(self.by));
        let more = u64::from(rest >= self.by);
        let (quotient, rest) = (near + more, rest - more * self.by);
        // Minus 2^63.
        let less = u64::from(rest < self.half.1);
        let quotient = quotient.wrapping_sub(self.half.0).wrapping_sub(less);
        let rest = rest.wrapping_sub(self.half.1);
        let rest = rest.wrapping_add(less.wrapping_mul(self.by));
        (quotient as i64, rest as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;
    use crate::testing::Choices;

    #[test]
    fn it_divides_as_integers_do() {
        let c = &mut Choices::new(5);
        for _ in 0..200_000 {
            let by = match c.below(3) {
                0 => c.int().max(1),
                1 => (c.bits() >> 1 >> c.below(63)).max(1) as i64,
                _ => c.below(20) as i64 + 1,
            };
            let divisor = Divisor::new(by);
            let value = c.int();
            let edges = [i64::MIN, i64::MAX, value, (value / by).wrapping_mul(by)];
            for value in edges {
                let expected = (value.div_euclid(by), value.rem_euclid(by));
                assert_eq!(divisor.divide(value), expected, "{value} by {by}");
            }
        }
    }
}
