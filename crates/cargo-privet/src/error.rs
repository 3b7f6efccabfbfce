//! What keeps the tool from answering, and what to do about it.

use core::fmt;
use std::path::{Path, PathBuf};

/// An error with its remedy. The exit status is 2.
#[derive(Debug)]
pub enum Error {
    /// `cargo metadata` failed.
    Metadata(String),
    /// No package of the workspace depends on privet.
    NoPrivet { root: PathBuf },
    /// The project uses another version of privet than this tool reads.
    OtherVersion { found: String },
    /// `-p` names no member of the workspace.
    NoPackage { asked: String, names: Vec<String> },
    /// The sources changed while they were built.
    ChangedMeanwhile,
    /// The revision that prices are compared with gave no answer.
    Base { revision: String, error: Box<Error> },
    /// The compiler found errors, and has printed them.
    DoesNotBuild,
    /// A built test program did not run.
    DoesNotRun { program: PathBuf, output: String },
    /// The attribute and the tool speak different versions.
    Unreadable { line: String },
    /// Nothing to audit.
    NothingAudited { root: PathBuf, asked: Vec<String> },
    /// A file could not be read or written.
    File {
        path: PathBuf,
        error: std::io::Error,
    },
    /// `privet.toml` could not be understood.
    Policy { path: PathBuf, message: String },
    /// Git did not do what it was asked.
    Git(String),
    /// `explain` has no such page.
    NoPage { asked: String, pages: Vec<String> },
    /// An argument of `ledger` is not a cap or a head.
    Argument(String),
    /// A ledger could not be read or written.
    Ledger {
        path: PathBuf,
        error: Box<privet::ledger::LedgerError>,
    },
    /// `new` would overwrite something, or was given a bad name.
    Starter(String),
}

/// The tool's result.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    /// For `map_err` beside a file.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        move |error| Error::File {
            path: path.to_path_buf(),
            error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Metadata(message) => write!(f, "cannot read this project: {message}"),
            Error::NoPrivet { root } => write!(
                f,
                "no package of {} depends on privet, so there is nothing to audit; add it with \
                 `cargo add privet`",
                root.display()
            ),
            Error::OtherVersion { found } => {
                let ours = env!("CARGO_PKG_VERSION");
                write!(
                    f,
                    "this project uses privet {found}, and this is cargo-privet {ours}; install the \
                     one that fits: `cargo install cargo-privet --version {found}`"
                )
            }
            Error::NoPackage { asked, names } => write!(
                f,
                "this workspace has no package `{asked}`; it has `{}`",
                names.join("`, `")
            ),
            Error::ChangedMeanwhile => f.write_str(
                "the sources changed while they were audited, so that prices and sources may not be \
                 of one version; run it again",
            ),
            Error::Base { revision, error } => {
                write!(f, "the base, `{revision}`, cannot be audited: {error}")
            }
            Error::Argument(message) => f.write_str(message),
            Error::DoesNotBuild => f.write_str(
                "the project does not build, so its prices are not known; the compiler's errors are \
                 above, and `cargo privet explain` has a page on those of privet",
            ),
            Error::DoesNotRun { program, output } => write!(
                f,
                "the audit program {} did not run:\n{output}",
                program.display()
            ),
            Error::Unreadable { line } => write!(
                f,
                "an audit line could not be read; privet and cargo-privet are of different \
                 versions: {line}"
            ),
            Error::NothingAudited { root, asked } => {
                f.write_str("no function of ")?;
                match &asked[..] {
                    [] => write!(f, "{}", root.display())?,
                    names => write!(f, "`{}`", names.join("`, `"))?,
                }
                f.write_str(
                    " is audited; put `#[privet::audited]` on the functions that return a \
                     `Mechanism` or spend a `Vault`",
                )
            }
            Error::File { path, error } => write!(f, "{}: {error}", path.display()),
            Error::Policy { path, message } => write!(f, "{}: {message}", path.display()),
            Error::Git(message) => write!(f, "git: {message}"),
            Error::NoPage { asked, pages } => {
                write!(f, "no page on `{asked}`; there are:")?;
                pages.iter().try_for_each(|page| write!(f, "\n  {page}"))
            }
            Error::Ledger { path, error } => write!(f, "{}: {error}", path.display()),
            Error::Starter(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
