//! The same history under a fault at every byte and every sync, and under what a power cut leaves.

use super::basics::{FP, empty, on, price};
use super::media::{Fault, Loss, VirtualDisk};
use crate::ledger::lease::Paid;
use crate::ledger::{Account, LedgerError, StoreError};

/// What a program was told, and so must find again.
#[derive(Default, Clone, Debug)]
struct Told {
    /// Charges in 64ths, of one lease after the other.
    charged: u128,
    answers: Vec<(&'static str, String)>,
}

/// One run of the program: it goes on from wherever the ledger is, until an error.
fn run(disk: &VirtualDisk, run: usize, told: &mut Told) -> Result<(), LedgerError> {
    let account = open_account(disk)?;
    let lease = account.lease(price("1/2"))?;
    lease.charge(price("1/64"), "plain")?;
    told.charged += 1;
    for name in ["first", "second"] {
        let answer = match lease.charge_named(price("1/64"), name, FP)? {
            Paid::Before(answer) => answer,
            Paid::Now(charge) => {
                told.charged += 1;
                // Another answer in every run, as noise would have it.
                let answer = format!("\"{name} {run}\"");
                assert_eq!(lease.answer(charge, name, FP, &answer)?, None);
                answer
            }
        };
        told.answers.push((name, answer));
    }
    lease.close()
}

fn open_account(disk: &VirtualDisk) -> Result<Account, LedgerError> {
    let ledger = on(disk)?;
    match ledger.account("a") {
        Ok(account) => Ok(account),
        Err(_) => ledger.create_account("a", price("16")),
    }
}

/// What must hold whenever the ledger is opened.
fn holds(disk: &VirtualDisk, told: &Told) {
    let ledger = on(disk).unwrap_or_else(|e| panic!("the ledger does not open: {e}"));
    let Ok(account) = ledger.account("a") else {
        assert_eq!(told.charged, 0, "the account is gone");
        return;
    };
    let balance = account.balance().unwrap();
    let spent = balance.spent.epsilon().unwrap() * 64;
    assert!(*spent.numer() >= told.charged, "a charge was lost");
    let lease = account.lease(price("1/2")).unwrap();
    for (name, answer) in &told.answers {
        match lease.charge_named(price("1/64"), name, FP).unwrap() {
            Paid::Before(stored) => assert_eq!(&stored, answer),
            Paid::Now(_) => panic!("an answer that was returned is lost"),
        }
    }
}

/// Runs under a fault, then again on what is left, until all is done; returns how many runs it took.
fn survive(fault: Fault, loss: Loss, longest: usize) -> usize {
    let mut disk = empty();
    disk.writing_at_most(longest);
    disk.faulty(fault);
    let mut told = Told::default();
    for n in 0.. {
        let done = run(&disk, n, &mut told);
        let text = format!("{fault:?} {loss:?}");
        if let Err(error) = &done {
            assert!(n == 0, "{text}: {error} in run {n}");
            let expected = matches!(
                error,
                LedgerError::Store(StoreError::Failed { .. } | StoreError::Stopped)
            );
            assert!(expected, "{text}: {error}");
        }
        disk = disk.after(loss);
        holds(&VirtualDisk::holding(&disk.bytes()), &told);
        if done.is_ok() {
            return n + 1;
        }
    }
    unreachable!()
}

const LOSSES: [Loss; 7] = [
    Loss::None,
    Loss::All,
    Loss::SomeBytes(1),
    Loss::SomeBytes(0x9e37_79b9_7f4a_7c15),
    Loss::SomeBytesCut(3),
    Loss::SomeBytesCut(0x1234_5678_9abc_def1),
    Loss::OnlyLastByte,
];

/// What a run without a fault writes, and how often it syncs.
fn work() -> (u64, u64) {
    let disk = empty();
    disk.faulty(Fault::Never);
    run(&disk, 0, &mut Told::default()).unwrap();
    disk.work()
}

#[test]
fn a_fault_at_every_byte_loses_nothing_that_was_told() {
    let (bytes, _) = work();
    for byte in 0..bytes {
        for loss in LOSSES {
            // The clock's digits are as many in every run, so every byte is met.
            assert_eq!(survive(Fault::FullAfter(byte), loss, usize::MAX), 2);
            assert_eq!(survive(Fault::DiesAfter(byte), loss, usize::MAX), 2);
        }
    }
}

#[test]
fn a_fault_at_every_sync_loses_nothing_that_was_told() {
    let (_, syncs) = work();
    for sync in 0..syncs {
        for loss in LOSSES {
            assert_eq!(survive(Fault::SyncFails(sync), loss, usize::MAX), 2);
            assert_eq!(survive(Fault::DiesBeforeSync(sync), loss, usize::MAX), 2);
            assert_eq!(survive(Fault::DiesAfterSync(sync), loss, usize::MAX), 2);
        }
    }
}

#[test]
fn short_writes_are_continued() {
    for longest in [1, 2, 7, 64] {
        assert_eq!(survive(Fault::Never, Loss::All, longest), 1);
    }
}

/// A second fault while the first is repaired.
#[test]
fn a_fault_during_the_repair_of_another_loses_nothing() {
    let (bytes, syncs) = work();
    for byte in (0..bytes).step_by(17) {
        for second in 0..syncs {
            let mut told = Told::default();
            let disk = empty();
            disk.faulty(Fault::DiesAfter(byte));
            run(&disk, 0, &mut told).unwrap_err();
            let disk = disk.after(Loss::SomeBytes(byte));
            disk.faulty(Fault::DiesBeforeSync(second));
            let done = run(&disk, 1, &mut told);
            let disk = disk.after(Loss::SomeBytesCut(second));
            holds(&VirtualDisk::holding(&disk.bytes()), &told);
            if done.is_err() {
                run(&disk, 2, &mut told).unwrap();
                holds(&disk, &told);
            }
        }
    }
}

/// A process died between writing an answer and syncing it. The next one returns that answer, and
/// then the power fails: the answer must have been made durable before it was returned.
#[test]
fn what_a_dead_process_left_in_the_cache_is_synced_before_it_is_used() {
    let (_, syncs) = work();
    for sync in 0..syncs {
        let mut told = Told::default();
        let disk = empty();
        disk.faulty(Fault::DiesBeforeSync(sync));
        run(&disk, 0, &mut told).unwrap_err();
        let next = disk.after(Loss::None);
        run(&next, 1, &mut told).unwrap();
        holds(&next.after(Loss::All), &told);
    }
}

/// After an error the ledger refuses everything until it is opened again.
#[test]
fn nothing_is_written_after_a_failed_sync() {
    let disk = empty();
    let account = open_account(&disk).unwrap();
    let lease = account.lease(price("1/2")).unwrap();
    disk.faulty(Fault::SyncFails(0));
    assert!(matches!(
        lease.charge(price("1/64"), ""),
        Err(LedgerError::Store(StoreError::Failed { .. }))
    ));
    let bytes = disk.bytes();
    for _ in 0..2 {
        assert!(matches!(
            lease.charge(price("1/64"), ""),
            Err(LedgerError::Store(StoreError::Stopped))
        ));
    }
    drop(lease);
    assert_eq!(disk.bytes(), bytes);
}
