//! The crate's one error type.

mod engine;
mod fault;

use core::fmt;

pub use engine::{EngineError, Misfit};
pub use fault::Fault;

use crate::cost::Price;
#[cfg(feature = "ledger")]
use crate::ledger::LedgerError;
use crate::noise::NoiseError;

/// What can go wrong at run time. The message names a remedy and never contains private data.
///
/// `Debug` prints the same sentence as `Display`, since a `main` that returns an error prints it so.
#[non_exhaustive]
pub enum Error {
    /// The operating system's random generator failed; nothing was released.
    Entropy,
    /// A noise scale is outside the range that can be drawn exactly. The range is smaller in a vault
    /// opened [in constant time](crate::Vault::in_constant_time), and ends at 2^56 where the answer is
    /// an `i64`, which larger noise would overflow. Nothing was released.
    Scale,
    /// More mechanisms were given than [`at_most_of`](crate::Mechanism::at_most_of) has in its type. Nothing was
    /// released.
    TooMany {
        /// How many were given.
        parts: usize,
        /// How many there may be.
        most: usize,
    },
    /// A choice was asked for among no queries, or among no keys. How many there are is public, so this
    /// error reveals nothing. Nothing was released.
    NothingToChoose,
    /// A vault that was opened [in constant time](crate::Vault::in_constant_time) was given a mechanism
    /// whose running time depends on its noise. Nothing was released.
    VariableTime,
    /// This process is a forked child of the one that opened the vault. A fork copies the data and
    /// the budget, but only the parent may spend it. Nothing was released, and no data was read.
    Forked,
    /// A meter refused a mechanism whose price exceeds what is left of the cap. Nothing ran.
    OverCap {
        /// What the mechanism would have cost.
        price: Box<Price>,
        /// What is left of the meter's cap.
        left: Box<Price>,
    },
    /// A meter was given a mechanism without a price: its parts' prices have no sum. Nothing ran.
    Unpriced,
    /// No noise can be made for a price that was named at run time. Nothing ran.
    Quote {
        /// The price asked for.
        price: Box<Price>,
    },
    /// The bounds of a [`sum_between`](crate::query::Rows::sum_between) are not finite, in the wrong order, or too small or
    /// too large. Nothing ran.
    Bounds {
        /// The lower one.
        low: f64,
        /// The higher one.
        high: f64,
    },
    /// A mechanism that was chosen from an answer costs more than the price that
    /// [`then_up_to`](crate::ByQuote::then_up_to) was given for it. It was not run.
    Dearer {
        /// What it would have cost.
        price: Box<Price>,
        /// What it may cost.
        most: Box<Price>,
    },
    /// A price from configuration is not one of the budgets that the program was compiled for.
    NoSuchBudget {
        /// The price asked for.
        asked: Box<Price>,
        /// The budgets on offer.
        offered: Vec<Price>,
    },
    /// A public table has a key twice, or more keys than 2^16.
    PublicTable {
        /// The place of the entry that cannot be taken, counted from 0.
        entry: usize,
    },
    /// A ledger refused: see [`LedgerError`](crate::ledger::LedgerError).
    #[cfg(feature = "ledger")]
    Ledger(Box<LedgerError>),
    /// A file could not be opened or read. Nothing was opened.
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's reason.
        reason: String,
    },
    /// A file's header does not name a field of the record exactly once.
    Header {
        /// The file.
        file: String,
        /// The field.
        column: &'static str,
        /// What the header should call it.
        name: String,
    },
    /// A file cannot be read in the way that its owner set. Nothing was opened.
    Setting {
        /// The file.
        file: String,
        /// What is wrong with the setting.
        reason: String,
    },
    /// A line of a file is not a row of the record, or its first line is not a header. Nothing was
    /// opened. What is on the line is private, so the error does not say it.
    Malformed {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        fault: Fault,
    },
    /// An engine that holds the rows did not answer, or its data does not fit the record.
    Engine(Box<EngineError>),
}

