//! Reading a ledger from end to end without opening it.

use core::ops::ControlFlow;
use std::fs::File;
use std::io;
use std::path::Path;

use super::LedgerError;
use super::book::{Balance, OpenLease};
use super::event::Record;
use super::file::{check_header, visit_lines};
use super::frame::{self, Head};
use super::state::Reader;
use super::store::{Store, StoreError};

/// One record of a ledger that is being read, and how far the reading has come.
#[derive(Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The record.
    pub record: &'a Record,
    /// How much was read: bytes of a file, records of another store.
    pub done: u64,
    /// How much there is; none where the store does not say.
    pub of: Option<u64>,
}

/// What a whole ledger adds up to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// How far it has come.
    pub head: Head,
    /// How many bytes of an unfinished record are at its end: a crash left them, or another process
    /// is writing them now.
    pub torn: u64,
    /// All accounts, by name.
    pub balances: Vec<Balance>,
    /// The leases that have not ended.
    pub leases: Vec<OpenLease>,
    /// The numbers of named charges without an answer.
    pub unanswered: Vec<u64>,
    /// Whether the head that was expected is among those the ledger has had.
    pub has_expected: bool,
}

/// Reads a ledger file from end to end: the chain, every sum, every lease, a torn tail.
///
/// Takes no lock and changes nothing, so it works beside a program that has the ledger open. Memory
/// does not grow with the number of records, except for releases that were interrupted. That no name
/// has two answers is checked where a ledger is opened.
///
/// # Errors
///
/// When the file cannot be read, is not a ledger, or holds a record that does not follow from those
/// before it.
pub fn verify(
    path: impl AsRef<Path>,
    expected: Option<Head>,
    mut each: impl FnMut(&Step<'_>),
) -> Result<Verdict, LedgerError> {
    let failed = |e: io::Error| LedgerError::from(StoreError::failed("read the ledger", e));
    let mut file = File::open(path.as_ref()).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => StoreError::Missing.into(),
        _ => failed(e),
    })?;
    let header = check_header(&mut file)?;
    let end = file.metadata().map_err(failed)?.len();
    let mut reading = Reading::new(expected);
    visit_lines(&mut file, header, end, &mut |place, line| {
        let done = place + line.len() as u64;
        reading.line(place, line, done == end, |record| {
            let of = Some(end);
            each(&Step { record, done, of });
        })
    })
    .map_err(failed)?;
    reading.verdict()
}

/// As [`verify`], for the lines of any store.
///
/// # Errors
///
/// As [`verify`].
pub fn verify_store(
    store: &mut dyn Store,
    expected: Option<Head>,
    mut each: impl FnMut(&Step<'_>),
) -> Result<Verdict, LedgerError> {
    let mut reading = Reading::new(expected);
    store.read(0, &mut |place, line| {
        reading.line(place, line, false, |record| {
            let done = record.number + 1;
            each(&Step {
                record,
                done,
                of: None,
            });
        })
    })?;
    reading.torn = store.torn();
    reading.verdict()
}

struct Reading {
    reader: Reader,
    expected: Option<Head>,
    has_expected: bool,
    torn: u64,
    problem: Option<LedgerError>,
}

impl Reading {
    fn new(expected: Option<Head>) -> Self {
        let reader = Reader::new(false);
        Reading {
            has_expected: expected.is_none_or(|head| head == reader.head()),
            reader,
            expected,
            torn: 0,
            problem: None,
        }
    }

    fn line(
        &mut self,
        place: u64,
        line: &[u8],
        last: bool,
        each: impl FnOnce(&Record),
    ) -> ControlFlow<()> {
        if last && frame::may_be_torn(line) && !self.reader.is_whole(line) {
            self.torn = line.len() as u64;
            return ControlFlow::Break(());
        }
        match self.reader.take(place, line) {
            Ok(record) => each(&record),
            Err(error) => {
                self.problem = Some(error);
                return ControlFlow::Break(());
            }
        }
        self.has_expected |= self.expected == Some(self.reader.head());
        ControlFlow::Continue(())
    }

    fn verdict(self) -> Result<Verdict, LedgerError> {
        if let Some(error) = self.problem {
            return Err(error);
        }
        Ok(Verdict {
            head: self.reader.head(),
            torn: self.torn,
            balances: self.reader.book.balances(),
            leases: self.reader.book.open_leases(),
            unanswered: self.reader.book.unanswered(),
            has_expected: self.has_expected,
        })
    }
}
