//! What an audit of many functions takes after an edit, beside `cargo check` after the same edit:
//! processor time, and by the clock.
//!
//! Each audit is followed by one without an edit. The difference is what the compiler and the linker
//! take; the rest is the tool itself, with what it asks cargo, rustc and git.
//!
//! `cargo bench -p cargo-privet --bench scale [-- FUNCTIONS]`

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How many functions are in one module.
const MODULE: usize = 50;

/// How often each edit is made.
const ROUNDS: usize = 9;

/// A change of the project at a path, in one of several rounds.
type Edit = fn(&Path, usize);

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let functions: usize = asked.unwrap_or(500);
    let root = std::env::temp_dir().join(format!("privet-scale-{}", std::process::id()));
    write(&root, functions);
    let check = || {
        let mut command = Command::new("cargo");
        command.args(["check", "--quiet", "--offline"]);
        command
    };
    let audit = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-privet"));
        command.args(["privet", "audit", "--quiet", "--offline"]);
        command
    };
    // Dependencies are built once.
    run(&root, check());
    run(&root, audit());
    println!("{functions} audited functions in modules of {MODULE}");
    let edits: [(&str, Edit); 2] = [
        ("after an edit of one of them", edit),
        ("after a new line above them all", add_line),
    ];
    for (what, edit) in edits {
        let (mut checks, mut audits, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            edit(&root, round);
            checks.push(run(&root, check()));
            audits.push(run(&root, audit()));
            again.push(run(&root, audit()));
        }
        let (check, audit, again) = (
            Time::median(&checks),
            Time::median(&audits),
            Time::median(&again),
        );
        println!("{what}: processor time (by the clock)");
        println!("  cargo check             {check}");
        println!("  cargo privet audit      {audit}, {}", audit.times(check));
        println!("    and without an edit   {again}");
    }
    let _ = std::fs::remove_dir_all(root);
}

fn write(root: &Path, functions: usize) {
    let privet: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let privet = privet.canonicalize().expect("the repository");
    std::fs::create_dir_all(root.join("src")).expect("a directory");
    let manifest = format!(
        "[package]\nname = \"scale\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nprivet = {{ path = {:?}, default-features = false }}\n",
        privet.display().to_string()
    );
    std::fs::write(root.join("Cargo.toml"), manifest).expect("written");
    std::fs::copy(privet.join("Cargo.lock"), root.join("Cargo.lock")).expect("copied");
    let policy = "[data.Row]\nat_most = \"1000\"\n";
    std::fs::write(root.join("privet.toml"), policy).expect("written");
    let mut text = String::from(
        "//! Many functions.\n#![forbid(unsafe_code)]\nuse privet::prelude::*;\n#[derive(Record)]\npub struct Row { pub age: i64 }\n",
    );
    for n in 0..functions {
        if n % MODULE == 0 {
            text += &format!("pub mod part_{} {{\nuse super::*;\n", n / MODULE);
        }
        let price = 1 + n % 900;
        text += &format!(
            "#[privet::audited]\npub fn question_{n}() -> Mechanism<Table<Row>, i64, Eps<1, {price}>> {{\n    rows::<Row>().filter(|row| row.age.gt({n})).count().laplace()\n}}\n"
        );
        if n % MODULE == MODULE - 1 || n + 1 == functions {
            text += "}\n";
        }
    }
    std::fs::write(root.join("src/lib.rs"), text).expect("written");
}

/// Another constant in a body, so that one function is another.
fn edit(root: &Path, round: usize) {
    let file = root.join("src/lib.rs");
    let text = std::fs::read_to_string(&file).expect("a file");
    let (from, to) = (format!("gt({round})"), format!("gt({})", round + 10_000));
    std::fs::write(file, text.replace(&from, &to)).expect("written");
}

/// Moves every function down by a line.
fn add_line(root: &Path, _: usize) {
    let file = root.join("src/lib.rs");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(file, format!("//!\n{text}")).expect("written");
}

/// What a program takes.
#[derive(Clone, Copy)]
struct Time {
    processor: Duration,
    clock: Duration,
}

impl Time {
    /// The medians of some.
    fn median(times: &[Time]) -> Time {
        let middle = |of: fn(&Time) -> Duration| {
            let mut times: Vec<Duration> = times.iter().map(of).collect();
            times.sort();
            times[times.len() / 2]
        };
        Time {
            processor: middle(|time| time.processor),
            clock: middle(|time| time.clock),
        }
    }

    /// How many times another it is.
    fn times(self, other: Time) -> String {
        let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
        let (processor, clock) = (
            ratio(self.processor, other.processor),
            ratio(self.clock, other.clock),
        );
        format!("{processor:.2} times that ({clock:.2})")
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2?} ({:.2?})", self.processor, self.clock)
    }
}

fn run(root: &Path, mut command: Command) -> Time {
    let (start, clock) = (processor_time(), Instant::now());
    let status = command.current_dir(root).env_remove("CARGO_TARGET_DIR");
    let status = status.stdout(Stdio::null()).status().expect("a program");
    assert!(status.success(), "{command:?}");
    Time {
        processor: processor_time().saturating_sub(start),
        clock: clock.elapsed(),
    }
}

/// Processor time of all finished children where the system tells (Linux, in ticks of 10 ms), so that
/// other work on the machine does not count; else the clock.
fn processor_time() -> Duration {
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    match ticks() {
        Some(ticks) => Duration::from_millis(10 * ticks),
        None => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    }
}
