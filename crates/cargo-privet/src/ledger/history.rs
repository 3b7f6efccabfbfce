//! The charges of a ledger, each with what became of it.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use privet::ledger::{Balance, Event, Record, Release, Verdict};
use serde::Serialize;

use super::date::utc;

/// Everything that a log, an export or a page shows.
#[derive(Debug, Default, Serialize)]
pub struct History {
    pub file: String,
    pub head: String,
    pub records: u64,
    /// Bytes of a record that was not finished.
    pub torn: u64,
    pub accounts: Vec<Account>,
    pub charges: Vec<Charge>,
    #[serde(skip)]
    leases: HashMap<u64, (String, String)>,
    #[serde(skip)]
    by_number: BTreeMap<u64, usize>,
}

#[derive(Debug, Serialize)]
pub struct Account {
    pub name: String,
    pub cap: String,
    pub spent: String,
    pub leased: String,
    pub left: String,
    /// What spending all of it would mean to one person.
    pub meaning: String,
    /// Shares of the cap, for bars.
    #[serde(skip)]
    pub shares: (f64, f64),
}

#[derive(Debug, Serialize)]
pub struct Charge {
    pub record: u64,
    pub time: String,
    pub account: String,
    pub program: String,
    /// The name it was released under, or what the mechanism is called.
    pub release: String,
    pub named: bool,
    pub price: String,
    /// Null for a release whose answer is not stored.
    pub answered: Option<bool>,
    /// The answer of a named release, as it was stored.
    pub answer: Option<serde_json::Value>,
    pub fingerprint: Option<String>,
}

impl Charge {
    /// Whether its answer is stored, in a word.
    pub fn state(&self) -> &'static str {
        match self.answered {
            Some(true) => "answered",
            Some(false) => "no answer",
            None => "not stored",
        }
    }
}

impl History {
    pub fn add(&mut self, record: &Record) {
        match &record.event {
            Event::Lease {
                account, program, ..
            } => {
                let lease = (account.clone(), program.clone());
                self.leases.insert(record.number, lease);
            }
            Event::Charge {
                lease,
                price,
                release,
            } => {
                let (account, program) = self.leases.get(lease).cloned().unwrap_or_default();
                let (release, fingerprint) = match release {
                    Release::Plain { what } => (what.clone(), None),
                    Release::Named { name, fingerprint } => {
                        (name.clone(), Some(fingerprint.to_string()))
                    }
                };
                self.by_number.insert(record.number, self.charges.len());
                self.charges.push(Charge {
                    record: record.number,
                    time: utc(record.time),
                    account,
                    program,
                    release,
                    named: fingerprint.is_some(),
                    price: price.to_string(),
                    answered: fingerprint.as_ref().map(|_| false),
                    answer: None,
                    fingerprint,
                });
            }
            Event::Answer { charge, answer } => {
                if let Some(&place) = self.by_number.get(charge) {
                    self.charges[place].answered = Some(true);
                    let text = || serde_json::Value::String(answer.clone());
                    let json = serde_json::from_str(answer).unwrap_or_else(|_| text());
                    self.charges[place].answer = Some(json);
                }
            }
            _ => {}
        }
    }

    pub fn finish(&mut self, path: &Path, verdict: &Verdict) {
        self.file = path.display().to_string();
        self.head = verdict.head.to_string();
        self.records = verdict.head.records();
        self.torn = verdict.torn;
        self.accounts = verdict.balances.iter().map(Account::new).collect();
    }
}

impl Account {
    pub fn new(balance: &Balance) -> Self {
        Account {
            name: balance.name.clone(),
            cap: balance.cap.to_string(),
            spent: balance.spent.to_string(),
            leased: balance.leased.to_string(),
            left: balance.left.to_string(),
            meaning: balance.cap.meaning(),
            shares: shares(balance),
        }
    }
}

/// Spent and set aside, as shares of the cap: the larger one of ε or ρ and δ. For bars only.
fn shares(balance: &Balance) -> (f64, f64) {
    let share = |part: &privet::Price| {
        let of = |part: Option<_>, cap: Option<_>| match (part, cap) {
            (Some(part), Some(cap)) if float(cap) > 0.0 => float(part) / float(cap),
            _ => 0.0,
        };
        of(part.epsilon(), balance.cap.epsilon())
            .max(of(part.rho(), balance.cap.rho()))
            .max(of(part.delta(), balance.cap.delta()))
    };
    (share(&balance.spent), share(&balance.leased))
}

fn float(x: privet::cost::Ratio<u128>) -> f64 {
    *x.numer() as f64 / *x.denom() as f64
}
