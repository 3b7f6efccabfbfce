//! Many processes and threads on one account: the cap is met exactly.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::basics::{Dir, price};
use crate::ledger::{Ledger, LedgerError};

/// Many leases by many threads through one handle.
#[test]
fn threads_spend_all_of_a_cap_and_no_more() {
    let dir = Dir::new("threads");
    let ledger = Ledger::create(dir.0.join("l")).unwrap();
    let account = ledger.create_account("a", price("7/3")).unwrap();
    let spent: u32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let account = account.clone();
                scope.spawn(move || {
                    let mut spent = 0;
                    for _ in 0..10 {
                        match account.lease(price("1/21")) {
                            Ok(lease) => {
                                lease.charge(price("1/21"), "").unwrap();
                                spent += 1;
                            }
                            Err(LedgerError::Exceeds { .. }) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                    spent
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!(spent, 49);
    let balance = account.balance().unwrap();
    assert_eq!((balance.spent, balance.left), (price("7/3"), price("0")));
}

/// Run by the test below in processes of their own: opens, charges a tenth or is refused, ends.
#[test]
#[ignore = "a part of `processes_spend_all_of_a_cap_and_no_more`"]
fn child_that_spends() {
    let Some(path) = std::env::var_os("PRIVET_LEDGER_RACE") else {
        return;
    };
    let ledger = Ledger::at(&path)
        .waiting(Duration::from_secs(300))
        .open()
        .unwrap();
    let account = ledger.account("a").unwrap();
    match account.lease(price("1/5")) {
        Ok(lease) => {
            lease.charge(price("1/10"), "a tenth").unwrap();
            println!("\nspent one");
            // Half of them end without giving back what they did not spend.
            if std::process::id().is_multiple_of(2) {
                core::mem::forget(lease);
            }
        }
        // Less than two tenths are left: one, exactly.
        Err(LedgerError::Exceeds { left, .. }) => {
            if *left == price("1/10") {
                let lease = account.lease(*left).unwrap();
                lease.charge(*left, "the last").unwrap();
                println!("\nspent one");
            }
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn processes_spend_all_of_a_cap_and_no_more() {
    let dir = Dir::new("processes");
    let path = dir.0.join("l");
    Ledger::create(&path)
        .unwrap()
        .create_account("a", price("2"))
        .unwrap();
    let children: Vec<_> = (0..24)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "--ignored", "--nocapture"])
                .arg(child("races::child_that_spends"))
                .env("PRIVET_LEDGER_RACE", &path)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut spent = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        spent += text
            .lines()
            .filter(|line| line.ends_with("spent one"))
            .count();
    }
    // Twenty-four processes ask, and twenty tenths are there.
    assert_eq!(spent, 20);
    let balance = Ledger::open(&path)
        .unwrap()
        .account("a")
        .unwrap()
        .balance()
        .unwrap();
    assert_eq!((balance.spent, balance.left), (price("2"), price("0")));
    assert_eq!(balance.charges, 20);
}

/// The full name of a test in this tree.
pub(super) fn child(name: &str) -> String {
    let here = module_path!();
    let tests = here.strip_suffix("races").unwrap();
    let (_, tests) = tests.split_once("::").unwrap();
    format!("{tests}{name}")
}

#[test]
fn a_waiting_program_is_told_when_its_time_is_up() {
    let dir = Dir::new("waiting");
    let path = dir.0.join("l");
    let _holder = Ledger::create(&path).unwrap();
    let refused = Ledger::at(&path).waiting(Duration::from_millis(20)).open();
    let Err(error) = refused else {
        panic!("opened twice");
    };
    assert_eq!(
        error.to_string(),
        "another process has the ledger open; wait for it to end, or open with `waiting`"
    );
}
