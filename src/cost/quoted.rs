//! Prices that are known at run time only.

use super::{Books, Cost, Debits, Overspent};

/// A price named at run time. Only a [`Meter`](crate::Meter) can pay it, since no type says what it is.
///
/// Made by `laplace_at` and its relatives. It is not a [`Cost`], so it does not
/// compose and cannot be released from a vault.
#[derive(Debug)]
pub enum Quoted {}

// PRIVACY: inert. `PaidFrom` requires a `Cost`, which `Quoted` is not. This entry in the books only
// limits the errors to one.
#[diagnostic::do_not_recommend]
impl<B: Cost> Debits<B, Quoted> for Books {
    type Verdict = crate::number::Yes;
    type Left = Overspent;
}