/// The crate's result type.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Entropy => f.write_str(
                "the operating system gave no random bytes, so nothing was released \
                 (the cost stays charged); check that the process may read the system's generator",
            ),
            Error::Scale => f.write_str(
                "the noise for this price and sensitivity is too large to draw exactly, or for a 64-bit \
                 answer, so nothing was released; raise the price, or clamp to smaller bounds or a coarser grid",
            ),
            Error::TooMany { parts, most } => write!(
                f,
                "{parts} mechanisms were given where the price is for {most} at most, so nothing was \
                 released; give fewer, or raise the number in `at_most_of::<{most}>`"
            ),
            Error::NothingToChoose => f.write_str(
                "there is nothing to choose from, so nothing was released (the cost stays charged); \
                 give at least one query or key",
            ),
            Error::VariableTime => f.write_str(
                "this vault draws noise in constant time, which this mechanism cannot, so nothing was \
                 released (the cost stays charged); use Laplace or Gaussian noise, or open the vault \
                 without `in_constant_time`",
            ),
            Error::Forked => f.write_str(
                "this process is a forked child of the one that opened the vault, whose budget it \
                 cannot spend, so nothing was released (the parent's budget is untouched); release in \
                 the parent, and send the answers to its children",
            ),
            Error::OverCap { price, left } => write!(
                f,
                "the meter has {left} left and this query costs {price}, so it was not run; \
                 lower its price, or set a larger cap aside with `metered`"
            ),
            Error::Unpriced => f.write_str(
                "the prices of this mechanism's parts have no sum at run time (ρ beside δ, no parts, or more \
                 than 128 bits), so it was not run; name prices of one notion",
            ),
            Error::Quote { price } => write!(
                f,
                "no noise can be made for a price of {price}; name a pure ε above 0 (for Gaussian noise a ρ), \
                 as a fraction of numbers below 2^32"
            ),
            Error::Bounds { low, high } => write!(
                f,
                "{low} and {high} are not bounds of a sum, so it was not run; name two finite numbers, the \
                 smaller one first, the larger in absolute value between 1e-100 and 1e100"
            ),
            Error::Dearer { price, most } => write!(
                f,
                "the mechanism that was chosen costs {price}, where {most} was stated, so it was not run \
                 (the cost stays charged); choose a cheaper one, or state a higher price in `then_up_to`"
            ),
            Error::NoSuchBudget { asked, offered } => {
                write!(f, "no budget of {asked} was compiled in; choose one of")?;
                let mut comma = " ";
                for price in offered {
                    write!(f, "{comma}({price})")?;
                    comma = ", ";
                }
                Ok(())
            }
            Error::PublicTable { entry } => write!(
                f,
                "entry {entry} of the public table has a key that an earlier entry has, or is one too many; \
                 a table for `look_up` has each key once, and at most 65,536 of them"
            ),
            #[cfg(feature = "ledger")]
            Error::Ledger(error) => error.fmt(f),
            Error::Unreadable { file, reason } => {
                write!(
                    f,
                    "cannot read {file}: {reason}; nothing was opened; check that it exists and that \
                     the process may read it"
                )
            }
            Error::Header { file, column, name } => {
                write!(
                    f,
                    "the header of {file} must name column `{name}` exactly once; if the file calls it \
                     otherwise, say so with `.column({column:?}, ..)`, and if its cells are not \
                     separated by commas, with `.delimiter(..)`"
                )
            }
            Error::Setting { file, reason } => {
                write!(f, "cannot read {file} as set: {reason}; nothing was opened")
            }
            Error::Malformed {
                file,
                line: 1,
                fault,
            } => write!(
                f,
                "{file}, line 1 is not a header: {fault}; nothing was opened; {}",
                fault.remedy()
            ),
            Error::Malformed { file, line, fault } => write!(
                f,
                "{file}, line {line} is not a row of the record: {fault}; nothing was opened; {} \
                 (`.skip_malformed()` loses every such row)",
                fault.remedy()
            ),
            Error::Engine(error) => error.fmt(f),
        }
    }
}

/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    #[cfg(feature = "ledger")]
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Ledger(error) => error.source(),
            _ => None,
        }
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        Error::Engine(Box::new(error))
    }
}

impl From<NoiseError> for Error {
    fn from(error: NoiseError) -> Self {
        match error {
            NoiseError::Entropy => Error::Entropy,
            NoiseError::Range => Error::Scale,
        }
    }
}

#[cfg(feature = "ledger")]
impl From<LedgerError> for Error {
    fn from(error: LedgerError) -> Self {
        Error::Ledger(Box::new(error))
    }
}
