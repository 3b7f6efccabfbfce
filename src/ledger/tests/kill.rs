//! A program that is ended with SIGKILL, at every sync and at random moments, and run again.
//!
//! 200 kills in a normal run; `PRIVET_LEDGER_KILLS=10000` makes it as many.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::basics::{Dir, FP, price};
use crate::ledger::Ledger;
use crate::ledger::file::{Disk, FileStore};
use crate::ledger::lease::Paid;

const NAMES: u64 = 6;

/// A file that says when it is about to sync or has synced, and waits for the parent's word there.
struct Pausing {
    file: std::fs::File,
    syncs: u64,
    /// The moment to stop at: twice the number of the sync, and one more if after it.
    stop: u64,
}

impl Pausing {
    fn moment(&self, moment: u64) {
        if moment == self.stop {
            println!("\nat the moment");
            io::stdout().flush().unwrap();
            // Until the parent kills this process.
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }
}

impl Disk for Pausing {
    fn size(&mut self) -> io::Result<u64> {
        self.file.size()
    }
    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(at, into)
    }
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(at, bytes)
    }
    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.file.cut(size)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.moment(2 * self.syncs);
        self.file.sync()?;
        self.moment(2 * self.syncs + 1);
        self.syncs += 1;
        Ok(())
    }
}

/// Run by the tests below in a process of its own: releases everything that has no answer yet, and
/// says what it was told.
#[test]
#[ignore = "a part of the kill tests"]
fn child_that_releases() {
    let Some(path) = std::env::var_os("PRIVET_LEDGER_KILL") else {
        return;
    };
    let stop = std::env::var("PRIVET_LEDGER_STOP").map_or(u64::MAX, |s| s.parse().unwrap());
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .unwrap();
    file.lock().unwrap();
    let disk = Pausing {
        file,
        syncs: 0,
        stop,
    };
    let ledger = Ledger::on(FileStore::on(disk).unwrap()).unwrap();
    let lease = ledger.account("a").unwrap().lease(price("1")).unwrap();
    for name in 0..NAMES {
        let name = name.to_string();
        let answer = match lease.charge_named(price("1/64"), &name, FP).unwrap() {
            Paid::Before(answer) => answer,
            Paid::Now(charge) => {
                println!("\ncharged {charge}");
                let answer = format!("{}", rand::random::<u64>());
                assert_eq!(lease.answer(charge, &name, FP, &answer).unwrap(), None);
                answer
            }
        };
        println!("\nanswer {name} {answer}");
        io::stdout().flush().unwrap();
    }
    lease.charge(price("1/64"), "plain").unwrap();
    println!("\ncharged {}", ledger.head().unwrap().records() - 1);
    lease.close().unwrap();
    println!("\ndone");
}

/// What all programs so far were told.
#[derive(Default)]
struct Told {
    charges: Vec<u64>,
    answers: [Option<String>; NAMES as usize],
}

/// Runs the child and kills it; returns whether it was done before.
fn run_and_kill(path: &Path, stop: Option<u64>, after: Option<Duration>, told: &mut Told) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "--ignored", "--nocapture"])
        .arg(super::races::child("kill::child_that_releases"))
        .env("PRIVET_LEDGER_KILL", path)
        .stdout(Stdio::piped());
    if let Some(stop) = stop {
        command.env("PRIVET_LEDGER_STOP", stop.to_string());
    }
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    if let Some(after) = after {
        std::thread::sleep(after);
        child.kill().unwrap();
    }
    let mut done = false;
    for line in lines {
        let line = line.unwrap();
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["charged", number] => told.charges.push(number.parse().unwrap()),
            ["answer", name, answer] => {
                let known = &mut told.answers[name.parse::<usize>().unwrap()];
                assert_eq!(
                    *known.get_or_insert(answer.to_owned()),
                    answer,
                    "another answer"
                );
            }
            ["at", "the", "moment"] => child.kill().unwrap(),
            ["done"] => done = true,
            _ => {}
        }
    }
    let status = child.wait().unwrap();
    assert!(!status.success() || done, "the child failed");
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        assert!(
            done || status.signal() == Some(9),
            "the child failed: {status}"
        );
    }
    done
}

/// The ledger opens, has every charge, and has every answer as it was told.
fn holds(path: &Path, told: &Told) {
    let charged = std::cell::Cell::new(0);
    let mut numbers = std::collections::BTreeSet::new();
    let verdict = crate::ledger::verify(path, None, |step| {
        if let crate::ledger::Event::Charge { .. } = step.record.event {
            numbers.insert(step.record.number);
            charged.set(charged.get() + 1);
        }
    })
    .unwrap();
    for number in &told.charges {
        assert!(numbers.contains(number), "charge {number} is lost");
    }
    let spent = verdict.balances[0].spent.epsilon().unwrap() * 64;
    assert_eq!(spent.to_integer(), charged.get());
    let ledger = Ledger::open(path).unwrap();
    let lease = ledger.account("a").unwrap().lease(price("1")).unwrap();
    for (name, answer) in told.answers.iter().enumerate() {
        if let Some(answer) = answer {
            match lease
                .charge_named(price("0"), &name.to_string(), FP)
                .unwrap()
            {
                Paid::Before(stored) => assert_eq!(stored, *answer),
                Paid::Now(_) => panic!("the answer for {name} is lost"),
            }
        }
    }
}

fn new_ledger(path: &Path) {
    let _ = std::fs::remove_file(path);
    let ledger = Ledger::create(path).unwrap();
    ledger.create_account("a", price("1000")).unwrap();
}

fn kills() -> u64 {
    std::env::var("PRIVET_LEDGER_KILLS").map_or(200, |n| n.parse().unwrap())
}

#[test]
fn killed_at_every_sync_and_run_again() {
    let dir = Dir::new("kill-syncs");
    let path = dir.0.join("l");
    // Each stop in a ledger of its own; the program runs again until it is done.
    let mut moments = 0;
    for stop in 0.. {
        new_ledger(&path);
        let mut told = Told::default();
        if run_and_kill(&path, Some(stop), None, &mut told) {
            break;
        }
        moments += 1;
        holds(&path, &told);
        assert!(run_and_kill(&path, None, None, &mut told));
        holds(&path, &told);
        assert!(told.answers.iter().all(Option::is_some));
    }
    // Opening, the lease, two for each name, the plain charge, the end: before and after each.
    assert_eq!(moments, 2 * (1 + 1 + 2 * NAMES + 1 + 1));
}

#[test]
fn killed_at_random_moments_and_run_again() {
    let dir = Dir::new("kill-random");
    let path = dir.0.join("l");
    let mut rng = StdRng::seed_from_u64(9);
    let mut told = Told::default();
    new_ledger(&path);
    let (mut killed, mut done) = (0, 0);
    let mut longest = 20_000;
    while killed < kills() {
        let after = Duration::from_micros(rng.random_range(0..longest));
        if run_and_kill(&path, None, Some(after), &mut told) {
            // Too late: the program was done. Kill earlier from now on.
            longest = (longest * 9 / 10).max(1_000);
            holds(&path, &told);
            told = Told::default();
            new_ledger(&path);
            done += 1;
            continue;
        }
        longest += longest / 50;
        killed += 1;
        if killed % 16 == 0 {
            holds(&path, &told);
        }
        if killed % 1_000 == 0 {
            println!("{killed} programs killed, {done} done");
        }
    }
    holds(&path, &told);
    println!("{killed} programs killed, {done} done; no charge and no answer lost");
}
