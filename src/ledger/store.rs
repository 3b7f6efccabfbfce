//! Where the lines of a ledger are kept: what a store must promise.

use core::fmt;
use core::ops::ControlFlow;

/// Where a store keeps a line: an offset, a number, whatever the store finds it by.
pub type Place = u64;

/// Receives lines in order, each with its place, and says whether to go on.
pub type Visit<'a> = dyn FnMut(Place, &[u8]) -> ControlFlow<()> + 'a;

/// What became of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The line is durable, and kept at this place.
    At(Place),
    /// There is another line of this number already. Nothing was written.
    Taken,
}

/// A durable sequence of lines that is only ever appended to.
///
/// A store knows nothing of accounts, leases or prices. [`Ledger`](super::Ledger) decides which line
/// may come next, chains it to the one before, and checks both for every line that it reads. All
/// that is left to a store is to keep lines, in order, and to let one writer at a time add the next.
///
/// Test an implementation with [`conformance::check`](super::conformance::check).
///
/// # Safety
///
/// Implementing this is `unsafe` because the promise of the crate rests on it, not because of
/// memory. An implementation is trusted to keep these rules, whatever happens to the process, to the
/// machine or to the network in between:
///
/// 1. **Durable.** When [`append`](Store::append) returns [`Appended::At`], the line survives a crash
///    of the process and of the machine.
/// 2. **One line for each number.** Of several appends with one number, by whatever thread, process
///    or machine, at most one returns [`Appended::At`]. The others return [`Appended::Taken`] or an
///    error, and change nothing. A number is appended only when all lower ones are.
/// 3. **Whole lines.** [`read`](Store::read) and [`line`](Store::line) give back exactly the bytes
///    that were appended, in the order of their numbers, and leave none out. After an append that
///    returned an error, its line is there as a whole or not at all, and which of the two does not
///    change any more once a later `read` or `append` has returned without an error.
/// 4. **Never less.** A line that was read once is never changed or removed.
///
/// That `hold` and `is_held` tell the truth is convenient, not vital: a lease that is ended under a
/// program that is still alive cannot charge any more, and what it charged stays charged.
#[allow(unsafe_code)]
pub unsafe trait Store: Send {
    /// Visits all lines from number `from` on.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn read(&mut self, from: u64, visit: &mut Visit<'_>) -> Result<(), StoreError>;

    /// The line at a place that `read` or `append` named.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, or keeps no line there.
    fn line(&mut self, place: Place) -> Result<Vec<u8>, StoreError>;

    /// Makes `line` the line of number `number` if there are exactly that many lines so far, and
    /// returns when it is durable. A line ends with the only `\n` in it.
    ///
    /// # Errors
    ///
    /// When it cannot be written. Whether it was is unknown then: the ledger reads again before it
    /// does anything else.
    fn append(&mut self, number: u64, line: &[u8]) -> Result<Appended, StoreError>;

    /// Shows other users of the store that the lease of this epoch is in use, until
    /// [`let_go`](Store::let_go) or until this process ends, however it ends.
    ///
    /// False if another user holds it at the moment: both were about to append its record, and the
    /// one that does not succeed lets go.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    fn hold(&mut self, lease: u64) -> Result<bool, StoreError>;

    /// Whether another user of the store holds the lease of this epoch.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    fn is_held(&mut self, lease: u64) -> Result<bool, StoreError>;

    /// Undoes [`hold`](Store::hold). What cannot be undone now is undone when the process ends.
    fn let_go(&mut self, lease: u64);

    /// How many bytes of an unfinished line were cut off when the store was opened; 0 if none.
    fn torn(&self) -> u64 {
        0
    }
}

// PRIVACY: passes everything on.
#[allow(unsafe_code)]
unsafe impl<S: Store + ?Sized> Store for Box<S> {
    fn read(&mut self, from: u64, visit: &mut Visit<'_>) -> Result<(), StoreError> {
        (**self).read(from, visit)
    }
    fn line(&mut self, place: Place) -> Result<Vec<u8>, StoreError> {
        (**self).line(place)
    }
    fn append(&mut self, number: u64, line: &[u8]) -> Result<Appended, StoreError> {
        (**self).append(number, line)
    }
    fn hold(&mut self, lease: u64) -> Result<bool, StoreError> {
        (**self).hold(lease)
    }
    fn is_held(&mut self, lease: u64) -> Result<bool, StoreError> {
        (**self).is_held(lease)
    }
    fn let_go(&mut self, lease: u64) {
        (**self).let_go(lease);
    }
    fn torn(&self) -> u64 {
        (**self).torn()
    }
}

/// Why a store failed.
#[non_exhaustive]
pub enum StoreError {
    /// Another process has the ledger open.
    Busy,
    /// There is no ledger.
    Missing,
    /// There is a ledger already.
    Exists,
    /// What is there is not a ledger.
    Foreign,
    /// An earlier operation failed, and the store was not opened again since.
    Stopped,
    /// The system or a server reported an error.
    Failed {
        /// What was attempted.
        what: &'static str,
        /// What was reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    /// An error that the system or a server reported.
    pub fn failed(
        what: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        StoreError::Failed {
            what,
            source: source.into(),
        }
    }
}

/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Busy => f.write_str(
                "another process has the ledger open; wait for it to end, or open with `waiting`",
            ),
            StoreError::Missing => f.write_str(
                "there is no ledger; its owner creates one with `cargo privet ledger create`",
            ),
            StoreError::Exists => {
                f.write_str("there is a ledger already; open it, or choose another place")
            }
            StoreError::Foreign => f.write_str(
                "what is there is not a ledger of this version; check the path, and whether its \
                 creation was interrupted (then create it again)",
            ),
            StoreError::Stopped => f.write_str(
                "the ledger stopped after an earlier error; open it again when the cause is gone",
            ),
            StoreError::Failed { what, source } => {
                // A client library may say the cause in the error below only: "db error".
                let mut text = source.to_string();
                let mut below = source.source();
                while let Some(cause) = below {
                    let said = cause.to_string();
                    if !text.contains(&said) {
                        text = format!("{text}: {said}");
                    }
                    below = cause.source();
                }
                write!(f, "cannot {what}: {text}")
            }
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StoreError::Failed { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}
