//! What must hold of every file that a reader is given.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use privet::Price;
use privet::cost::Ratio;
use privet::ledger::{Balance, Ledger, LedgerError, StoreError, verify};

pub const HEADER: &str = "privet-ledger 1\n";

thread_local! {
    static PATH: OnceCell<PathBuf> = const { OnceCell::new() };
}

/// A file of this process, in memory where the system has such a place.
fn path() -> PathBuf {
    let new = || {
        let memory = Path::new("/dev/shm");
        let dir = match memory.is_dir() {
            true => memory.to_owned(),
            false => std::env::temp_dir(),
        };
        dir.join(format!("privet-fuzz-{}", std::process::id()))
    };
    PATH.with(|path| path.get_or_init(new).clone())
}

/// Opening and reading agree; nobody has spent more than a cap; whatever opens can be written to and
/// opens again.
pub fn check(bytes: &[u8]) {
    let path = path();
    std::fs::write(&path, bytes).expect("a file");
    let mut records = 0;
    let read = verify(&path, None, |_| records += 1);
    let opened = Ledger::open(&path);
    match (&read, &opened) {
        (Ok(verdict), Ok(ledger)) => {
            assert_eq!(verdict.head.records(), records);
            assert_eq!(verdict.torn, ledger.torn());
            let head = ledger.head().expect("a head");
            match verdict.torn {
                0 => assert_eq!(verdict.head, head),
                // That a torn line was cut off is a record.
                _ => assert_eq!(head.records(), records + 1),
            }
            verdict.balances.iter().for_each(within);
        }
        // Reading without opening remembers no names, so it cannot see a second answer of one.
        (_, Err(LedgerError::Damaged { .. })) => return,
        (Err(_), Err(LedgerError::Store(StoreError::Foreign | StoreError::Failed { .. }))) => return,
        (read, opened) => panic!("reading: {read:?}, opening: {opened:?}"),
    }
    let ledger = opened.expect("it opened");
    let cap = Price::pure(Ratio::from_integer(1_u128));
    let name = "an account that no input has";
    match ledger.create_account(name, cap) {
        Ok(_) | Err(LedgerError::AccountExists { .. }) => {}
        Err(error) => panic!("{error}"),
    }
    let head = ledger.head().expect("a head");
    drop(ledger);
    let verdict = verify(&path, Some(head), |_| {}).expect("what was written can be read");
    assert_eq!((verdict.head, verdict.torn), (head, 0));
}

/// Spent, set aside and left are a cap, or less.
fn within(balance: &Balance) {
    let at_most = |part: Option<Ratio<u128>>, cap: Option<Ratio<u128>>| match (part, cap) {
        (Some(part), Some(cap)) => assert!(part <= cap, "{balance:?}"),
        (Some(part), None) => assert_eq!(*part.numer(), 0, "{balance:?}"),
        (None, _) => {}
    };
    for part in [&balance.spent, &balance.leased, &balance.left] {
        at_most(part.epsilon(), balance.cap.epsilon());
        at_most(part.rho(), balance.cap.rho());
        at_most(part.delta(), balance.cap.delta());
    }
}
