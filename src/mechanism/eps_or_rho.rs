//! The price of mechanisms whose laws are known both in ε and in ρ.

use crate::cost::{Notion, Positive, Pure, Zcdp};

/// A positive ε, or a positive ρ: the price of Laplace noise or of a choice. Sealed with [`Cost`](crate::Cost).
///
/// The noise is made for the price that is stated. For a ρ it is less than for the ε that has ε²/2 = ρ, since Laplace noise
/// and choices cost less in ρ than pure mechanisms do in general ([T16](crate::guide::theory#t16-concentrated-privacy)).
/// So from a `Rho` budget, `laplace::<Rho<1, 8>>()` and `choose::<Rho<1, 8>>()` are better than `Eps<1, 2>`, which would take
/// as much from it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a positive ε or ρ, or not a short fraction",
    label = "not a positive ε or ρ",
    note = "Laplace noise and choices need an ε or a ρ above zero, such as `Eps<1, 4>`: at zero their noise would have to be infinite",
    note = "`Eps<NUM, DEN>` and `Rho<NUM, DEN>` take NUM from 1 to 1024 and DEN from 1 to 1024 or a power of ten up to 10^9: write 1/2000 as `Eps<5, 10_000>`"
)]
// Not proved: not a law; a name for a bound.
pub trait EpsOrRho: Positive {
    /// Whether it is a ρ.
    #[doc(hidden)]
    const CONCENTRATED: bool;
}

#[diagnostic::do_not_recommend]
impl<C: Positive<Notion: InOneNumber>> EpsOrRho for C {
    const CONCENTRATED: bool = <C::Notion as InOneNumber>::CONCENTRATED;
}

/// A notion with one number. Sealed with [`Notion`].
// Not proved: not a law; it tells ε from ρ.
pub trait InOneNumber: Notion {
    /// Whether it is ρ.
    #[doc(hidden)]
    const CONCENTRATED: bool;
}
impl InOneNumber for Pure {
    const CONCENTRATED: bool = false;
}
impl InOneNumber for Zcdp {
    const CONCENTRATED: bool = true;
}
