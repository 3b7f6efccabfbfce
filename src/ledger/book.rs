//! What the records of a ledger add up to, and which record may come next.

use std::collections::{BTreeMap, HashMap};

use super::event::{Event, Fingerprint, Record, Release};
use super::store::Place;
use crate::cost::spent::Spent;
use crate::cost::{Price, Ratio};

/// The longest name of an account or a release, in bytes.
pub(super) const LONGEST_NAME: usize = 512;

/// The largest cap, in ε or ρ. Far above any that promises something.
pub(super) const LARGEST_CAP: u128 = 1 << 32;

/// The state that a sequence of records leads to.
///
/// PRIVACY: [`check`](Book::check) is the only gate. A record that it refuses is neither written by
/// this crate nor accepted from a store, so a ledger that opens has never spent more than a cap.
pub(super) struct Book {
    records: u64,
    accounts: BTreeMap<String, Account>,
    /// The leases that have not ended, by epoch.
    leases: BTreeMap<u64, Lease>,
    /// Named charges without an answer, by number.
    waiting: BTreeMap<u64, Waiting>,
    /// Stored answers by account and name; none where only sums are wanted, so that memory is flat.
    answers: Option<HashMap<(String, String), Stored>>,
}

struct Account {
    cap: Price,
    /// What ended leases charged, in the notion of the cap.
    settled: Spent,
    charges: u64,
    answers: u64,
}

pub(super) struct Lease {
    pub(super) account: String,
    pub(super) budget: Price,
    pub(super) program: String,
    /// What it charged, in the notion of its budget.
    spent: Spent,
    /// The same in the notion of the account's cap.
    charged: Spent,
}

struct Waiting {
    account: String,
    name: String,
    fingerprint: Fingerprint,
}

/// A stored answer.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) number: u64,
    pub(super) fingerprint: Fingerprint,
    pub(super) place: Place,
}

/// Why a record may not come next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Refusal {
    /// The record's number is not the next one.
    Number,
    /// A name is empty or too long.
    Name,
    /// The cap is too large.
    Cap,
    /// There is an account of that name.
    AccountExists,
    /// There is no account of that name.
    NoAccount,
    /// A budget or price is in a notion that does not pay from this account or lease.
    Notion,
    /// The budget or price exceeds what is left.
    Exceeds {
        /// What is left.
        left: Price,
        /// What open leases have set aside and not charged, if anything.
        leased: Option<Box<Price>>,
    },
    /// The lease has ended, or never was.
    NoLease,
    /// No named charge of that number waits for an answer.
    NoCharge,
    /// The name has an answer.
    Answered,
}

/// What an account holds. Exact, or rounded against the spender.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Balance {
    /// The account's name.
    pub name: String,
    /// What may ever be spent.
    pub cap: Price,
    /// What was charged.
    pub spent: Price,
    /// What open leases have set aside and not charged.
    pub leased: Price,
    /// What a new lease can take.
    pub left: Price,
    /// How many charges there are.
    pub charges: u64,
    /// How many answers are stored.
    pub answers: u64,
    /// How many named charges have no answer: releases in progress, or interrupted for ever.
    pub unanswered: u64,
}

/// A budget that a program has set aside and not given back. It may have died meanwhile.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenLease {
    /// The number of its record.
    pub epoch: u64,
    /// The account.
    pub account: String,
    /// Who took it.
    pub program: String,
    /// What was set aside.
    pub budget: Price,
    /// What was charged, in the notion of the budget.
    pub spent: Price,
}

