//! Why an experiment cannot be run.

use std::fmt;

/// Why an experiment cannot be run. The message names a remedy.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A setting makes no sense.
    Settings(&'static str),
    /// The mechanism under test asked for noise out of range, or reported that it failed.
    Noise,
    /// The mechanism under test failed.
    Mechanism(privet::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Settings(what) => f.write_str(what),
            Error::Noise => {
                f.write_str("the mechanism asked for noise out of range; check its scale")
            }
            Error::Mechanism(error) => write!(f, "the mechanism failed: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Mechanism(error) => Some(error),
            _ => None,
        }
    }
}

impl From<privet::Error> for Error {
    fn from(error: privet::Error) -> Self {
        Error::Mechanism(error)
    }
}
