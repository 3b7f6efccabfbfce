//! The data and the budget, spent together.
//!
//! [`Vault`] is for budgets that the compiler counts down, [`Meter`] for queries whose number or price
//! is known only at run time, [`Simulation`] for public data. [`Chargeable`] is the bound of code that
//! is generic over what a meter takes.

mod budget;
mod contents;
#[cfg(feature = "ledger")]
mod ledgered;
mod meter;
mod receipts;
mod simulation;

use core::fmt;
use core::marker::PhantomData;

#[cfg(feature = "ledger")]
pub use ledgered::Storable;
pub use meter::{Chargeable, Meter};
pub use receipts::{Receipt, Receipts};
pub use simulation::Simulation;

use crate::cost::{Approximate, AtMost, Budget, Cost, PaidFrom, Price, Purse, Zcdp};
use crate::data::load::{LoadReport, Source};
use crate::data::{
    Domain, Held, NamesData, Person, PersonData, Record, Relation, Table, TableData,
};
use crate::error::Result;
use crate::mechanism::{Locked, Mechanism};
use crate::process::Process;
use contents::Contents;

/// Private data and the budget `B` that is left for it.
///
/// The budget exists only in the type: spending is free at run time, and a program that would
/// overspend does not compile. A vault cannot be cloned, copied, defaulted or taken apart. A fork copies it
/// with everything else, so only the process that opened a vault can release from it.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// fn patients() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
///     rows::<Patient>().count().laplace()
/// }
///
/// # fn main() -> privet::Result<()> {
/// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![Patient { age: 71 }]);
/// let (_, vault) = vault.release(patients())?; // Vault<_, Eps<1, 4>>
/// let (_, vault) = vault.release(patients())?; // Vault<_, Eps<0, 4>>
/// assert_eq!(vault.remaining().to_string(), "ε = 0");
/// # Ok(()) }
/// ```
///
/// A third release does not compile:
///
/// ```compile_fail,E0277
/// # use privet::prelude::*;
/// # #[derive(Record)] struct Patient { age: i64 }
/// # fn patients() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
/// #     rows::<Patient>().count().laplace()
/// # }
/// # fn main() -> privet::Result<()> {
/// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![Patient { age: 71 }]);
/// let (_, vault) = vault.release(patients())?;
/// let (_, vault) = vault.release(patients())?;
/// let (_, vault) = vault.release(patients())?;
/// # Ok(()) }
/// ```
#[must_use = "a vault that is dropped takes the rest of its budget with it"]
pub struct Vault<In: NamesData, B> {
    /// Boxed, so that a vault is one word whatever its parts share.
    contents: Box<Contents<In::Data>>,
    budget: PhantomData<fn() -> B>,
}

impl<In: Domain, B: Purse> Vault<In, B> {
    /// PRIVACY: mints a budget. Called where data enters a vault.
    fn new(process: Process, data: In::Data) -> Self {
        Vault::with(Contents::new(Locked::new(process, data)))
    }

    /// PRIVACY: mints a budget. Called where a vault is consumed that holds no less.
    fn with(contents: impl Into<Box<Contents<In::Data>>>) -> Self {
        const {
            assert!(
                In::IN_A_VAULT,
                "a vault cannot hold a sample: open it with a `Table<R>`, and draw the sample in a \
                 mechanism with `rows::<R>().sampled::<1, 100>().once(|sample| ..)`"
            );
        }
        Vault {
            contents: contents.into(),
            budget: PhantomData,
        }
    }

