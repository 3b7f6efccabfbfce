//! Vaults and meters on an account of a ledger.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::contents::Contents;
use super::meter::Chargeable;
use super::{Meter, Vault};
use crate::cost::{Budget, Cost, PaidFrom, Price, Purse};
use crate::data::load::{LoadReport, Source};
use crate::data::{Domain, Record, Relation, Table, TableData};
use crate::error::{Error, Result};
use crate::ledger::{Account, Fingerprint, LedgerError, Paid};
use crate::mechanism::{Locked, Mechanism};
use crate::process::Process;

/// What can be stored under a name: serde's `Serialize` and `Deserialize`, for values that own their
/// parts. Implemented for all such types.
#[diagnostic::on_unimplemented(
    message = "an answer of type `{Self}` cannot be stored under a name",
    label = "cannot be stored",
    note = "derive serde's `Serialize` and `Deserialize` for it, or turn it into what serde can write: `.map(|answer| ..)` is free, and an array of more than 32 becomes a list by `.map(|a| a.to_vec())`",
    note = "to release it without a name, use `release`"
)]
pub trait Storable: Serialize + DeserializeOwned + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + 'static> Storable for T {}

impl<R: Record, Rel: Relation, B: Budget> Vault<Table<R, Rel>, B> {
    /// Puts rows into a vault on an account: as [`open`](Vault::open), for a budget that outlives the
    /// process.
    ///
    /// Sets `B` aside from what the account has left. What is not spent goes back when the vault, and
    /// everything that was split off it, is [closed](Vault::close) or dropped, or when the program has
    /// died and another one opens a vault on the account. See [`ledger`](crate::ledger).
    ///
    /// # Errors
    ///
    /// [`LedgerError::Exceeds`] when the account has less than `B` left, and says how much.
    pub fn open_on(account: &Account, rows: impl IntoIterator<Item = R>) -> Result<Self> {
        let process = Process::current();
        let lease = account.lease(B::price())?;
        // PRIVACY: the budget was set aside from the account.
        let data = Locked::new(process, TableData::from_rows(rows));
        Ok(Vault::with(Contents::leased(data, lease)))
    }
}

impl<In: Domain, B: Budget> Vault<In, B> {
    /// Puts the rows of a file or another source into a vault on an account: as
    /// [`load`](Vault::load) and [`open_on`](Vault::open_on).
    ///
    /// # Errors
    ///
    /// As both. Nothing stays set aside then.
    pub fn load_on(account: &Account, source: impl Source<In>) -> Result<Self> {
        let (vault, _) = Self::load_on_with_report(account, source)?;
        Ok(vault)
    }

    /// As [`load_on`](Vault::load_on), with a report of the rows that were skipped.
    ///
    /// The report is private data, for the owner alone: see [`LoadReport`]. The ledger does not get it.
    ///
    /// # Errors
    ///
    /// As for [`load_on`](Vault::load_on).
    pub fn load_on_with_report(
        account: &Account,
        source: impl Source<In>,
    ) -> Result<(Self, LoadReport)> {
        let mut report = LoadReport::default();
        let process = Process::current();
        let lease = account.lease(B::price())?;
        // PRIVACY: the budget was set aside from the account. The report goes to the caller, who holds
        // the source and thus the rows themselves.
        let data = Locked::new(process, source.load(&mut report)?);
        Ok((Vault::with(Contents::leased(data, lease)), report))
    }
}

impl<In: Domain, B: Purse> Vault<In, B> {
    /// Runs a mechanism under a name, or returns what it answered under that name before.
    ///
    /// The first time, the price is charged to the account and made durable, the mechanism runs, and
    /// the answer is stored and made durable before it is returned. After that, in this program or any
    /// other, the same name returns the same answer, without a charge and without new noise. The types
    /// do not change: a program pays for every release that it contains.
    ///
    /// Choose the name with care: it stands for this answer for ever. A name belongs to the mechanism
    /// that was released under it, known by its query, noise, price, domain and answer type. Code
    /// in `map` and `then` cannot be told apart, so give changed code a new name. So do changed rows:
    /// a stored answer is that of the rows of its day. To read it alone, see
    /// [`stored_answer`](Account::stored_answer).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # use privet::ledger::Ledger;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// # let dir = std::env::temp_dir().join(format!("privet-release-as-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// # let ledger = Ledger::create(dir.join("l"))?;
    /// # let account = ledger.create_account("patients", "1".parse().unwrap())?;
    /// # let patients = vec![Patient { age: 71 }];
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open_on(&account, patients)?;
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 4>>();
    /// let (first, vault) = vault.release_as("2026-q3/patients", count.clone())?;
    /// let (second, vault) = vault.release_as("2026-q3/patients", count)?;
    /// assert_eq!(first, second);
    /// vault.close()?;
    /// assert_eq!(account.balance()?.spent.to_string(), "ε = 1/4");
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`release`](Vault::release); [`LedgerError::NameTaken`] when the name belongs to another
    /// mechanism; [`LedgerError::NoLedger`] for a vault that was not opened on an account, which is then gone;
    /// [`LedgerError::Unstorable`] when JSON cannot hold the answer (a NaN, say).
    pub fn release_as<Out, C, L: Purse>(
        self,
        name: &str,
        mechanism: Mechanism<In, Out, C>,
    ) -> Result<(Out, Vault<In, L>)>
    where
        Out: Storable,
        C: PaidFrom<B, Left = L>,
    {
        // PRIVACY: `C` is paid: `self` is consumed and only `C::Left` comes back.
        self.contents
            .note_checked(C::price(), name, mechanism.label(), L::left())?;
        let answer = release_as(&self.contents, name, C::price(), &mechanism)?;
        Ok((answer, Vault::with(self.contents)))
    }

    /// Gives what was not spent back to the account, as dropping the vault does, and says whether
    /// that worked.
    ///
    /// Where a vault was split or metered, the rest goes back with the last part. A vault that was not
    /// opened on an account has nothing to give back.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be written. The rest goes back when another program opens a vault on the
    /// account.
    pub fn close(self) -> Result<()> {
        self.contents.check()?;
        self.contents.close()
    }
}

