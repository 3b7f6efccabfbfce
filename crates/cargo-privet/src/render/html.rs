//! One page that a privacy officer can sign: no network, no other files.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::ledger::{History, section};
use crate::price::{Stated, at_most_both, share};
use crate::report::{DataSet, Function, Kind, Made, Report, Spot, Verdict, Violation};
use crate::rules::rule;
use crate::trend::Trend;

use super::{bound, count, svg, tree, verdict, without_policy};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// An audit as a page, with its history and with what ledgers say, where they were asked for.
pub fn render(report: &Report, history: Option<&Trend>, ledgers: &[History]) -> String {
    let title = format!("Privacy audit of {}", report.project);
    let class = match report.verdict {
        Verdict::Kept => "good",
        Verdict::Broken => "bad",
        Verdict::NoPolicy => "none",
    };
    let body = html! {
        header {
            h1 { (title) }
            p.verdict.(class) { (verdict(report)) "." }
            p.fine {
                (count(report.functions.len(), "audited function")) " on "
                (count(report.data.len(), "data set"))
                ". Prices are read from types before any data exists; no function was called."
            }
            (facts(report))
            label.search {
                "Search "
                input id="search" type="search" placeholder="function, file, price" autocomplete="off";
            }
            p id="none" role="status" hidden { "Nothing matches." }
        }
        main {
            (not_kept(report))
            (unseen(report))
            @for data in &report.data { (data_set(report, data)) }
            @if !ledgers.is_empty() { (beside_ledgers(report)) }
            @for ledger in ledgers { (section(ledger)) }
            @if let Some(history) = history { (charts(history)) }
            (trust(report))
            (signature(report))
        }
    };
    page(&title, body)
}

/// A history as a page of its own.
pub fn trend(history: &Trend) -> String {
    let title = "Privacy prices over time";
    let body = html! {
        header { h1 { (title) } }
        main { (charts(history)) }
    };
    page(title, body)
}

