//! A store, what its lines add up to, and the next line.

use core::ops::ControlFlow;
use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::book::{Balance, Book, Refusal, Stored};
use super::event::{Ending, Event, Fingerprint, Record, Release};
use super::frame::{self, Head, LONGEST, Link};
use super::store::{Appended, Store};
use super::{LedgerError, StoreError};
use crate::cost::Price;

type Result<T, E = LedgerError> = core::result::Result<T, E>;

pub(super) struct State {
    store: Box<dyn Store>,
    reader: Reader,
    /// Whether the store may hold lines that were not read: after an error, a panic or a lost race.
    stale: bool,
    /// The leases taken through this handle that have not ended.
    own: BTreeSet<u64>,
}

/// What has been read of a ledger: the sums and the end of the chain.
pub(super) struct Reader {
    pub(super) book: Book,
    link: Link,
}

impl Reader {
    pub(super) fn new(with_answers: bool) -> Self {
        Reader {
            book: Book::new(with_answers),
            link: Link::first(),
        }
    }

    pub(super) fn head(&self) -> Head {
        Head::new(self.book.records(), self.link)
    }

    /// Whether a line is whole and follows the last one.
    pub(super) fn is_whole(&self, line: &[u8]) -> bool {
        frame::body(line, self.link).is_some()
    }

    /// Takes one line in, if it follows from those before it.
    pub(super) fn take(&mut self, place: u64, line: &[u8]) -> Result<Record> {
        let damaged = |why| LedgerError::Damaged {
            record: self.book.records(),
            why,
        };
        let (body, link) = frame::body(line, self.link)
            .ok_or_else(|| damaged("its hash does not match it and the record before"))?;
        let record = Record::parse(body).ok_or_else(|| damaged("it cannot be read"))?;
        if let Err(refusal) = self.book.check(&record) {
            return Err(damaged(refusal.why()));
        }
        self.link = link;
        let records = self.book.records();
        self.book
            .add(record.clone(), place)
            .map_err(|refusal| LedgerError::Damaged {
                record: records,
                why: refusal.why(),
            })?;
        Ok(record)
    }
}

impl State {
    pub(super) fn open(store: Box<dyn Store>, expected: Option<Head>) -> Result<Self> {
        let mut state = State {
            store,
            reader: Reader::new(true),
            stale: true,
            own: BTreeSet::new(),
        };
        let mut found = expected.is_none_or(|head| head == state.reader.head());
        state.read(|reader| found |= expected == Some(reader.head()))?;
        if let (false, Some(expected)) = (found, expected) {
            let found = state.reader.head();
            return Err(LedgerError::Older { expected, found });
        }
        // Everything before the torn line was read and is sound: now it may go.
        let bytes = state.store.torn();
        while bytes > 0 && state.commit(Event::Cut { bytes })?.is_none() {}
        Ok(state)
    }

    pub(super) fn torn(&self) -> u64 {
        self.store.torn()
    }

    /// Reads all lines that were not read yet.
    fn read(&mut self, mut each: impl FnMut(&Reader)) -> Result<()> {
        let from = self.reader.book.records();
        let mut problem = None;
        let reader = &mut self.reader;
        self.store.read(from, &mut |place, line| {
            match reader.take(place, line) {
                Ok(_) => each(reader),
                Err(error) => problem = Some(error),
            }
            match problem {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        })?;
        match problem {
            Some(error) => Err(error),
            None => {
                self.stale = false;
                Ok(())
            }
        }
    }

    /// What the store's lines add up to.
    fn book(&mut self) -> Result<&Book> {
        if self.stale {
            self.read(|_| {})?;
        }
        Ok(&self.reader.book)
    }

    /// Makes an event the next record and durable, and returns its number. None if another writer
    /// was faster: its records are read now, and the caller decides again.
    fn commit(&mut self, event: Event) -> Result<Option<u64>> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let record = Record {
            number: self.book()?.records(),
            time: now.map_or(0, |time| time.as_millis() as u64),
            event,
        };
        self.reader
            .book
            .check(&record)
            .map_err(|refusal| refusal.error(&record))?;
        let number = record.number;
        let Some((line, link)) = frame::seal(&record, self.reader.link) else {
            return Err(LedgerError::Unstorable {
                name: String::new(),
                why: format!("it takes more than {LONGEST} bytes"),
            });
        };
        self.stale = true;
        match self.store.append(number, &line)? {
            Appended::At(place) => {
                self.reader.link = link;
                let added = self.reader.book.add(record, place);
                added.map_err(|refusal| LedgerError::Damaged {
                    record: number,
                    why: refusal.why(),
                })?;
                self.stale = false;
                Ok(Some(number))
            }
            Appended::Taken => {
                self.read(|_| {})?;
                // A store that says that the line is taken and has none breaks its promise.
                match self.reader.book.records() > number {
                    true => Ok(None),
                    false => Err(StoreError::Stopped.into()),
                }
            }
        }
    }

