//! A cap set aside for queries whose number or price is known only at run time.

use core::fmt;
use core::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use super::contents::Contents;
use crate::cost::spent::Spent;
use crate::cost::{Cost, Notion, Price, Quoted};
use crate::data::Domain;
use crate::error::{Error, Result};
use crate::mechanism::{Label, Mechanism};

/// Charges mechanisms at run time, up to a typed cap. Made by [`Vault::metered`](crate::Vault::metered).
///
/// Each mechanism is charged before it runs, in one step, and refused if it would exceed the cap.
/// Nothing is ever refunded, on an error or on a panic. Mechanisms and their prices may be chosen
/// from earlier answers. The plain sum still bounds the loss: a meter is a privacy filter (Rogers, Roth, Ullman
/// and Vadhan 2016; for zCDP Feldman and Zrnic 2021). It can be shared between threads and used from inside its
/// own mechanisms.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
///
/// # fn main() -> privet::Result<()> {
/// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
/// let (meter, vault) = vault.metered::<Eps<3, 10>>();
/// let count = rows::<Patient>().count().laplace::<Eps<1, 10>>();
/// for _ in 0..3 {
///     meter.release(count.clone())?; // three tenths are exactly 3/10
/// }
/// assert!(meter.release(count).is_err());
/// assert_eq!(vault.remaining().to_string(), "ε = 7/10");
/// # Ok(()) }
/// ```
pub struct Meter<In: Domain, Cap> {
    pub(super) contents: Contents<In::Data>,
    spent: Mutex<Spent>,
    cap: PhantomData<fn() -> Cap>,
}

impl<In: Domain, Cap: Cost> Meter<In, Cap> {
    /// PRIVACY: mints a meter; the caller has set `Cap` aside.
    pub(super) fn new(contents: Contents<In::Data>) -> Self {
        Meter {
            contents,
            spent: Mutex::default(),
            cap: PhantomData,
        }
    }

    /// Charges the mechanism's price and runs it, or refuses.
    ///
    /// # Errors
    ///
    /// [`Error::OverCap`] when the price exceeds what is left, and [`Error::Forked`] in a child of the
    /// process that opened the vault: nothing ran and nothing was charged.
    /// Other errors come from the run: nothing was released, and the price stays charged.
    pub fn release<Out: 'static, C: Chargeable<Cap::Notion>>(
        &self,
        mechanism: Mechanism<In, Out, C>,
    ) -> Result<Out> {
        // Before the lock, which a fork may have left locked.
        self.contents.check()?;
        let price = C::amount(mechanism.quote()).ok_or(Error::Unpriced)?;
        let mechanism = mechanism.runnable();
        mechanism.answerable(self.contents.data())?;
        self.charge(price, mechanism.label().name(), mechanism.label())?;
        self.contents.charge(price, mechanism.label().name())?;
        // PRIVACY: the price was charged before the data is touched, and is never refunded.
        // Proved: Vault.program_sound, Ledger.charge_sound
        mechanism.run(self.contents.data())
    }

    pub(super) fn charge(&self, price: Price, what: &str, label: &Label) -> Result<()> {
        let cap = Cap::price();
        // No user code runs under the lock, so a panic cannot leave a half-made charge.
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        match spent.plus(price, cap).filter(|after| after.within(cap)) {
            Some(after) => {
                *spent = after;
                // Under the lock, so that receipts are in the order of the charges.
                self.contents
                    .note(price, what, label, Some(after.left(cap)));
            }
            None => {
                return Err(Error::OverCap {
                    price: price.into(),
                    left: spent.left(cap).into(),
                });
            }
        }
        Ok(())
    }

    /// What is left of the cap; rounded down where it is not a short fraction.
    ///
    /// In a forked child of the process that opened the vault nothing is left: see [`Error::Forked`].
    pub fn remaining(&self) -> Price {
        // Without the lock, which a fork may have left locked.
        if self.contents.check().is_err() {
            return Spent::nothing_left(Cap::price());
        }
        self.spent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .left(Cap::price())
    }
}

/// Shows the budget, never the data.
impl<In: Domain, Cap: Cost> fmt::Debug for Meter<In, Cap> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meter({} left of {})", self.remaining(), Cap::price())
    }
}

mod sealed {
    use crate::cost::{Approximate, Notion, Pure, Zcdp};

    /// A price in this notion has a price in `N`.
    #[diagnostic::on_unimplemented(
        message = "a cost in the notion `{Self}` cannot be charged to a meter in the notion `{N}`",
        label = "not payable from this meter",
        note = "a pure meter takes `Eps`; a zCDP meter `Eps` and `Rho`; an approximate meter `Eps` and `Approx`"
    )]
    // Proved: Ledger.charge_sound
    pub trait PaysInto<N: Notion> {}
    impl<N: Notion> PaysInto<N> for Pure {}
    impl PaysInto<Zcdp> for Zcdp {}
    impl PaysInto<Approximate> for Approximate {}

    pub trait Sealed<N: Notion> {}
}
use sealed::PaysInto;

/// What a meter in the notion `N` can charge: costs of that notion, pure costs, and [`Quoted`]
/// ones. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be charged to this meter",
    label = "not payable from this meter"
)]
// Proved: Ledger.charge_sound, Vault.program_sound
pub trait Chargeable<N: Notion>: sealed::Sealed<N> + Sized + 'static {
    /// The price, from the type or from the mechanism's own quote.
    #[doc(hidden)]
    fn amount(quoted: Option<Price>) -> Option<Price>;
}

impl<N: Notion, C: Cost<Notion: PaysInto<N>>> sealed::Sealed<N> for C {}

impl<N: Notion, C: Cost<Notion: PaysInto<N>>> Chargeable<N> for C {
    // PRIVACY: from the type alone.
    fn amount(_: Option<Price>) -> Option<Price> {
        Some(C::price())
    }
}

impl<N: Notion> sealed::Sealed<N> for Quoted {}

impl<N: Notion> Chargeable<N> for Quoted {
    // PRIVACY: the price that the mechanism's own noise was scaled by.
    fn amount(quoted: Option<Price>) -> Option<Price> {
        quoted
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::prelude::*;

    #[derive(Record)]
    struct Row {
        age: i64,
    }

    #[test]
    fn a_meter_charges_what_it_runs_and_refuses_the_rest() {
        let vault: Vault<Table<Row>, Eps<1, 1>> = Vault::open(vec![Row { age: 71 }]);
        let (meter, _vault) = vault.metered::<Eps<1, 2>>();
        let show = || format!("{meter:?}");
        assert_eq!(show(), "Meter(ε = 1/2 left of ε = 1/2)");
        let old = || rows::<Row>().filter(|r| r.age.ge(65)).count();
        meter.release(old().laplace::<Eps<1, 4>>()).unwrap();
        assert_eq!(show(), "Meter(ε = 1/4 left of ε = 1/2)");
        let quoted = || old().laplace_at("3/16".parse().unwrap()).unwrap();
        meter.release(quoted()).unwrap();
        assert_eq!(meter.remaining().to_string(), "ε = 1/16");
        let refused = meter.release(quoted());
        assert!(matches!(refused, Err(Error::OverCap { .. })));
        let refused = meter.release(old().laplace::<Eps<1, 4>>());
        assert!(matches!(refused, Err(Error::OverCap { .. })));
        meter.release(old().laplace::<Eps<1, 16>>()).unwrap();
        assert_eq!(meter.remaining().to_string(), "ε = 0");
    }
}