    /// The same vault, with noise that is drawn in constant time.
    ///
    /// Use it if your analysts can time a release closely enough to learn something about its noise: on
    /// a machine that they share, or over a fast network. Laplace and Gaussian noise
    /// take ten to a hundred times as long in bulk, and a microsecond or so for a count. Other
    /// mechanisms have no such sampler, and are refused; so is noise of a scale or deviation of 2^56
    /// or more. This cannot be undone.
    ///
    /// Only drawing the noise takes constant time. The time of a pass over the rows depends on how
    /// many there are, and code that runs on released answers takes as long as it takes.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let patients = vec![Patient { age: 71 }];
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients).in_constant_time();
    /// let (n, vault) = vault.release(rows::<Patient>().count().laplace::<Eps<1, 4>>())?;
    /// # let _ = (n, vault); Ok(()) }
    /// ```
    pub fn in_constant_time(self) -> Self {
        // PRIVACY: the budget is the one of the vault consumed.
        Vault::with(self.contents.in_constant_time())
    }

    /// The same vault, which notes every charge in a log, as do its parts and its meters: see
    /// [`Receipts`].
    pub fn with_receipts(self, receipts: &Receipts) -> Self {
        // PRIVACY: the budget is the one of the vault consumed.
        Vault::with(self.contents.with_receipts(receipts))
    }

    /// Runs a mechanism on the data and pays for it.
    ///
    /// Consumes the vault and returns the answer with a vault that holds what is left. Every
    /// attempt is charged: on an error or a panic the vault is gone, and nothing is refunded.
    ///
    /// # Errors
    ///
    /// Nothing is released when
    ///
    /// - the operating system's random generator fails,
    /// - the vault was opened [in constant time](Vault::in_constant_time), and the mechanism has no sampler
    ///   for that,
    /// - this process is a forked child of the one that opened the vault,
    /// - the ledger cannot be written,
    /// - an engine has the rows, and does not answer, or
    /// - the mechanism itself cannot go on: it chooses among nothing, or its noise is too large to draw.
    pub fn release<Out: 'static, C, L: Purse>(
        self,
        mechanism: Mechanism<In, Out, C>,
    ) -> Result<(Out, Vault<In, L>)>
    where
        C: PaidFrom<B, Left = L>,
    {
        // PRIVACY: `C` is paid: `self` is consumed and only `C::Left` comes back.
        // Proved: Vault.vault_sound
        let released = self
            .contents
            .release(mechanism.runnable(), C::price(), L::left());
        released.map(|answer| (answer, Vault::with(self.contents)))
    }

    /// Two vaults over the same data, with budgets that add up to this one's: `P` and what it
    /// leaves. They can be used from two threads. Vaults are never joined again.
    pub fn split<P>(self) -> (Vault<In, P>, Vault<In, P::Left>)
    where
        P: PaidFrom<B>,
    {
        // PRIVACY: `P` and `P::Left` together are at most `B`.
        // Proved: Vault.vault_sound, Cost.left_sound
        (
            Vault::with(self.contents.share()),
            Vault::with(self.contents),
        )
    }

    /// The same vault, of whose budget `P` is left: the rest is given up for good.
    ///
    /// What is left after some releases is a type of its own: 1 − 1/4 − 1/4 is `Eps<2, 4>`, where a signature says
    /// `Eps<1, 2>`. End a function that returns its vault with `.at_least()`, as one that returns a mechanism ends
    /// with [`at_most`](Mechanism::at_most): the compiler checks that at least that much is left.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// type Patients<B> = Vault<Table<Patient>, B>;
    ///
    /// fn report(vault: Patients<Eps<1, 1>>) -> privet::Result<([i64; 2], Patients<Eps<1, 2>>)> {
    ///     let count = rows::<Patient>().count().laplace::<Eps<1, 4>>();
    ///     let (first, vault) = vault.release(count.clone())?;
    ///     let (second, vault) = vault.release(count)?; // Patients<Eps<2, 4>>
    ///     Ok(([first, second], vault.at_least()))
    /// }
    /// # let _ = report;
    /// ```
    ///
    /// What is given up is not charged. An account of a ledger gets it back when the vault is closed, as it gets
    /// everything that was not spent.
    pub fn at_least<P>(self) -> Vault<In, P>
    where
        P: PaidFrom<B>,
    {
        // PRIVACY: `P` is at most `B`, which `self` held, and `self` is consumed.
        // Proved: Vault.vault_sound, Cost.left_sound
        Vault::with(self.contents)
    }

    /// Sets `Cap` aside for queries whose number or price is known only at run time.
    pub fn metered<Cap>(self) -> (Meter<In, Cap>, Vault<In, Cap::Left>)
    where
        Cap: PaidFrom<B>,
    {
        // PRIVACY: `Cap` and `Cap::Left` together are at most `B`; the meter spends at most `Cap`.
        // Proved: Vault.vault_sound, Cost.left_sound
        (
            Meter::new(self.contents.share()),
            Vault::with(self.contents),
        )
    }
}

