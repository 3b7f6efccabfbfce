#![doc = include_str!("docs/ledger.md")]

mod book;
pub mod conformance;
mod error;
mod event;
mod file;
mod frame;
mod lease;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod verify;

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use book::{Balance, OpenLease};
pub use error::LedgerError;
pub use event::{Ending, Event, Fingerprint, Record, Release};
pub use frame::{Head, ParseHeadError};
pub use store::{Appended, Place, Store, StoreError, Visit};
pub use verify::{Step, Verdict, verify, verify_store};

use crate::cost::Price;
use crate::process::Process;

type Result<T, E = LedgerError> = core::result::Result<T, E>;
use file::FileStore;
pub(crate) use lease::{Lease, Paid};
use state::State;

/// A durable record of what was ever spent: accounts with caps, leases, charges and answers.
///
/// See the [module](self) for how it is used and what it promises. A `Ledger` is a handle: its
/// clones, and the accounts and vaults made from it, share one open store.
#[derive(Clone)]
pub struct Ledger {
    state: Arc<Mutex<State>>,
    process: Process,
    program: Arc<str>,
}

impl Ledger {
    /// Creates a ledger in a new file that only the current user can read: the owner's act.
    ///
    /// # Errors
    ///
    /// When there is a ledger at that path, or the file cannot be written and synced.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let store = FileStore::create(path.as_ref())?;
        Ledger::on(store)
    }

    /// Opens the ledger in a file, under a lock that excludes other processes until the last handle
    /// is dropped or the process ends, however it ends.
    ///
    /// # Errors
    ///
    /// When there is none, when another process has it open, or when anything in it does not follow
    /// from what is before it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ledger::at(path).open()
    }

    /// The ledger in a file, to be opened with options.
    ///
    /// ```no_run
    /// # use privet::ledger::Ledger;
    /// # use std::time::Duration;
    /// let ledger = Ledger::at("hospital.ledger")
    ///     .expecting("12-6d1a3f00c2b94ee1a2c4d0e37f5b8a96".parse().unwrap())
    ///     .waiting(Duration::from_secs(30))
    ///     .open()?;
    /// # Ok::<(), privet::ledger::LedgerError>(())
    /// ```
    pub fn at(path: impl AsRef<Path>) -> Opening {
        Opening {
            path: path.as_ref().to_owned(),
            expected: None,
            wait: Duration::ZERO,
        }
    }

    /// A ledger on an owner's own store. A store is trusted: see [`Store`].
    ///
    /// # Errors
    ///
    /// When the store fails, or anything in it does not follow from what is before it.
    pub fn on(store: impl Store + 'static) -> Result<Self> {
        Ledger::on_expecting(store, None)
    }

    /// As [`on`](Ledger::on), and refuses a store that does not contain the expected head.
    ///
    /// # Errors
    ///
    /// As [`on`](Ledger::on), and [`LedgerError::Older`].
    pub fn on_expecting(
        store: impl Store + 'static,
        expected: impl Into<Option<Head>>,
    ) -> Result<Self> {
        let state = State::open(Box::new(store), expected.into())?;
        Ok(Ledger {
            state: Arc::new(Mutex::new(state)),
            process: Process::current(),
            program: program().into(),
        })
    }

    /// The same ledger, whose leases are recorded under this program name rather than the name of
    /// the executable file.
    pub fn as_program(mut self, name: impl Into<String>) -> Self {
        self.program = name.into().into();
        self
    }

    /// Creates an account: the owner's act, which says what may ever be spent on a data set.
    ///
    /// The cap is never changed, and says in which notion the account counts.
    ///
    /// # Errors
    ///
    /// When there is an account of that name, or the ledger cannot be written.
    pub fn create_account(&self, name: impl Into<String>, cap: Price) -> Result<Account> {
        let name = name.into();
        self.lock()?.create_account(&name, cap)?;
        Ok(self.handle(name))
    }

    /// An account that its owner created.
    ///
    /// # Errors
    ///
    /// [`LedgerError::NoAccount`], with the names of the accounts that there are.
    pub fn account(&self, name: impl Into<String>) -> Result<Account> {
        let name = name.into();
        self.lock()?.find_account(&name)?;
        Ok(self.handle(name))
    }

    /// What all accounts hold, by name.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn balances(&self) -> Result<Vec<Balance>> {
        self.lock()?.balances()
    }

    /// How far the ledger has come: a short string to keep elsewhere. See [`Head`].
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn head(&self) -> Result<Head> {
        self.lock()?.head()
    }

    /// How many bytes of an unfinished record were cut off when the ledger was opened; 0 if none.
    ///
    /// A crash in the middle of a write leaves them. The ledger also keeps a record of each cut.
    pub fn torn(&self) -> u64 {
        self.lock().map_or(0, |state| state.torn())
    }

    /// Ends the open lease of an epoch: the owner's act, for a program that holds it and should not.
    ///
    /// What it charged stays charged; it cannot charge any more.
    ///
    /// # Errors
    ///
    /// [`LedgerError::Fenced`] when there is no such open lease.
    pub fn revoke(&self, epoch: u64) -> Result<()> {
        self.lock()?.end(epoch, Ending::Revoked)
    }

    fn handle(&self, name: String) -> Account {
        Account {
            ledger: self.clone(),
            name,
        }
    }

    /// PRIVACY: a child process shares the open file with its parent, and the lock on it.
    fn lock(&self) -> Result<MutexGuard<'_, State>> {
        if !self.process.is_current() {
            return Err(LedgerError::Forked);
        }
        // A panic leaves nothing half done: the state reads the store again after it.
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger").finish_non_exhaustive()
    }
}

