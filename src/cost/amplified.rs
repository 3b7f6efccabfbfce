//! What a cost on a sample is on the whole table.

use super::approx::{PureCost, SpelledDelta};
use super::{Approx, Cost, Delta, Eps, Spelled};
use crate::number::{Amplify, Frac, Fraction, Probability, Thinned, Tiny};

/// The price on a table of what costs `Self` on a sample of it, which has each row with probability
/// `NUM`/`DEN` ([T26](crate::guide::theory#t26-samples)).
///
/// ln(1 + q·(e^ε − 1)) for a pure cost, and with it q·δ for an approximate one, both rounded up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` on a sample has no price on the whole table",
    label = "not a price that a sample lowers",
    note = "a sample lowers ε and (ε, δ), not ρ: state the price of what runs on the sample with `.at_most::<Approx<Eps<NUM, DEN>, Delta<A, K>>>()`",
    note = "in generic code, add the bound `{Self}: Amplified<{NUM}, {DEN}>`"
)]
// Not proved: `proofs/subsampling.md`.
pub trait Amplified<const NUM: usize, const DEN: usize>: Cost {
    /// The price on the table.
    type Price: Cost;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const NUM: usize, const DEN: usize>
    Amplified<NUM, DEN> for Eps<A, B, M>
where
    Frac<A, B, M>: Fraction + Amplify<NUM, DEN, Out: Spelled>,
{
    type Price = <<Frac<A, B, M> as Amplify<NUM, DEN>>::Out as Spelled>::Eps;
}

#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const P: usize,
    const Q: usize,
    const NUM: usize,
    const DEN: usize,
> Amplified<NUM, DEN> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Eps<A, B, M>: PureCost + Amplified<NUM, DEN, Price: PureCost>,
    Tiny<P, Q>: Probability + Thinned<NUM, DEN, Out: SpelledDelta>,
{
    type Price = Approx<
        <Eps<A, B, M> as Amplified<NUM, DEN>>::Price,
        <<Tiny<P, Q> as Thinned<NUM, DEN>>::Out as SpelledDelta>::Delta,
    >;
}
