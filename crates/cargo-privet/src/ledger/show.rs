//! What the accounts of a ledger hold, as bars.

use std::fmt::Write;

use privet::ledger::Verdict;

use super::history::Account;
use crate::render::count;
use crate::style::Style;

const WIDTH: usize = 48;

/// One block for each account, then the open leases and the head.
pub fn text(verdict: &Verdict, style: Style) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(verdict, style, &mut out);
    out
}

fn write(verdict: &Verdict, style: Style, out: &mut String) -> std::fmt::Result {
    if verdict.balances.is_empty() {
        writeln!(
            out,
            "no accounts yet; `cargo privet ledger create FILE NAME CAP` makes one"
        )?;
    }
    for balance in &verdict.balances {
        let account = Account::new(balance);
        let (spent, leased) = account.shares;
        // What is spent is never shown shorter than it is.
        let full = ((spent * WIDTH as f64).ceil() as usize).min(WIDTH);
        let both = (((spent + leased) * WIDTH as f64).ceil() as usize).clamp(full, WIDTH);
        writeln!(out, "{}  {}", style.bold(&account.name), account.cap)?;
        writeln!(
            out,
            "  {}{}{}",
            "█".repeat(full),
            "▒".repeat(both - full),
            style.dim(&"·".repeat(WIDTH - both))
        )?;
        writeln!(
            out,
            "  █ spent {}   ▒ set aside {}   · left {}",
            account.spent, account.leased, account.left
        )?;
        let unanswered = match balance.unanswered {
            0 => String::new(),
            n => format!(", {n} without an answer"),
        };
        writeln!(
            out,
            "  {}, {}{unanswered}",
            counted(balance.charges, "charge"),
            counted(balance.answers, "stored answer")
        )?;
        writeln!(out, "  if all of it is spent: {}\n", account.meaning)?;
    }
    for lease in &verdict.leases {
        writeln!(
            out,
            "lease {} of `{}` by {}: {} set aside, {} charged",
            lease.epoch, lease.account, lease.program, lease.budget, lease.spent
        )?;
    }
    if verdict.torn > 0 {
        writeln!(
            out,
            "{} bytes of a record that was not finished",
            verdict.torn
        )?;
    }
    writeln!(out, "head {}", verdict.head)
}

fn counted(n: u64, what: &str) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX), what)
}