/// How a ledger file is opened: see [`Ledger::at`].
#[derive(Clone, Debug)]
#[must_use = "a ledger is opened by `open`"]
pub struct Opening {
    path: PathBuf,
    expected: Option<Head>,
    wait: Duration,
}

impl Opening {
    /// Refuses a ledger that does not contain this head: an older copy, or another history.
    pub fn expecting(mut self, head: Head) -> Self {
        self.expected = Some(head);
        self
    }

    /// Waits this long for another process to close the ledger.
    pub fn waiting(mut self, at_most: Duration) -> Self {
        self.wait = at_most;
        self
    }

    /// Opens it.
    ///
    /// # Errors
    ///
    /// As [`Ledger::open`], and [`LedgerError::Older`].
    pub fn open(self) -> Result<Ledger> {
        let store = FileStore::open(&self.path, self.wait)?;
        Ledger::on_expecting(store, self.expected)
    }
}

/// A data set's account in a ledger. [`Vault::open_on`](crate::Vault::open_on) takes one.
#[derive(Clone, Debug)]
pub struct Account {
    ledger: Ledger,
    name: String,
}

impl Account {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it holds.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn balance(&self) -> Result<Balance> {
        self.ledger.lock()?.balance(&self.name)
    }

    /// The answer that is stored under a name, if any: released before, and so public.
    pub(crate) fn stored(&self, name: &str, fingerprint: Fingerprint) -> Result<Option<String>> {
        let mut state = self.ledger.lock()?;
        state.stored(&self.name, (name, fingerprint))
    }

    /// Sets a budget aside.
    ///
    /// PRIVACY: what the lease charges is at most `budget`, and all leases together stay within the
    /// cap.
    pub(crate) fn lease(&self, budget: Price) -> Result<Lease> {
        let epoch = self
            .ledger
            .lock()?
            .lease(&self.name, budget, &self.ledger.program)?;
        Ok(Lease::new(self.ledger.clone(), self.name.clone(), epoch))
    }
}

/// What the running program is called, for the log.
fn program() -> String {
    let exe = std::env::current_exe().ok();
    let stem = exe.as_deref().and_then(Path::file_stem);
    stem.map_or_else(|| "unknown".into(), |s| s.to_string_lossy().into_owned())
}
