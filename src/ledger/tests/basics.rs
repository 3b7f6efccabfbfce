//! What each operation does when nothing goes wrong, and how edits are found.

use super::media::VirtualDisk;
use crate::cost::{Price, Ratio};
use crate::ledger::event::{Ending, Event, Fingerprint};
use crate::ledger::file::FileStore;
use crate::ledger::frame::HEADER;
use crate::ledger::lease::Paid;
use crate::ledger::{Account, Head, Ledger, LedgerError, StoreError, conformance, verify};

pub(super) fn price(text: &str) -> Price {
    text.parse().unwrap()
}

pub(super) const FP: Fingerprint = Fingerprint([7; 32]);

pub(super) fn on(disk: &VirtualDisk) -> Result<Ledger, LedgerError> {
    on_expecting(disk, None)
}

fn on_expecting(disk: &VirtualDisk, head: Option<Head>) -> Result<Ledger, LedgerError> {
    Ledger::on_expecting(FileStore::on(disk.clone())?, head)
}

pub(super) fn empty() -> VirtualDisk {
    VirtualDisk::holding(HEADER.as_bytes())
}

/// A directory that is removed at the end.
pub(super) struct Dir(pub(super) std::path::PathBuf);

impl Dir {
    pub(super) fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("privet-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A ledger with a bit of everything.
fn rich(disk: &VirtualDisk) -> Account {
    let ledger = on(disk).unwrap().as_program("test");
    let account = ledger.create_account("patients", price("1")).unwrap();
    ledger.create_account("zcdp", price("rho = 1/2")).unwrap();
    let lease = account.lease(price("1/2")).unwrap();
    lease.charge(price("1/8"), "a count").unwrap();
    let Ok(Paid::Now(charge)) = lease.charge_named(price("1/4"), "q1", FP) else {
        panic!("not charged")
    };
    lease.answer(charge, "q1", FP, "[1,2.5]").unwrap();
    lease.close().unwrap();
    account
}

#[test]
fn what_was_not_spent_goes_back_and_the_rest_stays() {
    let account = rich(&empty());
    let balance = account.balance().unwrap();
    assert_eq!(balance.spent, price("3/8"));
    assert_eq!(balance.leased, price("0"));
    assert_eq!(balance.left, price("5/8"));
    assert_eq!(
        (balance.charges, balance.answers, balance.unanswered),
        (2, 1, 0)
    );
    let lease = account.lease(price("1/2")).unwrap();
    lease.charge(price("1/4"), "").unwrap();
    let balance = account.balance().unwrap();
    assert_eq!(balance.spent, price("5/8"));
    assert_eq!(balance.leased, price("1/4"));
    assert_eq!(balance.left, price("1/8"));
    let refused = account.lease(price("1/4"));
    let Err(LedgerError::Exceeds {
        asked,
        left,
        leased,
    }) = refused
    else {
        panic!("more was leased than is left");
    };
    assert_eq!((*asked, *left), (price("1/4"), price("1/8")));
    // The hint to wait is there, since another lease has something to give back.
    assert_eq!(leased.as_deref(), Some(&price("1/4")));
    // Exactly what is left is there.
    let last = account.lease(price("1/8")).unwrap();
    drop(last);
    // A lease charges no more than it set aside, though the account has more.
    assert!(matches!(
        lease.charge(price("1/2"), ""),
        Err(LedgerError::Exceeds { .. })
    ));
    lease.charge(price("1/4"), "").unwrap();
    drop(lease);
    assert_eq!(account.balance().unwrap().left, price("1/8"));
}

#[test]
fn a_named_release_is_paid_once() {
    let disk = empty();
    let account = rich(&disk);
    let lease = account.lease(price("1/2")).unwrap();
    let Ok(Paid::Before(answer)) = lease.charge_named(price("1/4"), "q1", FP) else {
        panic!("charged again");
    };
    assert_eq!(answer, "[1,2.5]");
    let other = Fingerprint([8; 32]);
    assert!(matches!(
        lease.charge_named(price("1/4"), "q1", other),
        Err(LedgerError::NameTaken { .. })
    ));
    assert_eq!(account.balance().unwrap().charges, 2);
    // The same name on another account is another release.
    let zcdp = account.ledger.account("zcdp").unwrap();
    let lease = zcdp.lease(price("rho = 1/8")).unwrap();
    assert!(matches!(
        lease.charge_named(price("1/4"), "q1", other),
        Ok(Paid::Now(_))
    ));
    // ε = 1/4 is ρ = 1/32.
    assert_eq!(zcdp.balance().unwrap().spent, price("rho = 1/32"));
}

#[test]
fn of_two_answers_the_first_counts() {
    let account = rich(&empty());
    let lease = account.lease(price("1/2")).unwrap();
    let charge = || match lease.charge_named(price("1/4"), "q2", FP) {
        Ok(Paid::Now(charge)) => charge,
        _ => panic!("not charged"),
    };
    let (first, second) = (charge(), charge());
    assert_eq!(lease.answer(second, "q2", FP, "2").unwrap(), None);
    assert_eq!(
        lease.answer(first, "q2", FP, "1").unwrap().as_deref(),
        Some("2")
    );
    let balance = account.balance().unwrap();
    assert_eq!(
        (balance.charges, balance.answers, balance.unanswered),
        (4, 2, 1)
    );
}

#[test]
fn a_lease_that_was_taken_over_cannot_charge() {
    let disk = empty();
    let first = rich(&disk);
    let lease = first.lease(price("1/2")).unwrap();
    lease.charge(price("1/8"), "").unwrap();
    let Ok(Paid::Now(charge)) = lease.charge_named(price("1/8"), "late", FP) else {
        panic!("not charged");
    };
    first.ledger.revoke(lease.epoch()).unwrap();
    assert!(matches!(
        lease.charge(price("1/8"), ""),
        Err(LedgerError::Fenced)
    ));
    assert!(matches!(
        first.ledger.revoke(lease.epoch()),
        Err(LedgerError::Fenced)
    ));
    let balance = first.balance().unwrap();
    assert_eq!((balance.spent, balance.leased), (price("5/8"), price("0")));
    // What it charged before may still be answered.
    assert_eq!(lease.answer(charge, "late", FP, "1").unwrap(), None);
}

#[test]
fn a_lease_whose_program_died_is_ended_by_the_next() {
    let disk = empty();
    let account = rich(&disk);
    let lease = account.lease(price("1/2")).unwrap();
    lease.charge(price("1/8"), "").unwrap();
    // As a kill would leave it: neither closed nor dropped.
    core::mem::forget(lease);
    let ledger = on(&disk).unwrap();
    let account = ledger.account("patients").unwrap();
    assert_eq!(account.balance().unwrap().leased, price("3/8"));
    let lease = account.lease(price("1/2")).unwrap();
    let balance = account.balance().unwrap();
    assert_eq!(
        (balance.spent, balance.leased),
        (price("1/2"), price("1/2"))
    );
    assert_eq!(balance.left, price("0"));
    drop(lease);
}

#[test]
fn accounts_are_created_once_and_only_by_name() {
    let disk = empty();
    let ledger = rich(&disk).ledger;
    let refused = |result: Result<Account, LedgerError>| match result {
        Err(error) => error.to_string(),
        Ok(_) => panic!("not refused"),
    };
    assert_eq!(
        refused(ledger.create_account("patients", price("100"))),
        "the ledger has an account `patients` already, and a cap is never changed; choose another \
         name for other data"
    );
    assert_eq!(
        refused(ledger.account("patient")),
        "the ledger has no account `patient`, only `patients`, `zcdp`; its owner creates one with \
         `cargo privet ledger create`"
    );
    assert!(refused(ledger.create_account("", price("1"))).contains("1 to 512 bytes"));
    let long = "x".repeat(513);
    assert!(refused(ledger.create_account(long, price("1"))).contains("1 to 512 bytes"));
    let infinite = Price::pure(Ratio::new_raw(1, 0));
    assert!(refused(ledger.create_account("y", infinite)).contains("a cap is at most"));
    // A notion that the account does not pay.
    let pure = ledger.account("patients").unwrap();
    assert!(matches!(
        pure.lease(price("rho = 1/8")),
        Err(LedgerError::Notion { .. })
    ));
    let approximate = price("eps = 1/8, delta = 1e-6");
    assert!(matches!(
        pure.lease(approximate),
        Err(LedgerError::Exceeds { .. })
    ));
}

#[test]
fn a_ledger_is_what_it_was_after_opening_it_again() {
    let disk = empty();
    let account = rich(&disk);
    let (head, balances) = (
        account.ledger.head().unwrap(),
        account.ledger.balances().unwrap(),
    );
    drop(account);
    let again = on(&disk).unwrap();
    assert_eq!(again.head().unwrap(), head);
    assert_eq!(again.balances().unwrap(), balances);
    assert_eq!(again.torn(), 0);
}

#[test]
fn an_older_copy_is_refused_by_its_head() {
    let disk = empty();
    let early = on(&disk).unwrap().head().unwrap();
    rich(&disk);
    let old = disk.bytes();
    let ledger = on(&disk).unwrap();
    let before = ledger.head().unwrap();
    ledger.create_account("more", price("1")).unwrap();
    let after = ledger.head().unwrap();
    for head in [early, before, after] {
        assert!(on_expecting(&disk, Some(head)).is_ok());
    }
    let copy = VirtualDisk::holding(&old);
    assert!(on_expecting(&copy, Some(before)).is_ok());
    let Err(LedgerError::Older { expected, found }) = on_expecting(&copy, Some(after)) else {
        panic!("an older copy was opened");
    };
    assert_eq!((expected, found), (after, before));
    // As many records, but another history.
    on(&copy)
        .unwrap()
        .create_account("other", price("1"))
        .unwrap();
    assert!(matches!(
        on_expecting(&copy, Some(after)),
        Err(LedgerError::Older { .. })
    ));
}

/// Every byte but those of the last record: an edit is refused. In the last record it looks like a
/// torn tail, is cut off, and leaves a record of the cut.
#[test]
fn every_edit_is_found() {
    let disk = empty();
    rich(&disk);
    let bytes = disk.bytes();
    let last = bytes[..bytes.len() - 1]
        .iter()
        .rposition(|&b| b == b'\n')
        .unwrap()
        + 1;
    let records = on(&disk).unwrap().head().unwrap().records();
    for i in 0..bytes.len() {
        for flip in [1, 0x20, b'\n' ^ bytes[i], bytes[i]] {
            if flip == 0 {
                continue;
            }
            let mut edited = bytes.clone();
            edited[i] ^= flip;
            let copy = VirtualDisk::holding(&edited);
            match on(&copy) {
                Ok(ledger) => {
                    assert!(i >= last, "an edit of byte {i} was accepted");
                    assert!(ledger.torn() > 0);
                    assert_eq!(ledger.head().unwrap().records(), records);
                    let text = String::from_utf8(copy.bytes()).unwrap();
                    assert!(text.lines().last().unwrap().contains(" cut "));
                }
                Err(LedgerError::Damaged { .. } | LedgerError::Store(StoreError::Foreign)) => {
                    // Nothing was changed.
                    assert_eq!(copy.bytes(), edited);
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn a_missing_a_doubled_and_a_swapped_record_are_found() {
    let disk = empty();
    rich(&disk);
    let text = String::from_utf8(disk.bytes()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let refused = |lines: Vec<&str>| on(&VirtualDisk::holding(lines.concat().as_bytes())).is_err();
    for i in 1..lines.len() - 1 {
        let mut less = lines.clone();
        less.remove(i);
        assert!(i + 2 == lines.len() || refused(less), "without line {i}");
        let mut more = lines.clone();
        more.insert(i, lines[i]);
        assert!(refused(more), "with line {i} twice");
        let mut other = lines.clone();
        other.swap(i, i + 1);
        assert!(refused(other), "with lines {i} and the next swapped");
    }
}

#[test]
fn a_chain_that_overspends_is_refused() {
    // Sound hashes, made by somebody who knows the format; the sums tell.
    use crate::ledger::frame::{Link, seal};
    use crate::ledger::{Record, Release};
    let account = Event::Account {
        name: "a".into(),
        cap: price("1"),
    };
    let lease = |budget| Event::Lease {
        account: "a".into(),
        budget,
        program: String::new(),
    };
    let charge = |lease, price| Event::Charge {
        lease,
        price,
        release: Release::Plain {
            what: String::new(),
        },
    };
    let named = Event::Charge {
        lease: 1,
        price: price("0"),
        release: Release::Named {
            name: "n".into(),
            fingerprint: FP,
        },
    };
    let answer = |charge| Event::Answer {
        charge,
        answer: "1".into(),
    };
    let end = |lease| Event::End {
        lease,
        why: Ending::Closed,
    };
    let half = || lease(price("1/2"));
    let cases: [(&str, Vec<Event>); 12] = [
        (
            "",
            vec![
                account.clone(),
                half(),
                charge(1, price("1/2")),
                end(1),
                half(),
            ],
        ),
        ("its account does not exist", vec![half()]),
        ("its account exists", vec![account.clone(), account.clone()]),
        ("it spends more", vec![account.clone(), lease(price("9/8"))]),
        (
            "it spends more",
            vec![account.clone(), half(), half(), lease(price("1/999"))],
        ),
        (
            "it spends more",
            vec![account.clone(), half(), charge(1, price("5/8"))],
        ),
        (
            "its lease is not open",
            vec![account.clone(), charge(0, price("1/8"))],
        ),
        (
            "its lease is not open",
            vec![account.clone(), half(), end(1), charge(1, price("0"))],
        ),
        (
            "its lease is not open",
            vec![account.clone(), half(), end(1), end(1)],
        ),
        (
            "its charge does not wait",
            vec![account.clone(), half(), charge(1, price("0")), answer(2)],
        ),
        (
            "its charge does not wait",
            vec![account.clone(), half(), named.clone(), answer(2), answer(2)],
        ),
        (
            "its name has an answer",
            vec![account, half(), named.clone(), named, answer(2), answer(3)],
        ),
    ];
    for (why, events) in cases {
        let (mut bytes, mut link) = (HEADER.as_bytes().to_vec(), Link::first());
        let last = events.len() as u64 - 1;
        for (number, event) in events.into_iter().enumerate() {
            let record = Record {
                number: number as u64,
                time: 0,
                event,
            };
            let (line, next) = seal(&record, link).unwrap();
            bytes.extend(line);
            link = next;
        }
        match on(&VirtualDisk::holding(&bytes)) {
            Ok(_) => assert_eq!(why, ""),
            Err(LedgerError::Damaged { record, why: said }) => {
                assert!(!why.is_empty() && said.starts_with(why), "{said} for {why}");
                assert_eq!(record, last);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_file_is_locked_private_and_created_once() {
    let dir = Dir::new("file");
    let path = dir.0.join("a.ledger");
    let why = |error| match error {
        LedgerError::Store(error) => error,
        other => panic!("{other}"),
    };
    assert!(matches!(
        why(Ledger::open(&path).unwrap_err()),
        StoreError::Missing
    ));
    let ledger = Ledger::create(&path).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(matches!(
        why(Ledger::open(&path).unwrap_err()),
        StoreError::Busy
    ));
    assert!(matches!(
        why(Ledger::create(&path).unwrap_err()),
        StoreError::Busy
    ));
    ledger.create_account("a", price("1")).unwrap();
    let verdict = verify(&path, None, |_| {}).unwrap();
    assert_eq!(verdict.head, ledger.head().unwrap());
    drop(ledger);
    assert!(matches!(
        why(Ledger::create(&path).unwrap_err()),
        StoreError::Exists
    ));
    let ledger = Ledger::at(&path).expecting(verdict.head).open().unwrap();
    assert_eq!(ledger.balances().unwrap(), verdict.balances);
    // A creation that was interrupted is finished; a file of somebody else's is left alone.
    for (n, unfinished) in ["", "privet-led", "privet-\0\0\0\0\0\0"].iter().enumerate() {
        let path = dir.0.join(format!("unfinished-{n}"));
        std::fs::write(&path, unfinished).unwrap();
        assert!(matches!(
            why(Ledger::open(&path).unwrap_err()),
            StoreError::Foreign
        ));
        Ledger::create(&path).unwrap();
    }
    let other = dir.0.join("other");
    std::fs::write(&other, "hello").unwrap();
    assert!(matches!(
        why(Ledger::create(&other).unwrap_err()),
        StoreError::Foreign
    ));
    assert_eq!(std::fs::read(&other).unwrap(), b"hello");
}

#[test]
fn the_file_store_conforms() {
    let dir = Dir::new("conforms");
    conformance::check(&mut |name| {
        let path = dir.0.join(name);
        let store = match FileStore::open(&path, std::time::Duration::ZERO) {
            Err(StoreError::Missing) => FileStore::create(&path),
            other => other,
        };
        Ok(Box::new(store?))
    })
    .unwrap();
}

/// A store that breaks one rule is found out.
#[test]
fn stores_that_do_not_conform_are_named() {
    use crate::ledger::{Appended, Place, Store, Visit};
    use core::ops::ControlFlow;
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};

    type Lines = Arc<Mutex<Vec<Vec<u8>>>>;
    struct Wrong {
        lines: Lines,
        kind: usize,
    }
    // PRIVACY: a test; wrong on purpose.
    #[allow(unsafe_code)]
    unsafe impl Store for Wrong {
        fn read(&mut self, from: u64, visit: &mut Visit<'_>) -> Result<(), StoreError> {
            let lines = self.lines.lock().unwrap().clone();
            let skip = if self.kind == 1 { 0 } else { from };
            for (i, line) in lines.iter().enumerate().skip(skip as usize) {
                let line = if self.kind == 2 {
                    line.trim_ascii()
                } else {
                    line
                };
                if visit(i as u64, line) == ControlFlow::Break(()) && self.kind != 3 {
                    break;
                }
            }
            Ok(())
        }
        fn line(&mut self, place: Place) -> Result<Vec<u8>, StoreError> {
            Ok(self.lines.lock().unwrap()[place as usize].clone())
        }
        fn append(&mut self, number: u64, line: &[u8]) -> Result<Appended, StoreError> {
            let mut lines = self.lines.lock().unwrap();
            let free = match self.kind {
                4 => number >= lines.len() as u64,
                5 => number <= lines.len() as u64,
                _ => number == lines.len() as u64,
            };
            if !free {
                return Ok(Appended::Taken);
            }
            lines.push(line.to_vec());
            Ok(Appended::At(lines.len() as u64 - 1))
        }
        fn hold(&mut self, _: u64) -> Result<bool, StoreError> {
            Ok(true)
        }
        fn is_held(&mut self, _: u64) -> Result<bool, StoreError> {
            Ok(self.kind == 6)
        }
        fn let_go(&mut self, _: u64) {}
    }
    let expected = [
        "",
        "`read` from",
        "`read` does not give back",
        "`read` goes on after a break",
        "an empty store appended number 1",
        "number 0 was appended to 1 lines",
        "two users hold one lease",
    ];
    for (kind, sentence) in expected.into_iter().enumerate().skip(1) {
        let mut all = HashMap::<String, Lines>::new();
        let said = conformance::check(&mut |name| {
            let lines = Arc::clone(all.entry(name.to_owned()).or_default());
            Ok(Box::new(Wrong { lines, kind }))
        });
        let said = said.unwrap_err();
        assert!(said.contains(sentence), "{said} for {sentence}");
    }
}
