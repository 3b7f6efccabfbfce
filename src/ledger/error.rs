//! Why a ledger refused.

use core::fmt;

use super::book::{LARGEST_CAP, LONGEST_NAME};
use super::{Head, StoreError};
use crate::cost::Price;

/// Why a ledger refused, and what to do. Nothing was released, and nothing is ever refunded.
#[non_exhaustive]
pub enum LedgerError {
    /// The file or the server failed.
    Store(StoreError),
    /// A record does not follow from those before it: the ledger was edited, or lost a part.
    Damaged {
        /// The record, counted from 0.
        record: u64,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The ledger does not contain the expected head.
    Older {
        /// The head that was expected.
        expected: Head,
        /// The head that was found: fewer records, or others.
        found: Head,
    },
    /// There is no account of that name.
    NoAccount {
        /// The name.
        name: String,
        /// The accounts that there are.
        known: Vec<String>,
    },
    /// There is an account of that name.
    AccountExists {
        /// The name.
        name: String,
    },
    /// A name is empty or too long.
    Name,
    /// A cap is too large to mean anything.
    Cap,
    /// A budget or a price is of a notion that the account does not pay.
    Notion {
        /// The budget or price.
        asked: Box<Price>,
    },
    /// The account has less left than the program's budget.
    Exceeds {
        /// What was asked for.
        asked: Box<Price>,
        /// What is left.
        left: Box<Price>,
        /// What other open vaults have set aside and not spent, if anything: it goes back when they close.
        leased: Option<Box<Price>>,
    },
    /// The lease ended: another program took over, or the owner revoked it.
    Fenced,
    /// The name belongs to another mechanism's answer.
    NameTaken {
        /// The name.
        name: String,
    },
    /// The answer cannot be written as JSON and read back.
    Unstorable {
        /// The name.
        name: String,
        /// What the writer or reader reported.
        why: String,
    },
    /// The vault was not opened on an account, so it has no ledger to store an answer in.
    NoLedger,
    /// A child process used the ledger of its parent.
    Forked,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Store(error) => error.fmt(f),
            LedgerError::Damaged { record, why } => write!(
                f,
                "record {record} of the ledger is damaged ({why}), so nothing was opened; \
                 restore a copy that contains the head you kept"
            ),
            LedgerError::Older { expected, found } => write!(
                f,
                "the ledger (head {found}) does not contain the expected head {expected}: it is an \
                 older copy or another history; restore the newer one"
            ),
            LedgerError::NoAccount { name, known } => {
                write!(f, "the ledger has no account `{name}`")?;
                if !known.is_empty() {
                    write!(f, ", only `{}`", known.join("`, `"))?;
                }
                f.write_str("; its owner creates one with `cargo privet ledger create`")
            }
            LedgerError::AccountExists { name } => write!(
                f,
                "the ledger has an account `{name}` already, and a cap is never changed; \
                 choose another name for other data"
            ),
            LedgerError::Name => write!(
                f,
                "the name of an account or a release has 1 to {LONGEST_NAME} bytes"
            ),
            LedgerError::Cap => write!(f, "a cap is at most {LARGEST_CAP}; choose a smaller one"),
            LedgerError::Notion { asked } => write!(
                f,
                "{asked} cannot be paid from this account: a pure account pays ε, a zCDP account \
                 ε and ρ, an approximate account ε and (ε, δ); use a budget in the account's notion"
            ),
            LedgerError::Exceeds {
                asked,
                left,
                leased,
            } => {
                write!(
                    f,
                    "the account has {left} left and this asks for {asked}; open the vault with a smaller \
                     budget"
                )?;
                match leased {
                    Some(leased) => write!(
                        f,
                        ", or wait until other vaults close, which have set {leased} aside and not spent it"
                    ),
                    None => Ok(()),
                }
            }
            LedgerError::Fenced => f.write_str(
                "this vault's lease has ended, because the owner revoked it or another program found \
                 its holder gone; open the vault again",
            ),
            LedgerError::NameTaken { name } => write!(
                f,
                "the name `{name}` belongs to the answer of another mechanism, so nothing was charged; \
                 choose another name, or release the same mechanism as before"
            ),
            LedgerError::Unstorable { name, why } => write!(
                f,
                "the answer for `{name}` cannot be stored ({why}), so it was not returned (the cost \
                 stays charged); return what JSON can hold (not NaN), or use `release`"
            ),
            LedgerError::NoLedger => f.write_str(
                "this vault has no ledger to store an answer in; open it with `Vault::open_on`, or \
                 use `release`",
            ),
            LedgerError::Forked => f.write_str(
                "a child process used a ledger that its parent opened; open it in the child",
            ),
        }
    }
}

/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LedgerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LedgerError::Store(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> Self {
        LedgerError::Store(error)
    }
}
