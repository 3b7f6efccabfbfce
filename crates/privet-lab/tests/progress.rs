//! The long mode, as a user starts it: this program runs itself.
#![forbid(unsafe_code)]

use std::process::Command;

use privet_lab::audit::draws_or;
use privet_lab::{Audit, Claim, Error};

#[test]
#[ignore = "run by the tests below"]
fn an_audit() -> Result<(), Error> {
    let audit = Audit::new(Claim::Pure(0.0)).draws(draws_or(100_000));
    let report = audit.named("nothing at all").run(|_| 7, |_| 7)?;
    assert!(!report.is_refuted());
    Ok(())
}

/// What an audit in another process writes to standard error.
fn standard_error(draws: Option<&str>) -> std::io::Result<String> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--ignored", "--exact", "an_audit", "--nocapture"]);
    match draws {
        Some(draws) => command.env("PRIVET_LAB_DRAWS", draws),
        None => command.env_remove("PRIVET_LAB_DRAWS"),
    };
    let output = command.output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn the_long_mode_shows_progress_up_to_the_end() -> std::io::Result<()> {
    let shown = standard_error(Some("5e7"))?;
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains('%')).collect();
    assert!(lines.len() >= 10, "{shown}");
    assert!(lines.iter().all(|line| line.starts_with("nothing at all")));
    assert!(
        lines.last().is_some_and(|line| line.contains(" 100 %")),
        "{shown}"
    );
    Ok(())
}

#[test]
fn the_normal_mode_shows_none() -> std::io::Result<()> {
    let shown = standard_error(None)?;
    assert!(!shown.contains('%'), "{shown}");
    Ok(())
}
