//! The data and the budget, spent together.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use crate::cost::{Budget, Cost, PaidFrom, Price, Purse};
use crate::load::Source;
use crate::{Domain, Mechanism, Meter, Record, Relation, Result, Table, TableData};

/// Private data and the budget `B` that is left for it.
///
/// The budget exists in the type only: spending is free at run time, and what would overspend does
/// not compile. A vault cannot be cloned, copied, defaulted or taken apart.
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
pub struct Vault<In: Domain, B> {
    data: Arc<In::Data>,
    budget: PhantomData<fn() -> B>,
}

impl<In: Domain, B: Purse> Vault<In, B> {
    /// PRIVACY: mints a budget. Called where data enters a vault, and by `release`, `split` and
    /// `metered`, which mint no more than they consume.
    pub(crate) fn new(data: Arc<In::Data>) -> Self {
        Vault {
            data,
            budget: PhantomData,
        }
    }

    /// Runs a mechanism on the data and pays for it.
    ///
    /// Consumes the vault and returns the answer with a vault that holds what is left. Whatever is
    /// attempted is charged: on an error or a panic the vault is gone, and nothing is refunded.
    ///
    /// # Errors
    ///
    /// When the operating system's random generator fails; nothing is released then.
    pub fn release<Out: 'static, C, L: Purse>(
        self,
        mechanism: Mechanism<In, Out, C>,
    ) -> Result<(Out, Vault<In, L>)>
    where
        C: PaidFrom<B, Left = L>,
    {
        // PRIVACY: `C` is paid: `self` is consumed and only `C::Left` comes back.
        let answer = mechanism.run(&self.data)?;
        Ok((answer, Vault::new(self.data)))
    }

    /// Two vaults over the same data, with budgets that add up to this one's: `P` and what it
    /// leaves. They can be used from two threads. Vaults are never joined again.
    pub fn split<P>(self) -> (Vault<In, P>, Vault<In, P::Left>)
    where
        P: PaidFrom<B>,
    {
        // PRIVACY: `P` and `P::Left` together are at most `B`.
        (Vault::new(Arc::clone(&self.data)), Vault::new(self.data))
    }

    /// Sets `Cap` aside for queries whose number or price is known only at run time.
    pub fn metered<Cap>(self) -> (Meter<In, Cap>, Vault<In, Cap::Left>)
    where
        Cap: PaidFrom<B>,
    {
        // PRIVACY: `Cap` and `Cap::Left` together are at most `B`; the meter spends at most `Cap`.
        (Meter::new(Arc::clone(&self.data)), Vault::new(self.data))
    }
}

impl<R: Record, Rel: Relation, B: Budget> Vault<Table<R, Rel>, B> {
    /// Puts rows into a vault: the data owner's act, which declares what they may ever be asked.
    ///
    /// Records are taken apart into columns at once; no value of a user's type stays.
    pub fn open(rows: impl IntoIterator<Item = R>) -> Self {
        // PRIVACY: mints a budget for data that was not in a vault before.
        Vault::new(Arc::new(TableData::from_rows(rows)))
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
        Ok(Vault::new(Arc::new(source.load()?)))
    }
}

impl<In: Domain, B: Cost> Vault<In, B> {
    /// What is left, as a value. The type already says so.
    pub fn remaining(&self) -> Price {
        B::price()
    }
}

/// Shows the budget, never the data.
impl<In: Domain, B: Cost> fmt::Debug for Vault<In, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vault({} left)", B::price())
    }
}
