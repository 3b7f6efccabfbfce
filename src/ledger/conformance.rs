//! A test of stores, to be run on an owner's own.
//!
//! ```no_run
//! use privet::ledger::{Store, conformance};
//!
//! # struct MyStore;
//! # impl MyStore { fn open(name: &str) -> Result<Box<dyn Store>, privet::ledger::StoreError> { unimplemented!() } }
//! // In a test of the crate that implements `MyStore`. `name` is new for each part of the test.
//! conformance::check(&mut |name| MyStore::open(name)).unwrap();
//! ```
//!
//! It cannot pull the plug: that a line survives a crash of the machine is for the implementation
//! to argue and for its own tests to show.

use core::ops::ControlFlow;
use std::sync::Mutex;

use super::event::{Event, Record};
use super::frame::{self, Link};
use super::store::{Appended, Place, Store, StoreError};
use super::{Lease, Ledger, LedgerError};
use crate::cost::{Price, Ratio};

/// Opens the store of this name, or makes it if there is none.
pub type Open<'a> = dyn FnMut(&str) -> Result<Box<dyn Store>, StoreError> + Send + 'a;

/// Runs all parts of the test.
///
/// `open` is called with names that a run of the test uses for the first time, and again with the
/// same name while or after an earlier handle is open. A store for one user at a time refuses a
/// second handle by [`StoreError::Busy`].
///
/// # Errors
///
/// A sentence that names the rule that the store broke.
pub fn check(open: &mut Open<'_>) -> Result<(), String> {
    lines_come_back(open)?;
    one_line_for_each_number(open)?;
    holders_are_seen(open)?;
    two_writers_share_the_numbers(open)?;
    caps_are_met_exactly(open)
}

/// Lines of a chain, from short to long.
fn lines(count: u64) -> Vec<Vec<u8>> {
    let mut link = Link::first();
    (0..count)
        .map(|number| {
            let name = format!("ü {number} \n% ").repeat(1 << (2 * (number % 9)));
            let cap = Price::pure(1.into());
            let record = Record {
                number,
                time: 1_763_430_000_000 + number,
                event: Event::Account { name, cap },
            };
            let (line, next) = frame::seal(&record, link).expect("far below the limit");
            link = next;
            line
        })
        .collect()
}

fn lines_come_back(open: &mut Open<'_>) -> Result<(), String> {
    let lines = lines(20);
    let mut places = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        // A new handle for each: what it reads was durable, at least for this process.
        let mut store = open("lines").map_err(said("open"))?;
        let found = read(&mut *store, 0)?;
        require(
            found.iter().map(|(_, line)| line).eq(&lines[..number]),
            || format!("`read` does not give back the {number} lines that were appended"),
        )?;
        for (at, (place, _)) in found.iter().enumerate() {
            require(*place == places[at], || "a place has changed".into())?;
            let line = store.line(*place).map_err(said("line"))?;
            require(line == lines[at], || "`line` gives another line".into())?;
            let rest = read(&mut *store, at as u64)?;
            require(rest == found[at..], || {
                format!("`read` from {at} on does not give the lines from there on")
            })?;
        }
        match store.append(number as u64, line).map_err(said("append"))? {
            Appended::At(place) => places.push(place),
            Appended::Taken => return Err(format!("number {number} is free and was refused")),
        }
        let mut visited = 0;
        let mut visit = |_, _: &[u8]| {
            visited += 1;
            ControlFlow::Break(())
        };
        store.read(0, &mut visit).map_err(said("read"))?;
        require(visited == 1, || "`read` goes on after a break".into())?;
    }
    Ok(())
}

fn one_line_for_each_number(open: &mut Open<'_>) -> Result<(), String> {
    let lines = lines(3);
    let mut store = open("numbers").map_err(said("open"))?;
    for number in [1, 2, u64::MAX] {
        let appended = store.append(number, &lines[0]);
        require(matches!(appended, Ok(Appended::Taken)), || {
            format!("an empty store appended number {number}")
        })?;
    }
    for number in 0..2 {
        let line = &lines[number as usize];
        let appended = store.append(number, line).map_err(said("append"))?;
        require(appended != Appended::Taken, || {
            "a free number was refused".into()
        })?;
        for other in [0, number, number + 2] {
            let appended = store.append(other, &lines[2]);
            require(matches!(appended, Ok(Appended::Taken)), || {
                format!("number {other} was appended to {} lines", number + 1)
            })?;
        }
    }
    let found = read(&mut *store, 0)?;
    require(found.len() == 2, || "a refused line is there".into())
}

