//! The last step of a comparison: where a type-level "no" becomes a sentence.

use crate::number::Yes;

use super::{Purse, sealed};

/// What is left of a budget that was overspent: nothing that can be opened, paid from or read.
///
/// It appears in the types that follow an overspending release, so that one mistake prints one
/// error. No program that compiles has a vault with this budget.
#[derive(Debug)]
pub enum Overspent {}

impl sealed::Sealed for Overspent {}
#[diagnostic::do_not_recommend]
impl Purse for Overspent {}

// PRIVACY: a `Vault<_, Overspent>` only comes from a release whose `WithinBudget` bound failed,
// that is, from a program that does not compile; this impl keeps the error count at one.
#[diagnostic::do_not_recommend]
impl<C> Debits<Overspent, C> for Books {
    type Verdict = Yes;
    type Left = Overspent;
}

/// The verdict of a debit.
#[diagnostic::on_unimplemented(
    message = "privacy budget exceeded: this release costs `{Price}`, but only `{Left}` is left",
    label = "overspends the budget",
    note = "lower the cost of this release, drop an earlier one, or open the vault with a larger budget"
)]
// Proved: Cost.left_sound (a verdict of "no" is None there)
pub trait WithinBudget<Price, Left> {}
#[diagnostic::do_not_recommend]
impl<C, B> WithinBudget<C, B> for Yes {}

/// The verdict of a comparison.
#[diagnostic::on_unimplemented(
    message = "`{Price}` is more than `{Limit}`: a cost can be raised, never lowered",
    label = "costs more than `{Limit}`",
    note = "state at least `{Price}` here, or lower the cost of a part"
)]
// Proved: Cost.passes_sound
pub trait NotDearer<Price, Limit> {}
#[diagnostic::do_not_recommend]
impl<C, D> NotDearer<C, D> for Yes {}

/// The verdict of a conversion between notions.
#[diagnostic::on_unimplemented(
    message = "`{Price}` does not imply `{Limit}`",
    label = "too small for this cost",
    note = "zCDP at ρ gives (ε, δ) when g·(ε − (1+g)·ρ) + ln(1+g) + g·ln(1+1/g) ≥ ln(1/δ) for a g > 0, and always when ε ≥ ρ + 2·√(ρ·ln(1/δ)): raise ε or δ, or lower ρ"
)]
// Proved: Cost.passes_sound, Convert.zcdp_approx_order
pub trait Conversion<Price, Limit> {}
#[diagnostic::do_not_recommend]
impl<C, D> Conversion<C, D> for Yes {}

/// The type that implements the tables below. It is one type for all entries, so that a missing entry
/// prints its own sentence and not a list of the others.
#[derive(Debug)]
pub enum Books {}

/// A debit. It is total: over budget, the verdict is a "no" and nothing is left.
#[diagnostic::on_unimplemented(
    message = "`{C}` cannot be paid from a budget of `{B}`",
    label = "not payable from this budget",
    note = "`Eps` can be paid from every budget, `Rho` from a `Rho` budget only, `Approx` from an `Approx` budget only: Gaussian noise is not ε-private for any ε",
    note = "to pay a `Rho` from an `Approx` budget, state its (ε, δ) first: `.at_most::<Approx<Eps<NUM, DEN>, Delta<A, K>>>()`",
    note = "in generic code, add the bound `{C}: PaidFrom<{B}>`"
)]
// Proved: Cost.left_sound
pub trait Debits<B, C> {
    /// Whether the budget suffices.
    type Verdict;
    /// What is left of it.
    type Left: Purse;
}

/// A comparison. It is total, and says whether `C` is at most `D`, or implies it in another notion.
#[diagnostic::on_unimplemented(
    message = "`{C}` does not pass as `{D}`",
    label = "not implied by this cost",
    note = "a pure cost passes as any notion, zCDP as a stated (ε, δ), and neither of these as pure",
    note = "in generic code, add the bound `{C}: AtMost<{D}>`"
)]
// Proved: Cost.passes_sound
pub trait Passes<C, D> {
    /// Within a notion: whether `C` costs at most as much as `D`.
    type Cheaper;
    /// Between notions: whether the conversion holds.
    type Implied;
}