    pub(super) fn head(&mut self) -> Result<Head> {
        self.book()?;
        Ok(self.reader.head())
    }

    pub(super) fn create_account(&mut self, name: &str, cap: Price) -> Result<()> {
        let event = || Event::Account {
            name: name.to_owned(),
            cap,
        };
        while self.commit(event())?.is_none() {}
        Ok(())
    }

    pub(super) fn find_account(&mut self, name: &str) -> Result<()> {
        if !self.book()?.has_account(name) {
            self.read(|_| {})?;
        }
        if self.reader.book.has_account(name) {
            return Ok(());
        }
        let known = self.reader.book.balances();
        Err(LedgerError::NoAccount {
            name: name.to_owned(),
            known: known.into_iter().map(|account| account.name).collect(),
        })
    }

    pub(super) fn balances(&mut self) -> Result<Vec<Balance>> {
        self.read(|_| {})?;
        Ok(self.reader.book.balances())
    }

    pub(super) fn balance(&mut self, name: &str) -> Result<Balance> {
        self.find_account(name)?;
        self.read(|_| {})?;
        self.reader.book.balance(name).ok_or(LedgerError::Fenced)
    }

    /// Sets a budget aside and returns the epoch of the lease.
    pub(super) fn lease(&mut self, account: &str, budget: Price, program: &str) -> Result<u64> {
        self.find_account(account)?;
        self.end_abandoned(account)?;
        let mut patience = 3_000;
        loop {
            // Held before it is there: others never find it without a holder.
            let epoch = self.book()?.records();
            if !self.store.hold(epoch)? {
                // Somebody else is about to append this record, or lets go.
                patience -= 1;
                if patience == 0 {
                    return Err(StoreError::Busy.into());
                }
                std::thread::sleep(Duration::from_millis(2));
                self.read(|_| {})?;
                continue;
            }
            let taken = self.commit(Event::Lease {
                account: account.to_owned(),
                budget,
                program: program.to_owned(),
            });
            match taken {
                Ok(Some(epoch)) => {
                    self.own.insert(epoch);
                    return Ok(epoch);
                }
                other => {
                    self.store.let_go(epoch);
                    other?;
                }
            }
        }
    }

    /// Ends the leases whose programs are gone.
    fn end_abandoned(&mut self, account: &str) -> Result<()> {
        let open: Vec<u64> = self.book()?.leases_on(account).map(|(e, _)| e).collect();
        for epoch in open {
            if !self.own.contains(&epoch) && !self.store.is_held(epoch)? {
                self.end_if_open(epoch, Ending::Abandoned)?;
            }
        }
        Ok(())
    }

    fn end_if_open(&mut self, epoch: u64, why: Ending) -> Result<()> {
        match self.end(epoch, why) {
            Err(LedgerError::Fenced) => Ok(()),
            ended => ended,
        }
    }

    pub(super) fn end(&mut self, lease: u64, why: Ending) -> Result<()> {
        while self.commit(Event::End { lease, why })?.is_none() {}
        if self.own.remove(&lease) {
            self.store.let_go(lease);
        }
        Ok(())
    }

    /// Gives a lease of this handle back.
    pub(super) fn close(&mut self, epoch: u64) -> Result<()> {
        self.end_if_open(epoch, Ending::Closed)
    }

    /// Charges a release whose answer is not stored.
    pub(super) fn charge(&mut self, lease: u64, price: Price, what: &str) -> Result<()> {
        let event = || Event::Charge {
            lease,
            price,
            release: Release::Plain {
                what: what.to_owned(),
            },
        };
        while self.commit(event())?.is_none() {}
        Ok(())
    }