/// A page that needs no network and no other files.
pub fn page(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

/// What was audited, when, and by which rules.
fn facts(report: &Report) -> Markup {
    let made = &report.made;
    let commit = match (&made.commit, made.changed) {
        (Some(commit), Some(true)) => format!("{commit}, with files that differ from it"),
        (Some(commit), _) => commit.clone(),
        (None, _) => "none".into(),
    };
    let policy = match &report.policy {
        Some(policy) => format!("{} sha256 {}", policy.file, policy.sha256),
        None => "none".into(),
    };
    let origins = made.privet.iter();
    let origins: Vec<String> = origins
        .map(|o| format!("{} from {}", o.package, o.source))
        .collect();
    let rows = [
        ("Commit", commit),
        ("Date", made.date.clone()),
        ("Policy", policy),
        ("Features", made.features.clone()),
        (
            "Built",
            format!(
                "profile {} for {}, {}",
                made.profile, made.target, made.compiler
            ),
        ),
        ("privet", origins.join("; ")),
        ("Tool", format!("cargo-privet {}", report.tool)),
    ];
    html! {
        dl.facts {
            @for (name, value) in rows { div { dt { (name) } dd { (value) } } }
        }
    }
}

fn not_kept(report: &Report) -> Markup {
    let list = |title: &str, class: &str, entries: Vec<(&Violation, String)>| {
        html! {
            @if !entries.is_empty() {
                section.(class) {
                    h2 { (title) }
                    ul {
                        @for (v, note) in entries {
                            li.entry {
                                strong title=(rule(&v.rule).map_or("", |rule| rule.says)) { (v.rule) }
                                " " (code(&v.message)) " "
                                (place(&report.made, &v.file, v.line))
                                @if !note.is_empty() { span.fine { " " (note) } }
                            }
                        }
                    }
                }
            }
        }
    };
    let none = without_policy(report);
    let broken = report
        .violations
        .iter()
        .chain(&none)
        .map(|v| (v, String::new()))
        .collect();
    let warned = report.warnings.iter().map(|v| (v, String::new())).collect();
    let excepted = report.excepted.iter();
    let excepted = excepted.map(|e| (&e.violation, format!("{} Until {}.", e.reason, e.expires)));
    html! {
        (list("Not kept", "violations", broken))
        (list("Warnings", "warnings", warned))
        (list("Let pass for a while", "excepted", excepted.collect()))
    }
}

fn unseen(report: &Report) -> Markup {
    html! {
        @if !report.unseen.is_empty() {
            section.unseen {
                h2 { "Not seen by this audit" }
                ul { @for text in &report.unseen { li { (code(text)) } } }
            }
        }
    }
}

fn data_set(report: &Report, data: &DataSet) -> Markup {
    let functions = || report.functions.iter().filter(|f| f.data == data.name);
    let openers: Vec<&Function> = functions().filter(|f| f.kind == Kind::Opens).collect();
    html! {
        section.data {
            h2 { code { (data.name) } }
            p.lead { (bound(report, data)) }
            (bar(data))
            @if !openers.is_empty() {
                h3 { "Opened by" }
                table.openers {
                    thead { tr { th scope="col" { "function" } th scope="col" { "budget" } th scope="col" { "at most" } th scope="col" { "where" } } }
                    tbody { @for f in openers { (row(report, data, Some(f), &f.name, 0)) } }
                }
            }
            @if !data.roots.is_empty() {
                h3 { "Spent by" }
                table.sortable {
                    thead { tr {
                        @for (key, head) in [("name", "function"), ("price", "price"), ("limit", "at most"), ("place", "where")] {
                            th scope="col" { button type="button" data-key=(key) { (head) } }
                        }
                    } }
                    tbody {
                        @for entry in tree(report, &data.roots) {
                            (row(report, data, entry.function, &entry.text, entry.lead.chars().count() / 3))
                        }
                    }
                }
            }
        }
    }
}

/// How budgets in types and caps of accounts go together, where both are on one page.
fn beside_ledgers(report: &Report) -> Markup {
    let on_account = report.functions.iter().any(|f| f.on_account);
    html! {
        p {
            "The budgets above are of one run. The cap of an account below is for all runs together of the programs that "
            "open their vaults on it."
            @if !on_account {
                " " strong { "No opener of this project does" }
                ": what its programs spend is not in these ledgers, and no cap bounds it."
            }
        }
    }
}

/// One bar with three marks: what functions spend in total, what vaults are opened with, and the
/// ceiling.
fn bar(data: &DataSet) -> Markup {
    let marks: Vec<(&str, &str, &Stated)> = [
        ("total", "audited functions spend", Some(&data.total)),
        ("budget", "vaults are opened with", data.budget.as_ref()),
        ("ceiling", "ceiling", data.ceiling.as_ref()),
    ]
    .into_iter()
    .filter_map(|(class, what, stated)| Some((class, what, stated?)))
    .collect();
    let limit = data.ceiling.as_ref().or(data.budget.as_ref());
    let of = |stated: &Stated| share(stated.price()?, limit?.price()?);
    let shares: Vec<Option<f64>> = marks.iter().map(|(_, _, stated)| of(stated)).collect();
    // The whole bar is a little more than the largest of them.
    let whole = shares.iter().flatten().copied().fold(1.0, f64::max) * 1.08;
    let at = |share: f64| format!("{:.2}%", share / whole * 100.0);
    let words: Vec<String> = marks
        .iter()
        .zip(&shares)
        .map(|((class, what, stated), share)| match share {
            Some(share) if *class != "ceiling" && data.ceiling.is_some() => {
                format!("{what} {}, {:.0} %", stated.text, share * 100.0)
            }
            _ => format!("{what} {}", stated.text),
        })
        .collect();
    let bound = marks
        .iter()
        .position(|(class, ..)| *class == "budget")
        .unwrap_or(0);
    let filled = shares.get(bound).copied().flatten();
    let over = shares
        .iter()
        .zip(&marks)
        .any(|(s, m)| m.0 != "ceiling" && s.is_some_and(|s| s > 1.0))
        // What vaults are opened with limits what functions spend, not what they could.
        && data.ceiling.is_some();
    html! {
        @if let Some(filled) = filled {
            div.bar.over[over] role="img" aria-label=(words.join("; ")) {
                span.fill style=(format!("width:{}", at(filled.min(1.0)))) {}
                @if filled > 1.0 {
                    span.excess style=(format!("left:{};width:{}", at(1.0), at(filled - 1.0))) {}
                }
                @for ((class, ..), share) in marks.iter().zip(&shares) {
                    @if let Some(share) = share { span.mark.(*class) style=(format!("left:{}", at(*share))) {} }
                }
            }
        }
        ul.legend {
            @for ((class, ..), text) in marks.iter().zip(&words) {
                li { span.key.(*class) aria-hidden="true" {} (text) }
            }
            @if over { li.warns { "over the limit" } }
        }
    }
}

fn row(
    report: &Report,
    data: &DataSet,
    function: Option<&Function>,
    text: &str,
    depth: usize,
) -> Markup {
    let Some(f) = function else {
        return html! {
            tr.entry data-depth=(depth) {
                td.function style=(format!("--depth:{depth}")) { code.name { (text) } }
                td colspan="3" { span.fine { "an instance that is not listed: priced in its whole" } }
            }
        };
    };
    let limit = data
        .ceiling
        .as_ref()
        .or(data.budget.as_ref())
        .unwrap_or(&data.total);
    let part = f
        .price
        .price()
        .zip(limit.price())
        .and_then(|(price, limit)| share(price, limit));
    let mut notes: Vec<String> = Vec::new();
    if let Some(vault) = &f.vault {
        notes.push(format!(
            "takes {} and leaves {}",
            vault.goes_in.text, vault.comes_out.text
        ));
    }
    notes.extend(f.price.implies.iter().map(|text| format!("implies {text}")));
    notes.extend(f.price.odds.iter().map(|odds| format!("e^(2ε) = {odds}")));
    let limits = [("declared", &f.declared), ("policy", &f.ceiling)];
    let limits: Vec<String> = limits
        .into_iter()
        .filter_map(|(who, limit)| {
            let limit = limit.as_ref()?;
            let kept = at_most_both(&f.price, limit);
            let over = if kept { "" } else { ", exceeded" };
            Some(format!("{} ({who}{over})", limit.text))
        })
        .collect();
    let percent = part.map(|part| format!("{:.2}%", (part * 100.0).clamp(0.0, 100.0)));
    let key = part.map_or(String::new(), |part| format!("{part:.9}"));
    html! {
        tr.entry data-depth=(depth) {
            td.function data-sort=(text) style=(format!("--depth:{depth}")) { code.name { (text) } }
            td data-sort=(key) data-label=(if f.kind == Kind::Opens { "budget" } else { "price" }) {
                b.price { (f.price.text) }
                @if let Some(percent) = percent {
                    span.small.over[data.ceiling.is_some() && part.is_some_and(|p| p > 1.0)] aria-hidden="true" { span style=(format!("width:{percent}")) {} }
                }
                span.fine { (notes.join(" · ")) }
            }
            td data-sort=(limits.join(" ")) data-label="at most" { (limits.join(", ")) }
            td data-sort=(format!("{}:{:06}", f.file, f.line)) data-label="where" { (place(&report.made, &f.file, f.line)) }
        }
    }
}

fn place(made: &Made, file: &str, line: u32) -> Markup {
    let text = format!("{file}:{line}");
    // A file outside of the repository has no page there.
    let link = made.link.as_ref().filter(|_| !file.starts_with(".."));
    html! {
        @if let Some(link) = link {
            a.where href=(link.replace("{file}", file).replace("{line}", &line.to_string())) rel="noreferrer" { (text) }
        } @else {
            span.where { (text) }
        }
    }
}

fn charts(history: &Trend) -> Markup {
    html! {
        section.history {
            h2 { "Over time" }
            @for line in history.lines() {
                h3 { code { (line.name) } ", " (line.what) }
                @if let (Some(last), Some(most)) = (line.last(), line.highest()) {
                    p { "Now " b { (last) } ", at most " b { (most) } " in this time." }
                }
                (PreEscaped(svg(&line.values, line.highest().unwrap_or_default())))
                table {
                    thead { tr { th scope="col" { "revision" } th scope="col" { "date" } th scope="col" { "price" } th scope="col" { "change" } } }
                    tbody {
                        @for (point, text) in history.points.iter().zip(&line.texts) {
                            tr {
                                td { code { (point.name) } }
                                td data-label="date" { (point.date) }
                                td data-label="price" { b.price { (text.unwrap_or("–")) } }
                                td data-label="change" {
                                    (point.subject)
                                    @if let Some(error) = &point.error {
                                        span.fine { "no prices: " (error.lines().next().unwrap_or_default()) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn trust(report: &Report) -> Markup {
    let trust = &report.trust;
    let uses = |name: &&String| trust.users.contains(name);
    let (users, others): (Vec<&String>, Vec<&String>) = trust
        .scanned
        .iter()
        .chain(&trust.not_scanned)
        .partition(uses);
    let scanned = |name: &String| trust.scanned.contains(name);
    let (read, unread): (Vec<&String>, Vec<&String>) = others.into_iter().partition(|n| scanned(n));
    html! {
        section.trust {
            h2 { "What this rests on" }
            h3 { "Assumed" }
            ul { @for text in &trust.assumptions { li { (code(text)) } } }
            (spots(report, "Vaults are opened", &trust.opened))
            (spots(report, "Openers are called", &trust.opener_calls))
            (spots(report, "`unsafe` code", &trust.unsafe_code))
            h3 { "Packages that use privet" }
            ul {
                @for name in users {
                    li { code { (name) } @if scanned(name) { ", scanned" } @else { strong.bad { ", not scanned" } } }
                }
            }
            h3 { "Trusted packages" }
            p.names { @for name in &trust.trusted { code { (name) } " " } }
            @for (what, others) in [("Other packages, scanned", &read), ("Other dependencies, not scanned", &unread)] {
                @if !others.is_empty() {
                    details {
                        summary { (what) ": " (others.len()) }
                        p.names { @for name in others { code { (name) } " " } }
                    }
                }
            }
        }
    }
}

fn spots(report: &Report, title: &str, spots: &[Spot]) -> Markup {
    html! {
        h3 { (code(title)) }
        @if spots.is_empty() { p.fine { "None found." } }
        @else {
            ul {
                @for spot in spots {
                    li.entry { code { (spot.what.replace('`', "")) } " " (place(&report.made, &spot.file, spot.line)) }
                }
            }
        }
    }
}

/// A place for a name and a date, on paper, under what is signed.
fn signature(report: &Report) -> Markup {
    let made = &report.made;
    let commit = match (&made.commit, made.changed) {
        (Some(commit), Some(true)) => format!("commit {commit} with changes"),
        (Some(commit), _) => format!("commit {commit}"),
        (None, _) => "sources that are in no repository".into(),
    };
    let policy = match &report.policy {
        Some(policy) => format!("under the policy of sha256 {}", policy.sha256),
        None => "without a policy".into(),
    };
    html! {
        section.signature aria-label="Signature" {
            p {
                "Read and agreed to: " (report.project) ", " (commit) ", " (policy) ", audited on "
                (made.date) ". " strong { (verdict(report)) "." }
            }
            div.lines { div { "Name" } div { "Date" } div { "Signature" } }
        }
    }
}

/// Text in which `` `…` `` is code.
fn code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let text = code("use `Vec<T>` & \"go\"").into_string();
        assert_eq!(text, "use <code>Vec&lt;T&gt;</code> &amp; &quot;go&quot;");
    }
}