impl Book {
    /// An empty book, with or without an index of stored answers.
    pub(super) fn new(with_answers: bool) -> Self {
        Book {
            records: 0,
            accounts: BTreeMap::new(),
            leases: BTreeMap::new(),
            waiting: BTreeMap::new(),
            answers: with_answers.then(HashMap::new),
        }
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// Whether the record may come next.
    pub(super) fn check(&self, record: &Record) -> Result<(), Refusal> {
        if record.number != self.records {
            return Err(Refusal::Number);
        }
        match &record.event {
            Event::Account { name, cap } => {
                named(name)?;
                if self.accounts.contains_key(name) {
                    return Err(Refusal::AccountExists);
                }
                // Sums of what stays below it fit 128 bits, rounded or not.
                let main = cap.epsilon().or(cap.rho()).unwrap_or_default();
                if main > Ratio::from_integer(LARGEST_CAP) {
                    return Err(Refusal::Cap);
                }
            }
            Event::Lease {
                account, budget, ..
            } => {
                let taken = self.taken(account)?;
                let cap = self.account(account)?.cap;
                let after = taken.plus(*budget, cap).ok_or(Refusal::Notion)?;
                // PRIVACY: all that was ever charged and all that may still be charged.
                if !after.within(cap) {
                    let left = taken.left(cap);
                    let leased = self.balance(account).map(|balance| balance.leased);
                    let leased = leased.filter(Price::is_positive).map(Box::new);
                    return Err(Refusal::Exceeds { left, leased });
                }
            }
            Event::Charge {
                lease,
                price,
                release,
            } => {
                if let Release::Named { name, .. } = release {
                    named(name)?;
                }
                let lease = self.leases.get(lease).ok_or(Refusal::NoLease)?;
                lease.charge(*price, self.account(&lease.account)?.cap)?;
            }
            Event::Answer { charge, .. } => {
                let waiting = self.waiting.get(charge).ok_or(Refusal::NoCharge)?;
                if self.stored(&waiting.account, &waiting.name).is_some() {
                    return Err(Refusal::Answered);
                }
            }
            Event::End { lease, .. } => {
                self.leases.get(lease).ok_or(Refusal::NoLease)?;
            }
            Event::Cut { .. } => {}
        }
        Ok(())
    }

    /// Adds a record that [`check`](Book::check) lets pass.
    pub(super) fn add(&mut self, record: Record, place: Place) -> Result<(), Refusal> {
        self.check(&record)?;
        self.records += 1;
        match record.event {
            Event::Account { name, cap } => {
                let account = Account {
                    cap,
                    settled: Spent::default(),
                    charges: 0,
                    answers: 0,
                };
                self.accounts.insert(name, account);
            }
            Event::Lease {
                account,
                budget,
                program,
            } => {
                let lease = Lease {
                    account,
                    budget,
                    program,
                    spent: Spent::default(),
                    charged: Spent::default(),
                };
                self.leases.insert(record.number, lease);
            }
            Event::Charge {
                lease,
                price,
                release,
            } => {
                let lease = self.leases.get_mut(&lease).ok_or(Refusal::NoLease)?;
                let account = self
                    .accounts
                    .get_mut(&lease.account)
                    .ok_or(Refusal::NoAccount)?;
                (lease.spent, lease.charged) = lease.charge(price, account.cap)?;
                account.charges += 1;
                if let Release::Named { name, fingerprint } = release {
                    let waiting = Waiting {
                        account: lease.account.clone(),
                        name,
                        fingerprint,
                    };
                    self.waiting.insert(record.number, waiting);
                }
            }
            Event::Answer { charge, .. } => {
                let waiting = self.waiting.remove(&charge).ok_or(Refusal::NoCharge)?;
                if let Some(account) = self.accounts.get_mut(&waiting.account) {
                    account.answers += 1;
                }
                let stored = Stored {
                    number: record.number,
                    fingerprint: waiting.fingerprint,
                    place,
                };
                if let Some(answers) = &mut self.answers {
                    answers.insert((waiting.account, waiting.name), stored);
                }
            }
            Event::End { lease, .. } => {
                let lease = self.leases.remove(&lease).ok_or(Refusal::NoLease)?;
                let account = self
                    .accounts
                    .get_mut(&lease.account)
                    .ok_or(Refusal::NoAccount)?;
                // PRIVACY: what was charged stays charged; only the rest goes back. The sum fits:
                // it is at most what was set aside.
                let settled = account.settled.and(lease.charged);
                account.settled = settled.ok_or(Refusal::Notion)?;
            }
            Event::Cut { .. } => {}
        }
        Ok(())
    }

    fn account(&self, name: &str) -> Result<&Account, Refusal> {
        self.accounts.get(name).ok_or(Refusal::NoAccount)
    }

    pub(super) fn has_account(&self, name: &str) -> bool {
        self.accounts.contains_key(name)
    }

    /// What was charged by ended leases and is set aside by the others.
    fn taken(&self, name: &str) -> Result<Spent, Refusal> {
        let account = self.account(name)?;
        self.leases_on(name)
            .try_fold(account.settled, |sum, (_, lease)| {
                sum.plus(lease.budget, account.cap).ok_or(Refusal::Notion)
            })
    }

    /// The open leases on an account, with their epochs.
    pub(super) fn leases_on<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u64, &'a Lease)> {
        self.leases
            .iter()
            .filter(move |(_, lease)| lease.account == name)
            .map(|(epoch, lease)| (*epoch, lease))
    }

    /// The stored answer under a name.
    pub(super) fn stored(&self, account: &str, name: &str) -> Option<Stored> {
        let key = (account.to_owned(), name.to_owned());
        self.answers.as_ref()?.get(&key).copied()
    }

    /// The open leases.
    pub(super) fn open_leases(&self) -> Vec<OpenLease> {
        let leases = self.leases.iter().map(|(&epoch, lease)| OpenLease {
            epoch,
            account: lease.account.clone(),
            program: lease.program.clone(),
            budget: lease.budget,
            spent: lease.spent.price(lease.budget),
        });
        leases.collect()
    }

    /// The numbers of the named charges without an answer.
    pub(super) fn unanswered(&self) -> Vec<u64> {
        self.waiting.keys().copied().collect()
    }

    /// All accounts, by name.
    pub(super) fn balances(&self) -> Vec<Balance> {
        self.accounts
            .keys()
            .filter_map(|n| self.balance(n))
            .collect()
    }

    pub(super) fn balance(&self, name: &str) -> Option<Balance> {
        let account = self.accounts.get(name)?;
        let cap = account.cap;
        let charged = self
            .leases_on(name)
            .try_fold(account.settled, |sum, (_, lease)| sum.and(lease.charged))?;
        let taken = self.taken(name).ok()?;
        Some(Balance {
            name: name.to_owned(),
            cap,
            spent: charged.price(cap),
            leased: charged.left(taken.price(cap)),
            left: taken.left(cap),
            charges: account.charges,
            answers: account.answers,
            unanswered: self.waiting.values().filter(|w| w.account == name).count() as u64,
        })
    }
}

impl Lease {
    /// What it has charged after one more: in the notion of its budget, and in that of the cap.
    fn charge(&self, price: Price, cap: Price) -> Result<(Spent, Spent), Refusal> {
        let spent = self.spent.plus(price, self.budget).ok_or(Refusal::Notion)?;
        let charged = self.charged.plus(price, cap).ok_or(Refusal::Notion)?;
        if !spent.within(self.budget) {
            let left = self.spent.left(self.budget);
            return Err(Refusal::Exceeds { left, leased: None });
        }
        Ok((spent, charged))
    }
}

fn named(name: &str) -> Result<(), Refusal> {
    match name.len() {
        1..=LONGEST_NAME => Ok(()),
        _ => Err(Refusal::Name),
    }
}
