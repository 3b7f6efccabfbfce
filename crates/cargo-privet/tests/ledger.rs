//! `cargo privet ledger` on a ledger that a program has written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use privet::ledger::Ledger;
use privet::prelude::*;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

struct Dir(PathBuf);

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn dir(name: &str) -> Dir {
    let dir = std::env::temp_dir().join(format!("privet-cli-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    Dir(dir)
}

fn privet(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-privet"));
    command
        .args(["privet", "ledger"])
        .args(args)
        .output()
        .unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = privet(args);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(args: &[&str]) -> String {
    let output = privet(args);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

/// The owner creates an account; a program charges twice, once under a name.
fn prepared(path: &Path) {
    let file = path.to_str().unwrap();
    let said = stdout(&["create", file, "patients", "eps = 2"]);
    assert!(
        said.starts_with("account `patients` may ever spend ε = 2: whatever an attacker"),
        "{said}"
    );
    let ledger = Ledger::open(path).unwrap().as_program("nightly, \"new\"");
    let account = ledger.account("patients").unwrap();
    let vault: Vault<Table<Patient>, Eps<1, 1>> =
        Vault::open_on(&account, vec![Patient { age: 71 }; 9]).unwrap();
    let count = || rows::<Patient>().count().laplace::<Eps<1, 4>>();
    let (_, vault) = vault
        .release_as("2026-q3/patients", count().map(|_| vec![1, 2]))
        .unwrap();
    let (_, vault) = vault.release(count().named("<patients>")).unwrap();
    // As a program that dies: the lease stays open.
    std::mem::forget(vault);
}

#[test]
fn a_ledger_is_shown_logged_verified_and_exported() {
    let dir = dir("all");
    let path = dir.0.join("hospital.ledger");
    prepared(&path);
    let file = path.to_str().unwrap();
    let shown = stdout(&["show", file]);
    assert!(shown.contains("patients  ε = 2\n"), "{shown}");
    assert!(
        shown.contains("█ spent ε = 1/2   ▒ set aside ε = 1/2   · left ε = 1\n"),
        "{shown}"
    );
    let bar = format!("  {}{}{}\n", "█".repeat(12), "▒".repeat(12), "·".repeat(24));
    assert!(shown.contains(&bar), "{shown}");
    assert!(shown.contains("2 charges, 1 stored answer\n"), "{shown}");
    assert!(
        shown.contains("if all of it is spent: whatever an attacker believed"),
        "{shown}"
    );
    assert!(
        shown.contains("ε = 1 set aside, ε = 1/2 charged"),
        "{shown}"
    );

    let log = stdout(&["log", file]);
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].starts_with("time (UTC)"), "{log}");
    assert!(
        lines[1].contains("2026-q3/patients") && lines[1].ends_with("answered"),
        "{log}"
    );
    assert!(
        lines[2].contains("<patients>") && lines[2].ends_with("not stored"),
        "{log}"
    );
    assert!(lines[3].starts_with("2 charges, head "), "{log}");

    let json: serde_json::Value = serde_json::from_str(&stdout(&["export", file])).unwrap();
    assert_eq!(json["accounts"][0]["spent"], "ε = 1/2");
    assert_eq!(json["charges"][0]["answer"], serde_json::json!([1, 2]));
    assert_eq!(json["charges"][0]["answered"], true);
    assert_eq!(json["charges"][1]["answered"], serde_json::Value::Null);
    let csv = stdout(&["export", file, "--format", "csv"]);
    let rows: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(
        rows[0],
        "record,time,account,program,release,named,price,answered,answer"
    );
    assert!(rows[1].contains(
        ",patients,\"nightly, \"\"new\"\"\",2026-q3/patients,true,ε = 1/4,true,\"[1,2]\""
    ));
    assert_eq!(rows.len(), 4);
    let page = stdout(&["export", file, "--format", "html"]);
    assert!(page.contains("&lt;patients&gt;") && !page.contains("<patients>"));
    assert!(page.contains("width:25.00%"), "{page}");

    let sound = stdout(&["verify", file]);
    assert!(sound.starts_with("sound: 5 records"), "{sound}");
    let head = sound
        .lines()
        .last()
        .unwrap()
        .strip_prefix("head ")
        .unwrap()
        .to_owned();
    stdout(&["verify", file, "--expect", &head]);
    // A copy that nobody has open. The old head is in its history after it went on.
    let copy = dir.0.join("copy");
    std::fs::copy(&path, &copy).unwrap();
    let copy = copy.to_str().unwrap();
    stdout(&["create", copy, "visits", "rho = 1/8"]);
    stdout(&["verify", copy, "--expect", &head]);
    assert!(stdout(&["show", copy]).contains("visits  ρ = 1/8\n"));
}

#[test]
fn a_ledger_that_is_not_sound_has_a_status_of_its_own() {
    let dir = dir("damaged");
    let path = dir.0.join("l");
    prepared(&path);
    let file = path.to_str().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let before = |args: &[&str]| {
        let output = privet(args);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    // A charge is made smaller.
    std::fs::write(&path, text.replacen("eps=1/4", "eps=1/9", 1)).unwrap();
    let said = before(&["verify", file]);
    assert!(
        said.starts_with("not sound: record 2 of the ledger is damaged (its hash does not"),
        "{said}"
    );
    assert!(stderr(&["show", file]).contains("record 2 of the ledger is damaged"));
    // The last record is gone, which only a head shows.
    std::fs::write(&path, &text).unwrap();
    let head = stdout(&["verify", file]).lines().last().unwrap()[5..].to_owned();
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    std::fs::write(&path, &text[..end]).unwrap();
    stdout(&["verify", file]);
    let said = before(&["verify", file, "--expect", &head]);
    assert!(
        said.contains("does not contain the expected head"),
        "{said}"
    );
    // A record that was not finished is reported.
    std::fs::write(&path, &text[..text.len() - 10]).unwrap();
    assert!(stdout(&["verify", file]).contains("are of a record that was not finished"));
}

#[test]
fn mistakes_have_remedies() {
    let dir = dir("mistakes");
    let path = dir.0.join("l");
    let file = path.to_str().unwrap();
    assert!(stderr(&["show", file]).contains("there is no ledger; its owner creates one with"));
    assert!(stderr(&["create", file, "a", "much"]).contains("`much` is not a price"));
    assert!(stderr(&["create", file]).contains("<ACCOUNT>"));
    assert!(stderr(&["tell", file]).contains("unrecognized subcommand 'tell'"));
    stdout(&["create", file, "a", "1"]);
    assert!(stderr(&["create", file, "a", "9"]).contains("a cap is never changed"));
    assert!(stderr(&["verify", file, "--expect", "x"]).contains("is not the head of a ledger"));
    let _held = Ledger::open(&path).unwrap();
    assert!(stderr(&["create", file, "b", "1"]).contains("another process has the ledger open"));
    // Reading needs no lock.
    stdout(&["show", file]);
}
