//! The crate's one error type.

use core::fmt;

/// What can go wrong at run time, with its remedy. It never holds private data.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system's random generator failed; nothing was released.
    Entropy,
    /// A file could not be opened or read.
    Unreadable {
        /// The file.
        file: String,
    },
    /// A file's header does not name a field of the record exactly once.
    Header {
        /// The file.
        file: String,
        /// The field.
        column: &'static str,
    },
    /// A line of a file is not a row of the record. What it says is private, so not told.
    Malformed {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
    },
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
            Error::Unreadable { file } => {
                write!(
                    f,
                    "cannot read {file}; check that it exists and that the process may read it"
                )
            }
            Error::Header { file, column } => {
                write!(
                    f,
                    "the header of {file} must name column `{column}` exactly once"
                )
            }
            Error::Malformed { file, line } => write!(
                f,
                "{file}, line {line} is not a row of the record, so nothing was opened; \
                 correct it, or skip such rows with `.skip_malformed()`"
            ),
        }
    }
}

impl std::error::Error for Error {}
