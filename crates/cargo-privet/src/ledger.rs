//! `cargo privet ledger`: what a ledger file says.

mod date;
mod history;
mod log;
mod page;
mod show;

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use privet::ledger::{Head, Ledger, LedgerError, StoreError, Verdict, verify};

use crate::cli::LedgerVerb;
use crate::error::{Error, Result};
use crate::style::Style;
pub use history::History;
pub use page::section;

/// How a ledger is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    Json,
    Csv,
    Html,
}

/// Answers, as text, and says whether the ledger is sound.
pub fn run(verb: &LedgerVerb, style: Style, quiet: bool) -> Result<(String, bool)> {
    let text = match verb {
        LedgerVerb::Create { file, account, cap } => create(file, account, cap)?,
        LedgerVerb::Show { file } => {
            let verdict = read(file, None, quiet, |_| {})?;
            show::text(&verdict, style)
        }
        LedgerVerb::Log { file } => log::table(&history(file, quiet)?, style),
        LedgerVerb::Verify { file, expect } => {
            return check(file, expect.as_deref(), style, quiet);
        }
        LedgerVerb::Export { file, format } => match format {
            Form::Json => crate::json(&history(file, quiet)?),
            Form::Csv => log::csv(&history(file, quiet)?),
            Form::Html => page::render(&history(file, quiet)?),
        },
    };
    Ok((text, true))
}

fn create(path: &Path, account: &str, cap: &str) -> Result<String> {
    let cap = cap.parse().map_err(|e| Error::Argument(format!("{e}")))?;
    let ledger = match Ledger::open(path) {
        Err(LedgerError::Store(StoreError::Missing | StoreError::Foreign)) => Ledger::create(path),
        other => other,
    };
    let ledger = ledger.map_err(failed(path))?;
    ledger.create_account(account, cap).map_err(failed(path))?;
    let head = ledger.head().map_err(failed(path))?;
    Ok(format!(
        "account `{account}` may ever spend {cap}: {}\nhead {head} (keep it elsewhere, and open with \
         it to refuse an older copy)\n",
        cap.meaning()
    ))
}

fn check(path: &Path, expected: Option<&str>, style: Style, quiet: bool) -> Result<(String, bool)> {
    let expected = expected.map(str::parse::<Head>).transpose();
    let expected = expected.map_err(|e| Error::Argument(e.to_string()))?;
    let verdict = match read(path, expected, quiet, |_| {}) {
        Err(Error::Ledger { error, .. }) if matches!(*error, LedgerError::Damaged { .. }) => {
            return Ok((format!("{} {error}\n", style.bad("not sound:")), false));
        }
        other => other?,
    };
    let head = verdict.head;
    if let (Some(expected), false) = (expected, verdict.has_expected) {
        let error = LedgerError::Older {
            expected,
            found: head,
        };
        return Ok((format!("{} {error}\n", style.bad("not sound:")), false));
    }
    let mut text = format!(
        "{} {} records, each chained to the one before; no account has spent more than its cap\n",
        style.good("sound:"),
        head.records()
    );
    if verdict.torn > 0 {
        text += &format!(
            "the last {} bytes are of a record that was not finished: a crash left them, or a program \
             is writing; the next program that opens the ledger cuts them off\n",
            verdict.torn
        );
    }
    text += &format!("head {head}\n");
    Ok((text, true))
}

/// Every charge of a ledger.
pub fn history(path: &Path, quiet: bool) -> Result<History> {
    let mut history = History::default();
    let verdict = read(path, None, quiet, |record| history.add(record))?;
    history.finish(path, &verdict);
    Ok(history)
}

/// Reads a ledger from end to end, with a line of progress where that takes long.
fn read(
    path: &Path,
    expected: Option<Head>,
    quiet: bool,
    mut each: impl FnMut(&privet::ledger::Record),
) -> Result<Verdict> {
    let bar = progress(quiet);
    let since = std::time::Instant::now();
    let verdict = verify(path, expected, |step| {
        each(step.record);
        // Most ledgers are read before anybody would look.
        if since.elapsed() > Duration::from_millis(500) {
            bar.set_length(step.of.unwrap_or(step.done));
            bar.set_position(step.done);
        }
    });
    bar.finish_and_clear();
    verdict.map_err(failed(path))
}

/// Bytes that are read, on a terminal only.
fn progress(quiet: bool) -> ProgressBar {
    let target = match quiet {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("reading {bar:30} {bytes}/{total_bytes}") {
        bar.set_style(style);
    }
    bar
}

fn failed(path: &Path) -> impl FnOnce(LedgerError) -> Error + '_ {
    move |error| Error::Ledger {
        path: PathBuf::from(path),
        error: Box::new(error),
    }
}