impl<In: Domain, Cap: Cost> Meter<In, Cap> {
    /// Runs a mechanism under a name, or returns what it answered under that name before: see
    /// [`Vault::release_as`].
    ///
    /// The meter's cap is charged in either case, so that a program that is run again takes the same
    /// course; the account is charged once.
    ///
    /// # Errors
    ///
    /// As [`release`](Meter::release) and [`Vault::release_as`].
    pub fn release_as<Out, C>(&self, name: &str, mechanism: Mechanism<In, Out, C>) -> Result<Out>
    where
        Out: Storable,
        C: Chargeable<Cap::Notion>,
    {
        // Before the lock, which a fork may have left locked.
        self.contents.check()?;
        let price = C::amount(mechanism.quote()).ok_or(Error::Unpriced)?;
        mechanism.runnable().answerable(self.contents.data())?;
        self.charge(price, name, mechanism.label())?;
        release_as(&self.contents, name, price, &mechanism)
    }
}

impl Account {
    /// What a mechanism answered under a name, if that is stored: without data, a vault or a lease.
    ///
    /// A name belongs to its mechanism here as in [`Vault::release_as`], so give the same one. A price that is known
    /// at run time only has no stored answer here: release it again from a meter.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # use privet::ledger::Ledger;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// # let dir = std::env::temp_dir().join(format!("privet-stored-answer-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// # let ledger = Ledger::create(dir.join("l"))?;
    /// # let account = ledger.create_account("patients", "1/4".parse().unwrap())?;
    /// # let patients = vec![Patient { age: 71 }];
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 4>>();
    /// assert_eq!(account.stored_answer("2026-q3/patients", &count)?, None);
    /// let vault: Vault<Table<Patient>, Eps<1, 4>> = Vault::open_on(&account, patients)?;
    /// let (n, vault) = vault.release_as("2026-q3/patients", count.clone())?;
    /// vault.close()?;
    /// // The account has nothing left for another lease, and none is needed.
    /// assert_eq!(account.stored_answer("2026-q3/patients", &count)?, Some(n));
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`LedgerError::NameTaken`] when the name belongs to another mechanism; when the ledger cannot be read.
    pub fn stored_answer<In: Domain, Out: Storable, C: Cost>(
        &self,
        name: &str,
        mechanism: &Mechanism<In, Out, C>,
    ) -> Result<Option<Out>> {
        let stored = self.stored(name, fingerprint(C::price(), mechanism))?;
        stored.map(|text| read(name, &text)).transpose()
    }
}

/// What a name belongs to.
fn fingerprint<In: Domain, Out: 'static, C>(
    price: Price,
    mechanism: &Mechanism<In, Out, C>,
) -> Fingerprint {
    Fingerprint::of(&format!("{price}\n{}", mechanism.identity()))
}

/// Charge, make durable, run, store, make durable, return.
///
/// PRIVACY: the caller has taken `price` from its budget.
fn release_as<In: Domain, Out: Storable, C>(
    contents: &Contents<In::Data>,
    name: &str,
    price: Price,
    mechanism: &Mechanism<In, Out, C>,
) -> Result<Out> {
    contents.check()?;
    mechanism.runnable().answerable(contents.data())?;
    let lease = contents.lease().ok_or(LedgerError::NoLedger)?;
    let fingerprint = fingerprint(price, mechanism);
    let charge = match lease.charge_named(price, name, fingerprint)? {
        Paid::Before(stored) => return read(name, &stored),
        Paid::Now(charge) => charge,
    };
    // PRIVACY: the charge is durable before the data is touched.
    let answer = mechanism.runnable().run(contents.data())?;
    let unstorable = |error: serde_json::Error| unstorable(name, &error);
    let text = serde_json::to_string(&answer).map_err(unstorable)?;
    // What comes back is what was stored, here as in every later run; what cannot come back is not
    // stored.
    let answer = read(name, &text)?;
    match lease.answer(charge, name, fingerprint, &text)? {
        None => Ok(answer),
        // Somebody else was faster, and their answer is the one that counts.
        Some(stored) => read(name, &stored),
    }
}

fn read<Out: DeserializeOwned>(name: &str, text: &str) -> Result<Out> {
    Ok(serde_json::from_str(text).map_err(|error| unstorable(name, &error))?)
}

fn unstorable(name: &str, error: &serde_json::Error) -> LedgerError {
    LedgerError::Unstorable {
        name: name.to_owned(),
        why: error.to_string(),
    }
}
