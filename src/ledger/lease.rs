//! A budget set aside for one program.

use super::event::Fingerprint;
use super::{Ledger, LedgerError};
use crate::cost::Price;

/// A budget that a vault has set aside from an account. Given back when it is closed or dropped.
///
/// PRIVACY: not `Clone`, and made by `Account::lease` alone. What it charges is durable before a
/// charge returns.
pub(crate) struct Lease {
    ledger: Ledger,
    account: String,
    epoch: u64,
    closed: bool,
}

/// A named release: its answer, or permission to run it.
pub(crate) enum Paid {
    /// It ran before, and this is what it answered.
    Before(String),
    /// It is charged as this record, and may run.
    Now(u64),
}

impl Lease {
    pub(super) fn new(ledger: Ledger, account: String, epoch: u64) -> Self {
        Lease {
            ledger,
            account,
            epoch,
            closed: false,
        }
    }

    #[cfg(test)]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Charges a release whose answer is not stored. Durable when it returns.
    pub(crate) fn charge(&self, price: Price, what: &str) -> Result<(), LedgerError> {
        self.ledger.lock()?.charge(self.epoch, price, what)
    }

    /// Charges a named release, unless its answer is stored. Durable when it returns.
    pub(crate) fn charge_named(
        &self,
        price: Price,
        name: &str,
        fingerprint: Fingerprint,
    ) -> Result<Paid, LedgerError> {
        let lease = (self.account.as_str(), self.epoch);
        let mut state = self.ledger.lock()?;
        Ok(
            match state.charge_named(lease, price, (name, fingerprint))? {
                Ok(answer) => Paid::Before(answer),
                Err(number) => Paid::Now(number),
            },
        )
    }

    /// Stores an answer. Returns another one if that was stored first, and is the one to return.
    pub(crate) fn answer(
        &self,
        charge: u64,
        name: &str,
        fingerprint: Fingerprint,
        answer: &str,
    ) -> Result<Option<String>, LedgerError> {
        let charge = (self.account.as_str(), charge);
        let mut state = self.ledger.lock()?;
        state.answer(charge, (name, fingerprint), answer)
    }

    /// Gives back what was not charged.
    pub(crate) fn close(mut self) -> Result<(), LedgerError> {
        self.closed = true;
        self.ledger.lock()?.close(self.epoch)
    }
}

/// As `close`. Where that fails, the lease is found abandoned when the next program opens a vault.
impl Drop for Lease {
    fn drop(&mut self) {
        if !self.closed
            && let Ok(mut state) = self.ledger.lock()
        {
            let _ = state.close(self.epoch);
        }
    }
}
