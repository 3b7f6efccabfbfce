//! A program that is killed in the middle of its releases, and run again until it has all of its
//! answers: the same answers, and one charge each.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use privet::ledger::{Balance, Ledger};
use privet::prelude::*;
use rand::RngExt;

#[derive(Record, Clone)]
struct Visit {
    age: i64,
    minutes: i64,
}

type Visits = Table<Visit>;

fn visits<E: Epsilon>() -> Mechanism<Visits, i64, E> {
    rows::<Visit>().count().laplace()
}

fn by_decade<E: Epsilon>() -> Mechanism<Visits, Vec<i64>, E> {
    let decade = [20, 30, 40, 50, 60, 70, 80];
    rows::<Visit>()
        .histogram(move |v| v.age.bins(decade))
        .laplace()
}

fn minutes<E: Epsilon>() -> Mechanism<Visits, i64, E> {
    rows::<Visit>()
        .sum(|v| v.minutes.clamp::<0, 240>())
        .laplace()
}

/// The program: three releases, each under a name, with work of its own in between.
pub fn program(ledger: &Path) -> privet::Result<()> {
    let account = Ledger::at(ledger)
        .waiting(Duration::from_secs(60))
        .open()?
        .account("visits")?;
    let vault: Vault<Visits, Eps<1, 1>> = Vault::open_on(&account, data())?;
    let (n, vault) = vault.release_as("2026/visits", visits::<Eps<1, 4>>())?;
    tell(&format!("visits: {n}"));
    let (ages, vault) = vault.release_as("2026/by decade", by_decade::<Eps<1, 4>>())?;
    tell(&format!("by decade: {ages:?}"));
    let (minutes, vault) = vault.release_as("2026/minutes", minutes::<Eps<1, 4>>())?;
    tell(&format!("minutes: {minutes}"));
    vault.close() // the last quarter goes back
}

fn data() -> Vec<Visit> {
    let mut rng = common::rng(14);
    let visit = |_| Visit {
        age: rng.random_range(0..100),
        minutes: rng.random_range(5..200),
    };
    (0..10_000).map(visit).collect()
}

/// Says an answer, and works on it for a while: there it is killed.
fn tell(answer: &str) {
    println!("\nanswer {answer}");
    let _ = std::io::stdout().flush();
    std::thread::sleep(Duration::from_millis(300));
}

/// What three runs were told, and what is left.
#[derive(Debug)]
pub struct Figures {
    /// What each run was told, in order.
    pub runs: Vec<Vec<String>>,
    /// The account at the end.
    pub balance: Balance,
}

/// Runs `program` in processes of its own: kills the first after one answer, the second after two.
pub fn run(mut command: Command) -> privet::Result<Figures> {
    let dir = std::env::temp_dir().join(format!("privet-restart-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the ledger");
    let path = dir.join("clinic.ledger");
    Ledger::create(&path)?.create_account("visits", "eps = 3".parse().expect("a price"))?;
    command.env("PRIVET_RESTART", &path).stdout(Stdio::piped());
    let mut runs = Vec::new();
    for kill_after in [1, 2, usize::MAX] {
        let mut child = command.spawn().expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut told = Vec::new();
        for line in lines.map_while(Result::ok) {
            if let Some(answer) = line.strip_prefix("answer ") {
                told.push(answer.to_owned());
                if told.len() == kill_after {
                    let _ = child.kill();
                }
            }
        }
        let _ = child.wait();
        runs.push(told);
    }
    let balance = Ledger::open(&path)?.account("visits")?.balance()?;
    let _ = std::fs::remove_dir_all(&dir);
    Ok(Figures { runs, balance })
}

fn main() -> privet::Result<()> {
    if let Some(path) = std::env::var_os("PRIVET_RESTART") {
        return program(Path::new(&path));
    }
    let figures = run(Command::new(std::env::current_exe().expect("this program")))?;
    let mut answers = BTreeMap::new();
    for (i, told) in figures.runs.iter().enumerate() {
        let ended = if i < 2 { "killed" } else { "done" };
        println!("run {}, {ended}; answers: {}", i + 1, told.len());
        for answer in told {
            println!("  {answer}");
            answers.entry(answer).or_insert(0);
        }
    }
    let balance = figures.balance;
    println!(
        "\n{} different answers in all, {} charges: spent {} of {}, left {}",
        answers.len(),
        balance.charges,
        balance.spent,
        balance.cap,
        balance.left
    );
    Ok(())
}
