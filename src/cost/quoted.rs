//! Prices that are known at run time only.

use super::{Books, Cost, Debits, Overspent};

/// A price named at run time: payable from a [`Meter`](crate::Meter) only, since no type says what it is.
///
/// Made by `laplace_at` and its relatives. It is no [`Cost`]: it neither composes nor pays for a
/// release from a vault.
#[derive(Debug)]
pub enum Quoted {}

// PRIVACY: inert. `PaidFrom` asks for a `Cost`, which `Quoted` is not; that the books have an entry
// keeps the error for it at one.
#[diagnostic::do_not_recommend]
impl<B: Cost> Debits<B, Quoted> for Books {
    type Verdict = typenum::B1;
    type Left = Overspent;
}
