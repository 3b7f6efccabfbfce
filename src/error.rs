//! The crate's one error type.

use core::fmt;

/// What can go wrong at run time, with its remedy. It never holds private data.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system's random generator failed; nothing was released.
    Entropy,
}

/// The crate's result type.
pub type Result<T> = core::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Entropy => f.write_str(
                "the operating system gave no random bytes, so nothing was released \
                 (the cost stays charged); check that the process may read the system's generator",
            ),
        }
    }
}

impl std::error::Error for Error {}
