//! What the parts of one vault share: the data, and the lease that pays where there is a ledger.

use std::sync::Arc;

use super::receipts::Receipts;
use crate::cost::Price;
use crate::data::Data;
use crate::error::Result;
#[cfg(feature = "ledger")]
use crate::ledger::Lease;
use crate::mechanism::{Label, Locked, Runnable};

/// Without the feature there is no ledger to lease from.
#[cfg(not(feature = "ledger"))]
enum Lease {}

/// Locked data, and the lease on its account if it has one.
pub(super) struct Contents<D> {
    data: Arc<Locked<D>>,
    lease: Option<Arc<Lease>>,
    /// Where charges are noted, if anywhere.
    receipts: Option<Receipts>,
}

impl<D> Contents<D> {
    pub(super) fn new(data: Locked<D>) -> Self {
        Contents {
            data: Arc::new(data),
            lease: None,
            receipts: None,
        }
    }

    /// The same, whose charges are noted.
    pub(super) fn with_receipts(self, receipts: &Receipts) -> Self {
        Contents {
            receipts: Some(receipts.clone()),
            ..self
        }
    }

    /// Notes a charge, in the process that may make one. The caller has checked that.
    pub(super) fn note(&self, price: Price, what: &str, label: &Label, left: Option<Price>) {
        if let Some(receipts) = &self.receipts {
            receipts.note(what, price, left, label);
        }
    }

    /// Notes a charge of a vault, whose type says what is left.
    pub(super) fn note_checked(
        &self,
        price: Price,
        what: &str,
        label: &Label,
        left: Option<Price>,
    ) -> Result<()> {
        if self.receipts.is_some() {
            // Before the lock on the receipts, which a fork may have left locked.
            self.check()?;
            self.note(price, what, label, left);
        }
        Ok(())
    }

    /// The same data, whose noise takes a time that does not depend on the noise.
    pub(super) fn in_constant_time(self) -> Self {
        Contents {
            data: Arc::new(self.data.in_constant_time()),
            lease: self.lease,
            receipts: self.receipts,
        }
    }

    /// PRIVACY: for a part of a vault, whose budget the caller takes from the rest.
    pub(super) fn share(&self) -> Self {
        Contents {
            data: Arc::clone(&self.data),
            lease: self.lease.clone(),
            receipts: self.receipts.clone(),
        }
    }

    pub(super) fn data(&self) -> &Locked<D> {
        &self.data
    }

    /// Whether this process holds the budget, and not a copy that a fork made of it.
    pub(super) fn check(&self) -> Result<()> {
        self.data.check()
    }

    /// Charges, notes the charge, and runs. `left` is for receipts.
    ///
    /// PRIVACY: the caller has taken `price`, which is the mechanism's, from its budget for good.
    pub(super) fn release<Out>(
        &self,
        mechanism: Runnable<'_, D, Out>,
        price: Price,
        left: Option<Price>,
    ) -> Result<Out>
    where
        D: Data,
    {
        mechanism.answerable(&self.data)?;
        let label = mechanism.label();
        self.charge(price, label.name())?;
        self.note_checked(price, label.name(), label, left)?;
        mechanism.run(&self.data)
    }

    /// PRIVACY: where there is a ledger, the charge is durable when this returns.
    pub(super) fn charge(&self, price: Price, what: &str) -> Result<()> {
        match self.lease.as_deref() {
            None => Ok(()),
            #[cfg(feature = "ledger")]
            Some(lease) => {
                // Before the lock on the ledger, which a fork may have left locked.
                self.check()?;
                Ok(lease.charge(price, what)?)
            }
            #[cfg(not(feature = "ledger"))]
            Some(lease) => {
                let _ = (price, what);
                match *lease {}
            }
        }
    }
}

#[cfg(feature = "ledger")]
impl<D> Contents<D> {
    pub(super) fn leased(data: Locked<D>, lease: Lease) -> Self {
        Contents {
            data: Arc::new(data),
            lease: Some(Arc::new(lease)),
            receipts: None,
        }
    }

    pub(super) fn lease(&self) -> Option<&Lease> {
        self.lease.as_deref()
    }

    /// Gives the lease back if no other part of the vault has it.
    pub(super) fn close(self) -> Result<()> {
        match self.lease.and_then(Arc::into_inner) {
            Some(lease) => Ok(lease.close()?),
            None => Ok(()),
        }
    }
}
