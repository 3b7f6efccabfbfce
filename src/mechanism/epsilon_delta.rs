//! Prices with a failure probability.

use crate::cost::{Approx, Approximate, Cost, Delta, Eps};
use crate::number::{self, Frac, Fraction, Probability, Tiny};

/// A stated (ε, δ), both above zero: what a mechanism that may fail is made from. Sealed with
/// [`Cost`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a price with ε and δ above zero",
    label = "not an (ε, δ)",
    note = "write `Approx<Eps<NUM, DEN>, Delta<A, K>>` with NUM > 0 and A > 0"
)]
pub trait EpsilonDelta: Cost<Notion = Approximate> {
    /// ε, as a numerator and a denominator.
    #[doc(hidden)]
    const EPSILON: (u64, u64);
    /// δ = A·10^−K, as A and K.
    #[doc(hidden)]
    const DELTA: (u64, u32);
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const P: usize, const Q: usize> EpsilonDelta
    for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Self: Cost<Notion = Approximate>,
    Frac<A, B, M>: Fraction + number::NonZero,
    Tiny<P, Q>: Probability + number::NonZero,
{
    const EPSILON: (u64, u64) = (
        <Frac<A, B, M> as Fraction>::NUM,
        <Frac<A, B, M> as Fraction>::DEN,
    );
    const DELTA: (u64, u32) = (
        <Tiny<P, Q> as Probability>::A,
        <Tiny<P, Q> as Probability>::K,
    );
}
