//! A ledger as a page of its own, or as a section of an audit's page.

use maud::{Markup, html};

use super::history::{Account, Charge, History};
use crate::render::html::page;

/// How many charges an audit's page shows of each ledger: the newest ones.
const SHOWN: usize = 1000;

/// A page with every charge.
pub fn render(history: &History) -> String {
    let title = format!("Privacy ledger {}", history.file);
    let body = html! {
        header {
            h1 { "Privacy ledger" }
            (facts(history))
            label.search {
                "Search "
                input id="search" type="search" placeholder="release, program, account" autocomplete="off";
            }
            p id="none" role="status" hidden { "Nothing matches." }
        }
        main {
            @for account in &history.accounts { section { h2 { (account.name) } (balance(account)) } }
            section { h2 { "Charges" } (charges(&history.charges)) }
        }
    };
    page(&title, body)
}

/// A section of another page, with the newest charges folded away.
pub fn section(history: &History) -> Markup {
    let hidden = history.charges.len().saturating_sub(SHOWN);
    html! {
        section.ledger {
            h2 { "Spent so far: " code { (history.file) } }
            (facts(history))
            @for account in &history.accounts { h3 { (account.name) } (balance(account)) }
            details {
                summary { "Charges: " (history.charges.len()) }
                @if hidden > 0 {
                    p.fine { "The newest " (SHOWN) ". " code { "cargo privet ledger log" } " lists all." }
                }
                (charges(&history.charges[hidden..]))
            }
        }
    }
}

fn facts(history: &History) -> Markup {
    html! {
        p.fine {
            (history.file) ": " (history.records) " records, each chained to the one before. Head "
            code { (history.head) }
            @if history.torn > 0 { ". The last " (history.torn) " bytes are of a record that was not finished" }
        }
    }
}

fn balance(account: &Account) -> Markup {
    let (spent, leased) = account.shares;
    let spent = spent.min(1.0);
    let leased = leased.min(1.0 - spent);
    let percent = |share: f64| format!("{:.2}%", 100.0 * share);
    let words = format!(
        "spent {}, set aside {}, left {}",
        account.spent, account.leased, account.left
    );
    html! {
        div.bar role="img" aria-label=(words) {
            span.fill style=(format!("width:{}", percent(spent))) {}
            span.leased style=(format!("left:{};width:{}", percent(spent), percent(leased))) {}
        }
        p { "Spent " (account.spent) " of " (account.cap) "; set aside " (account.leased) "; left " (account.left) "." }
        p.fine { "If all of it is spent: " (account.meaning) "." }
    }
}

fn charges(charges: &[Charge]) -> Markup {
    html! {
        table.charges {
            thead { tr {
                @for head in ["time (UTC)", "account", "program", "release", "price", "answer"] { th scope="col" { (head) } }
            } }
            tbody {
                @for charge in charges {
                    tr.entry {
                        td { (charge.time) }
                        td data-label="account" { (charge.account) }
                        td data-label="program" { (charge.program) }
                        td data-label="release" { (charge.release) }
                        td data-label="price" { b.price { (charge.price) } }
                        td data-label="answer" { (charge.state()) }
                    }
                }
            }
        }
    }
}
