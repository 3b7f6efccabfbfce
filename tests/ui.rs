//! Programs that must compile, and programs that must not, with what the compiler says about them.
//!
//! Every program in `ui-tests/fail` starts with `//! expect: …` lines: what the one error must say,
//! on whatever toolchain runs. It has a passing twin in `ui-tests/pass` at the same path, a token
//! away. Full snapshots (`.stderr`) are compared only by the rustc that recorded them
//! (`ui-tests/recorded-rustc`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What the programs in `ui-tests/mistakes` include.
const SHARED: &str = "mistakes/patients.rs";

/// All programs below `ui-tests/{kind}`, as sorted paths relative to it.
fn programs(kind: &str) -> Vec<PathBuf> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with(SHARED) {
                found.push(path);
            }
        }
    }
    let top = Path::new(ROOT).join("ui-tests").join(kind);
    let mut found = Vec::new();
    walk(&top, &mut found);
    let mut found: Vec<_> = found
        .into_iter()
        .map(|p| p.strip_prefix(&top).unwrap().to_owned())
        .collect();
    found.sort();
    found
}

fn source(kind: &str, program: &Path) -> String {
    std::fs::read_to_string(Path::new(ROOT).join("ui-tests").join(kind).join(program)).unwrap()
}

/// The values of `//! key: value` lines at the top.
fn headers<'a>(source: &'a str, key: &str) -> Vec<&'a str> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//! "))
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
        .collect()
}

/// What one error says, as a person reads it.
struct Diagnostic {
    message: String,
    rendered: String,
}

/// Checks all programs of these kinds in one `cargo check` and returns the errors of each.
fn check_all(package: &str, kinds: &[&str]) -> BTreeMap<String, Vec<Diagnostic>> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package);
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let mut manifest = format!(
        "[package]\nname = {package:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[dependencies]\nprivet = {{ path = {ROOT:?} }}\n"
    );
    for kind in kinds {
        for program in programs(kind) {
            let path = Path::new(ROOT).join("ui-tests").join(kind).join(&program);
            manifest += &format!(
                "\n[[bin]]\nname = {:?}\npath = {path:?}\n",
                name(kind, &program)
            );
        }
    }
    std::fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(Path::new(ROOT).join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--bins",
            "--keep-going",
            "--quiet",
            "--message-format=json",
        ])
        .current_dir(&dir)
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui-target"),
        )
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let mut errors = BTreeMap::<String, Vec<Diagnostic>>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let target = message["target"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let message = &message["message"];
        // The closing "aborting due to …" has no span of its own and is not a mistake in the program.
        if message["level"] == "error" && message["spans"].as_array().is_some_and(|s| !s.is_empty())
        {
            errors.entry(target).or_default().push(Diagnostic {
                message: message["message"].as_str().unwrap().to_owned(),
                rendered: message["rendered"].as_str().unwrap().to_owned(),
            });
        }
    }
    assert!(
        errors
            .keys()
            .all(|name| kinds.iter().any(|kind| name.starts_with(kind))),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    errors
}

fn name(kind: &str, program: &Path) -> String {
    let stem = program.with_extension("");
    let parts: Vec<_> = stem.iter().map(|part| part.to_str().unwrap()).collect();
    format!("{kind}--{}", parts.join("--"))
}