fn holders_are_seen(open: &mut Open<'_>) -> Result<(), String> {
    let mut first = open("holders").map_err(said("open"))?;
    let mut second = match open("holders") {
        // One user at a time: nobody else can hold anything.
        Err(StoreError::Busy) => {
            let held = first.is_held(7).map_err(said("is_held"))?;
            return require(!held, || "a lease is held that nobody holds".into());
        }
        other => other.map_err(said("open"))?,
    };
    let held = |store: &mut Box<dyn Store>, lease| store.is_held(lease).map_err(said("is_held"));
    for lease in [7, 8] {
        let free = first.hold(lease).map_err(said("hold"))?;
        require(free, || format!("lease {lease} is free and was refused"))?;
    }
    let free = second.hold(7).map_err(said("hold"))?;
    require(!free, || "two users hold one lease".into())?;
    for (lease, expected) in [(7, true), (8, true), (9, false)] {
        require(held(&mut second, lease)? == expected, || {
            format!("another user is told the opposite of whether lease {lease} is held")
        })?;
    }
    first.let_go(7);
    require(!held(&mut second, 7)?, || {
        "a lease is held after `let_go`".into()
    })?;
    require(held(&mut second, 8)?, || {
        "`let_go` let another lease go".into()
    })?;
    drop(first);
    // A server may take a moment to see that a user is gone.
    for _ in 0..200 {
        if !held(&mut second, 8)? {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Err("a lease is held by a user that is gone".into())
}

fn two_writers_share_the_numbers(open: &mut Open<'_>) -> Result<(), String> {
    let first = open("writers").map_err(said("open"))?;
    let second = match open("writers") {
        Err(StoreError::Busy) => return Ok(()),
        other => other.map_err(said("open"))?,
    };
    let lines = &lines(30);
    let won = std::thread::scope(|scope| {
        let writers = [first, second].map(|mut store| {
            scope.spawn(move || {
                let mut won = 0;
                for (number, line) in lines.iter().enumerate() {
                    // An error is allowed: this writer tries again, until the number is taken.
                    let mut appended = store.append(number as u64, line);
                    for _ in 0..100 {
                        if appended.is_ok() {
                            break;
                        }
                        appended = store.append(number as u64, line);
                    }
                    won += u64::from(matches!(appended, Ok(Appended::At(_))));
                }
                won
            })
        });
        writers.map(|writer| writer.join().unwrap_or(u64::MAX / 4))
    });
    require(won[0] + won[1] <= 30, || {
        format!(
            "of 30 numbers, two writers were given {} and {}",
            won[0], won[1]
        )
    })?;
    let mut store = open("writers").map_err(said("open"))?;
    let found = read(&mut *store, 0)?;
    require(found.iter().map(|(_, line)| line).eq(lines), || {
        "two writers left other lines than they wrote".into()
    })
}

/// Many threads, on as many handles as the store allows, spend all of an account and no more.
fn caps_are_met_exactly(open: &mut Open<'_>) -> Result<(), String> {
    let ledger = Ledger::on(open("caps").map_err(said("open"))?).map_err(said("open"))?;
    let tenths = |n| Price::pure(Ratio::new(n, 10));
    ledger
        .create_account("a", tenths(20))
        .map_err(said("create an account"))?;
    let mut handles = vec![ledger];
    match open("caps") {
        Err(StoreError::Busy) => {}
        other => {
            let store = other.map_err(said("open"))?;
            handles.push(Ledger::on(store).map_err(said("open"))?);
        }
    }
    let leases = Mutex::new(Vec::<Lease>::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|i| {
                let account = handles[i % handles.len()].account("a");
                let leases = &leases;
                scope.spawn(move || -> Result<(), LedgerError> {
                    let account = account?;
                    // Eight times five tenths, and only two are there.
                    for _ in 0..5 {
                        match account.lease(tenths(1)) {
                            Ok(lease) => {
                                lease.charge(tenths(1), "one tenth")?;
                                let Err(LedgerError::Exceeds { .. }) = lease.charge(tenths(1), "")
                                else {
                                    return Err(LedgerError::Fenced);
                                };
                                leases.lock().unwrap_or_else(|e| e.into_inner()).push(lease);
                            }
                            Err(LedgerError::Exceeds { .. }) => {}
                            Err(error) => return Err(error),
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(done) => done.map_err(said("charge")),
                Err(_) => Err("a thread panicked".into()),
            })
    })?;
    let taken = leases.into_inner().unwrap_or_else(|e| e.into_inner()).len();
    require(taken == 20, || {
        format!("{taken} tenths were charged to a cap of 20 tenths")
    })?;
    let balance = handles[0]
        .account("a")
        .and_then(|account| account.balance());
    let balance = balance.map_err(said("read the balance"))?;
    require(balance.spent == tenths(20) && balance.charges == 20, || {
        format!(
            "20 tenths were charged, and the account says {}",
            balance.spent
        )
    })
}

fn read(store: &mut dyn Store, from: u64) -> Result<Vec<(Place, Vec<u8>)>, String> {
    let mut found = Vec::new();
    store
        .read(from, &mut |place, line| {
            found.push((place, line.to_vec()));
            ControlFlow::Continue(())
        })
        .map_err(said("read"))?;
    Ok(found)
}

fn require(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn said<E: core::fmt::Display>(what: &str) -> impl Fn(E) -> String {
    move |error| format!("`{what}` failed: {error}")
}
