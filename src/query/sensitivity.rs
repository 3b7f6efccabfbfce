//! How far the cells of a query can move between neighbours: exact, and a constant.

use crate::data::{AddRemove, Groups, PerPerson, Relation, Replace, Sampled};

/// An exact, non-negative rational: how far a query can move between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sensitivity {
    /// Numerator.
    num: u128,
    /// Denominator, positive.
    den: u128,
}

impl Sensitivity {
    /// A whole number.
    pub(crate) const fn whole(value: i128) -> Self {
        assert!(value >= 0, "a sensitivity is not negative");
        Sensitivity {
            num: value as u128,
            den: 1,
        }
    }

    /// Any fraction, not necessarily in lowest terms. No query has one yet, but the scales are exact for
    /// all of them.
    #[cfg(test)]
    pub(crate) const fn ratio(num: u128, den: u128) -> Self {
        Sensitivity { num, den }
    }

    /// Numerator.
    #[must_use]
    pub const fn num(self) -> u128 {
        self.num
    }

    /// Denominator, positive.
    #[must_use]
    pub const fn den(self) -> u128 {
        self.den
    }

    /// Times a whole number.
    pub(crate) const fn times(self, k: u128) -> Self {
        match self.num.checked_mul(k) {
            Some(num) => Sensitivity { num, den: self.den },
            None => panic!("this query's sensitivity does not fit 128 bits"),
        }
    }

    /// The sum of two with the same denominator.
    pub(crate) const fn plus(self, other: Self) -> Self {
        assert!(self.den == other.den, "sensitivities on one grid");
        match self.num.checked_add(other.num) {
            Some(num) => Sensitivity { num, den: self.den },
            None => panic!("this query's sensitivity does not fit 128 bits"),
        }
    }

    /// Squared.
    pub(crate) const fn squared(self) -> Self {
        let Some(num) = self.num.checked_mul(self.num) else {
            panic!("this query's squared sensitivity does not fit 128 bits")
        };
        let Some(den) = self.den.checked_mul(self.den) else {
            panic!("this query's squared sensitivity does not fit 128 bits")
        };
        Sensitivity { num, den }
    }
}

/// A relation under which queries have a price: how many records neighbours differ in, and
/// whether they are replaced. Sealed with [`Relation`].
pub trait Neighbours: Relation {
    /// Whether a record is replaced, rather than added or removed.
    #[doc(hidden)]
    const REPLACE: bool;
    /// How many steps apart neighbours are.
    #[doc(hidden)]
    const STEPS: u128;
}

impl Neighbours for AddRemove {
    const REPLACE: bool = false;
    const STEPS: u128 = 1;
}
impl Neighbours for Replace {
    const REPLACE: bool = true;
    const STEPS: u128 = 1;
}
impl<const K: usize, Rel: Neighbours> Neighbours for Groups<K, Rel> {
    const REPLACE: bool = Rel::REPLACE;
    const STEPS: u128 = {
        assert!(K > 0, "a group has at least one record");
        match (K as u128).checked_mul(Rel::STEPS) {
            Some(steps) => steps,
            None => panic!("this group is too large"),
        }
    };
}

impl Neighbours for PerPerson {
    const REPLACE: bool = false;
    const STEPS: u128 = 1;
}

/// A record of a sample is added or removed.
impl<const NUM: usize, const DEN: usize> Neighbours for Sampled<NUM, DEN> {
    const REPLACE: bool = false;
    const STEPS: u128 = 1;
}

/// Relations of which a sample has a lower price
/// ([T26](crate::guide::theory#t26-samples)). Sealed with [`Relation`].
#[diagnostic::on_unimplemented(
    message = "rows under `{Self}` cannot be sampled",
    label = "not rows that can be sampled",
    note = "a sample lowers the price where one record is added or removed: use a `Table<R>`, which is a `Table<R, AddRemove>`",
    note = "under `Replace` and `PerPerson` the law is another one, and a sample of a sample is one sample at the product of both rates"
)]
pub trait Samples: Neighbours {}
impl Samples for AddRemove {}

/// Relations whose neighbours differ in one row: those that [`testing`](crate::testing) enumerates.
/// Sealed with [`Relation`].
#[diagnostic::on_unimplemented(
    message = "neighbours under `{Self}` differ in more than one row, and are not enumerated",
    label = "not a relation of one row",
    note = "test the same query under `AddRemove` or `Replace`"
)]
pub trait OneRow: Neighbours {}
impl OneRow for AddRemove {}
impl OneRow for Replace {}

/// Relations under which blocks have a price
/// ([T15](crate::guide::theory#t15-parallel-composition)). Sealed with [`Relation`].
#[diagnostic::on_unimplemented(
    message = "blocks under `{Self}` have no price of their own",
    label = "not a relation that can be divided",
    note = "`AddRemove`, `Replace` and `PerPerson` can"
)]
pub trait Divisible: Neighbours {}
impl Divisible for AddRemove {}
impl Divisible for Replace {}
impl Divisible for PerPerson {}
