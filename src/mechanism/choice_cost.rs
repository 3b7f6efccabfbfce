//! What a choice by the exponential mechanism may be priced in.

use crate::cost::{Notion, Positive, Pure, Zcdp};

/// A price of a choice: a positive ε, or a positive ρ. Sealed with [`Cost`](crate::Cost).
///
/// At the same ε a choice costs a quarter of the ρ that pure mechanisms cost in general: ε²/8, not ε²/2
/// ([T16](crate::guide::theory#t16-concentrated-privacy)). So `choose::<Rho<1, 8>>()` is twice as sharp as
/// `choose::<Eps<1, 2>>()`, of which the same budget would pay for one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a positive ε or ρ, which a choice is priced in",
    label = "not a price of a choice",
    note = "write `Eps<NUM, DEN>` or `Rho<NUM, DEN>` with NUM from 1 to 1024 and DEN from 1 to 1024 or a power of ten up to 10^9"
)]
// Not proved: not a law; a name for a bound.
pub trait ChoiceCost: Positive {
    /// Whether it is a ρ.
    #[doc(hidden)]
    const CONCENTRATED: bool;
}

#[diagnostic::do_not_recommend]
impl<C: Positive<Notion: InOneNumber>> ChoiceCost for C {
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