#[test]
fn messages() {
    let errors = check_all("ui", &["pass", "fail"]);
    let mut complaints = Vec::new();
    for program in programs("pass") {
        for error in errors.get(&name("pass", &program)).into_iter().flatten() {
            complaints.push(format!(
                "{} should compile:\n{}",
                program.display(),
                error.rendered
            ));
        }
    }
    for program in programs("fail") {
        let source = source("fail", &program);
        let expected = headers(&source, "expect");
        let found = errors
            .get(&name("fail", &program))
            .map_or(&[][..], Vec::as_slice);
        let mut complain = |what: String| {
            let shown: Vec<_> = found.iter().map(|e| e.rendered.as_str()).collect();
            complaints.push(format!(
                "{}: {what}:\n{}",
                program.display(),
                shown.join("\n")
            ));
        };
        if expected.is_empty() {
            complain("says nothing of what it expects".into());
        }
        // A forger's program may break several rules at once, and says so; older compilers report
        // fewer of them.
        let errors = headers(&source, "errors")
            .first()
            .map_or(1, |n| n.parse().unwrap());
        if !(1..=errors).contains(&found.len()) {
            complain(format!(
                "1 to {errors} expected, not {}: one mistake is one error",
                found.len()
            ));
        }
        for fragment in expected {
            if !found.iter().any(|error| error.rendered.contains(fragment)) {
                complain(format!("does not say {fragment:?}"));
            }
        }
        // Readers see decimal numbers, never the digits or bits behind them.
        for tower in ["UInt<", "UTerm", "Dec<"] {
            if found.iter().any(|error| error.rendered.contains(tower)) {
                complain(format!("shows {tower:?} to the reader"));
            }
        }
        if found.iter().any(|error| error.message.len() > 240) {
            complain("the message is too long".into());
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The budget met exactly compiles: every failing program differs from its twin in one place.
#[test]
fn twins() {
    for program in programs("fail") {
        let twin = Path::new(ROOT).join("ui-tests/pass").join(&program);
        assert!(twin.exists(), "{} has no passing twin", program.display());
        let code = |kind| -> Vec<String> {
            let source = source(kind, &program);
            source
                .lines()
                .filter(|l| !l.starts_with("//!"))
                .map(str::to_owned)
                .collect()
        };
        let (fail, pass) = (code("fail"), code("pass"));
        let head = fail.iter().zip(&pass).take_while(|(a, b)| a == b).count();
        let tail = fail
            .iter()
            .rev()
            .zip(pass.iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let differ = fail.len().max(pass.len()).saturating_sub(head + tail);
        let allowed = headers(&source("fail", &program), "twin-lines")
            .first()
            .map_or(1, |lines| lines.parse().unwrap());
        assert!(differ >= 1, "{} is its own twin", program.display());
        assert!(
            differ <= allowed,
            "{} differs from its twin in {differ} lines",
            program.display()
        );
        assert!(
            fail.len() <= 40,
            "{} is too long to read",
            program.display()
        );
    }
}

/// Everyday mistakes: how many errors and lines a reader gets, against `ui-tests/mistakes/table.txt`.
///
/// The programs were written before anyone looked at what the compiler says of them. Where a mistake lies
/// in a constant, only `cargo build` finds it, and the figures here are 0; so are those of Laplace noise priced in ρ,
/// which was a mistake when it was written. Some mistakes are several to
/// rustc: both sides of `&&` are of the wrong type.
/// `PRIVET_OVERWRITE=1 cargo test --test ui mistakes` records the figures of the recorded rustc.
#[test]
fn mistakes() {
    let errors = check_all("mistakes", &["mistakes"]);
    let path = Path::new(ROOT).join("ui-tests/mistakes/table.txt");
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    let before: BTreeMap<&str, &str> = recorded
        .lines()
        .filter_map(|line| line.split_once(" | before "))
        .map(|(line, before)| (line.split(" | ").next().unwrap().trim_end(), before))
        .collect();
    let mut table = String::from("program | errors lines | before errors lines\n");
    let (mut refused, mut one, mut short) = (0, 0, 0);
    for program in programs("mistakes") {
        let found = errors
            .get(&name("mistakes", &program))
            .map_or(&[][..], Vec::as_slice);
        let lines: usize = found
            .iter()
            .map(|e| e.rendered.trim().lines().count())
            .sum();
        refused += usize::from(!found.is_empty());
        one += usize::from(found.len() == 1);
        short += usize::from(!found.is_empty() && lines <= 40);
        let program = program.with_extension("").display().to_string();
        let before = before.get(program.as_str()).unwrap_or(&"-");
        table += &format!("{program} | {} {lines} | before {before}\n", found.len());
        for error in found {
            for private in ["UInt<", "UTerm", "Dec<", "typenum"] {
                assert!(
                    !error.rendered.contains(private),
                    "{program} shows {private:?}:\n{}",
                    error.rendered
                );
            }
        }
    }
    table += &format!("{one} of {refused} print one error, {short} at most 40 lines\n");
    assert!(refused >= 150);
    assert!(one * 100 >= refused * 95, "{table}");
    assert!(short * 100 >= refused * 95, "{table}");
    assert_eq!(programs("mistakes").len() - refused, 5, "{table}");
    if std::env::var_os("PRIVET_OVERWRITE").is_some() {
        std::fs::write(path, table).unwrap();
    } else if recorded_rustc_runs() {
        assert_eq!(recorded, table);
    }
}

/// The front page shows a program that is tested here, and what the compiler says of it.
#[test]
fn front_page() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let block = |start: &str| {
        let from = readme
            .split_once(start)
            .unwrap()
            .1
            .split_once('\n')
            .unwrap()
            .1;
        from.split_once("\n```").unwrap().0.to_owned()
    };
    let source = source("fail", Path::new("front_page/a_third_release.rs"));
    let code: Vec<_> = source
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .collect();
    assert_eq!(block("```rust,compile_fail"), code.join("\n"));
    let stderr = Path::new(ROOT).join("ui-tests/fail/front_page/a_third_release.stderr");
    let recorded = std::fs::read_to_string(stderr).unwrap();
    // In a reader's project the program is `src/main.rs`, and has no header.
    let header = source.lines().count() - code.len();
    let (_, place) = recorded.split_once("a_third_release.rs:").unwrap();
    let line: usize = place.split_once(':').unwrap().0.parse().unwrap();
    let read = line - header;
    let printed = recorded
        .replace(
            &format!("ui-tests/fail/front_page/a_third_release.rs:{line}:"),
            &format!("src/main.rs:{read}:"),
        )
        .replace(&format!("\n{line} |"), &format!("\n{read} |"));
    assert_eq!(block("```text"), printed.trim_end());
}

/// Whether the rustc that recorded snapshots and figures is the one that runs.
fn recorded_rustc_runs() -> bool {
    let recorded =
        std::fs::read_to_string(Path::new(ROOT).join("ui-tests/recorded-rustc")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let running = Command::new(rustc)
        .arg("--version")
        .output()
        .unwrap()
        .stdout;
    let running = String::from_utf8(running).unwrap();
    let same = running.split_whitespace().nth(1) == Some(recorded.trim());
    if !same {
        println!(
            "snapshots are of rustc {}, this is {running}: compared messages only",
            recorded.trim()
        );
    }
    same
}

/// Word for word, where the recorded rustc runs; record with `TRYBUILD=overwrite`.
#[test]
fn snapshots() {
    if !recorded_rustc_runs() {
        return;
    }
    // The passing twins are checked by `messages`; here they would be built and run, for minutes.
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui-tests/fail/**/*.rs");
}