impl<R: Record, Rel: Relation, B: Budget> Vault<Table<R, Rel>, B> {
    /// Puts rows into a vault. The data owner does this, and so declares what may ever be spent on them.
    ///
    /// Records are split into columns at once; no value of a user's type is kept.
    pub fn open(rows: impl IntoIterator<Item = R>) -> Self {
        // PRIVACY: mints a budget for data that was not in a vault before.
        let process = Process::current();
        Vault::new(process, TableData::from_rows(rows))
    }
}

impl<T: Held, B: Budget> Vault<Person<T>, B> {
    /// Puts one person's value into a vault, on that person's device. The person does this, and so
    /// declares what may ever be spent on it. As with any vault, a forked child of the process reports
    /// nothing: it has a copy of the value, but not the right to spend the person's budget.
    pub fn of_person(value: T) -> Self {
        // PRIVACY: mints a budget for data that was not in a vault before.
        Vault::new(Process::current(), PersonData::new(value))
    }
}

impl<In: Domain, B: Budget> Vault<In, B> {
    /// Puts the rows of a file or another source into a vault: see [`load`](crate::load).
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or holds a malformed row. Nothing is opened then.
    pub fn load(source: impl Source<In>) -> Result<Self> {
        // PRIVACY: mints a budget for data that was not in a vault before.
        let process = Process::current();
        Ok(Vault::new(
            process,
            source.load(&mut LoadReport::default())?,
        ))
    }

    /// Like [`load`](Vault::load), with a report of the rows that were skipped.
    ///
    /// The report is private data, for the owner alone: see [`LoadReport`].
    ///
    /// # Errors
    ///
    /// The same as for [`load`](Vault::load).
    pub fn load_with_report(source: impl Source<In>) -> Result<(Self, LoadReport)> {
        let mut report = LoadReport::default();
        let process = Process::current();
        // PRIVACY: mints a budget for data that was not in a vault before. The report goes to the
        // caller, who holds the source and thus the rows themselves.
        let vault = Vault::new(process, source.load(&mut report)?);
        Ok((vault, report))
    }
}

impl<In: Domain, B: Cost> Vault<In, B> {
    /// What is left, as a value. The type already says so.
    pub fn remaining(&self) -> Price {
        B::price()
    }
}

impl<In: Domain, B: Cost<Notion = Approximate>> Vault<In, B> {
    /// The same vault with its (ε, δ) budget turned into ρ, once, for all releases that follow.
    ///
    /// Prices of Gaussian noise add up in ρ, and the total is worth far more than releases that are each stated as
    /// (ε, δ): at δ = 10⁻⁶ a hundred counts with σ = 20 need ε = 2.42 in all, and ε = 25.5 one by one
    /// ([what a budget buys](crate::guide::what_a_budget_buys)). To convert a
    /// part of the budget, [`split`](Vault::split) it off first. A vault that was opened on a ledger in (ε, δ) refuses to
    /// release in ρ.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Approx<Eps<243, 100>, Delta<1, 6>>> =
    ///     Vault::open(vec![Patient { age: 71 }]);
    /// let vault = vault.concentrated::<Rho<1, 8>>();
    /// let count = rows::<Patient>().count().gaussian::<Rho<1, 800>>(); // σ = 20
    /// let (counts, vault) = vault.release(count.repeat::<100>())?;
    /// # let _ = counts;
    /// assert_eq!(vault.remaining().to_string(), "ρ = 0");
    /// # Ok(()) }
    /// ```
    pub fn concentrated<R>(self) -> Vault<In, R>
    where
        R: Cost<Notion = Zcdp> + AtMost<B>,
    {
        // PRIVACY: whatever costs `R` in all is private at `B` (guide::theory, T16), and `self`, which held `B`, is consumed.
        // Releases from a part that was split off may come in between: proofs/conversions.md.
        // Proved: Cost.passes_sound, Orders.covers_sound (what comes in between is on paper)
        Vault::with(self.contents)
    }
}

/// Shows the budget, never the data.
impl<In: Domain, B: Cost> fmt::Debug for Vault<In, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vault({} left)", B::price())
    }
}