    /// The stored answer of a named release, or the number of a new charge for it.
    pub(super) fn charge_named(
        &mut self,
        (account, lease): (&str, u64),
        price: Price,
        (name, fingerprint): (&str, Fingerprint),
    ) -> Result<Result<String, u64>> {
        loop {
            if let Some(stored) = self.book()?.stored(account, name) {
                return self.stored_answer(name, fingerprint, stored).map(Ok);
            }
            let charged = self.commit(Event::Charge {
                lease,
                price,
                release: Release::Named {
                    name: name.to_owned(),
                    fingerprint,
                },
            })?;
            if let Some(number) = charged {
                return Ok(Err(number));
            }
        }
    }

    /// Stores the answer of a named charge and returns the one that counts: an earlier one if
    /// somebody else stored it in between.
    pub(super) fn answer(
        &mut self,
        (account, charge): (&str, u64),
        (name, fingerprint): (&str, Fingerprint),
        answer: &str,
    ) -> Result<Option<String>> {
        loop {
            if let Some(stored) = self.book()?.stored(account, name) {
                return self.stored_answer(name, fingerprint, stored).map(Some);
            }
            let stored = self.commit(Event::Answer {
                charge,
                answer: answer.to_owned(),
            })?;
            if stored.is_some() {
                return Ok(None);
            }
        }
    }

    /// The stored answer under a name, if there is one.
    pub(super) fn stored(
        &mut self,
        account: &str,
        (name, fingerprint): (&str, Fingerprint),
    ) -> Result<Option<String>> {
        let stored = self.book()?.stored(account, name);
        stored
            .map(|stored| self.stored_answer(name, fingerprint, stored))
            .transpose()
    }

    fn stored_answer(
        &mut self,
        name: &str,
        fingerprint: Fingerprint,
        stored: Stored,
    ) -> Result<String> {
        if stored.fingerprint != fingerprint {
            let name = name.to_owned();
            return Err(LedgerError::NameTaken { name });
        }
        let line = self.store.line(stored.place)?;
        let damaged = |why| LedgerError::Damaged {
            record: stored.number,
            why,
        };
        // The hash was checked when the line was read first; that it is the same line is its number.
        let text = line.get(9..line.len().saturating_sub(66)).unwrap_or(&[]);
        let record = core::str::from_utf8(text).ok().and_then(Record::parse);
        match record {
            Some(Record {
                number,
                event: Event::Answer { answer, .. },
                ..
            }) if number == stored.number => Ok(answer),
            _ => Err(damaged("it changed since it was read")),
        }
    }
}

impl Refusal {
    fn why(&self) -> &'static str {
        match self {
            Refusal::Number => "its number is not the next one",
            Refusal::Name => "it has a name that is empty or too long",
            Refusal::Cap => "its cap is too large",
            Refusal::AccountExists => "its account exists",
            Refusal::NoAccount => "its account does not exist",
            Refusal::Notion => "its price is of another notion",
            Refusal::Exceeds { .. } => "it spends more than is left",
            Refusal::NoLease => "its lease is not open",
            Refusal::NoCharge => "its charge does not wait for an answer",
            Refusal::Answered => "its name has an answer",
        }
    }

    /// The error for a program whose own record was refused.
    fn error(self, record: &Record) -> LedgerError {
        let asked = match record.event {
            Event::Lease { budget, .. } => Some(budget),
            Event::Charge { price, .. } => Some(price),
            _ => None,
        };
        match (self, asked, &record.event) {
            (Refusal::Exceeds { left, leased }, Some(asked), _) => LedgerError::Exceeds {
                asked: asked.into(),
                left: left.into(),
                leased,
            },
            (Refusal::Notion, Some(asked), _) => LedgerError::Notion {
                asked: asked.into(),
            },
            (Refusal::Name, ..) => LedgerError::Name,
            (Refusal::Cap, ..) => LedgerError::Cap,
            (Refusal::AccountExists, _, Event::Account { name, .. }) => {
                let name = name.clone();
                LedgerError::AccountExists { name }
            }
            (Refusal::NoLease, ..) => LedgerError::Fenced,
            (refusal, ..) => LedgerError::Damaged {
                record: record.number,
                why: refusal.why(),
            },
        }
    }
}
