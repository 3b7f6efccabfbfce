//! A log of what was charged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::cost::{InRho, Price, Stated, in_rho};
use crate::mechanism::Label;

/// One charge of a vault or a meter: what for, when, how much, and what it left. All of it is public.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Receipt {
    /// The place in the log: 0, 1, 2 …
    pub number: u64,
    /// What the mechanism is called: see [`named`](crate::Mechanism::named).
    pub what: String,
    /// When it was charged, by the system's clock.
    pub when: SystemTime,
    /// What was charged.
    pub price: Price,
    /// What the vault or the meter that paid had left then. None after a price that the types refuse.
    pub left: Option<Price>,
}

/// A log of charges, made by [`Vault::with_receipts`](crate::Vault::with_receipts). Clones share one log.
///
/// A charge is logged when it is made, before the mechanism runs: what is attempted is charged. The
/// receipts of one meter are in the order of its charges, whichever threads made them, and each says what
/// that charge left.
///
/// ```
/// use privet::prelude::*;
/// use privet::vault::Receipts;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// # fn main() -> privet::Result<()> {
/// let log = Receipts::new();
/// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
/// let (meter, vault) = vault.with_receipts(&log).metered::<Eps<1, 2>>();
/// let count = || rows::<Patient>().count().laplace::<Eps<1, 4>>().named("patients");
/// meter.release(count())?;
/// let (_, _vault) = vault.release(count())?;
///
/// let lines: Vec<String> = log.all().iter().map(ToString::to_string).collect();
/// assert_eq!(lines, ["patients: ε = 1/4, leaves ε = 1/4", "patients: ε = 1/4, leaves ε = 1/4"]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Receipts(Arc<Mutex<Log>>);

#[derive(Debug, Default)]
struct Log {
    receipts: Vec<Receipt>,
    /// The Gaussian releases that were stated as (ε, δ).
    stated: Vec<Stated>,
}

impl Receipts {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Receipts::default()
    }

    /// All receipts so far.
    #[must_use]
    pub fn all(&self) -> Vec<Receipt> {
        self.since(0)
    }

    /// The receipts from that number on.
    #[must_use]
    pub fn since(&self, number: u64) -> Vec<Receipt> {
        let log = &self.lock().receipts;
        let from = usize::try_from(number).map_or(log.len(), |from| from.min(log.len()));
        log[from..].to_vec()
    }

    /// What the Gaussian releases so far that were each stated as (ε, δ) would have cost if ρ had been added up. None before
    /// the third one, or if it would not have been cheaper.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::vault::Receipts;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    /// type Half = Approx<Eps<1, 2>, Delta<1, 6>>;
    ///
    /// # fn main() -> privet::Result<()> {
    /// let log = Receipts::new();
    /// let vault: Vault<Table<Patient>, Approx<Eps<3, 2>, Delta<3, 6>>> = Vault::open(vec![Patient { age: 71 }]);
    /// let vault = vault.with_receipts(&log);
    /// let count = || rows::<Patient>().count().gaussian_approx::<Half>();
    /// let (_, vault) = vault.release(count())?;
    /// let (_, vault) = vault.release(count())?;
    /// assert!(log.in_rho().is_none());
    /// let (_, _vault) = vault.release(count())?;
    /// assert_eq!(
    ///     log.in_rho().unwrap().to_string(),
    ///     "3 Gaussian releases are stated as (ε, δ) one by one: ε = 3/2, δ = 3e-6 together; the same noise \
    ///      costs ρ = 1/50 in all, which ε = 213/250, δ = 3e-6 pays for: see `Vault::concentrated`"
    /// );
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn in_rho(&self) -> Option<InRho> {
        in_rho(&self.lock().stated)
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// PRIVACY: takes public things only. No user code runs under the lock.
    pub(super) fn note(&self, what: &str, price: Price, left: Option<Price>, label: &Label) {
        let stated = label.stated();
        let mut log = self.lock();
        log.stated.extend(stated);
        let number = log.receipts.len() as u64;
        log.receipts.push(Receipt {
            number,
            what: what.to_owned(),
            when: SystemTime::now(),
            price,
            left,
        });
    }
}

impl core::fmt::Display for Receipt {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.what, self.price)?;
        match self.left {
            Some(left) => write!(f, ", leaves {left}"),
            None => Ok(()),
        }
    }
}
