//! Markdown, for a step summary or a pull request.

use core::fmt::Write;

use crate::diff::row;
use crate::report::{Kind, Report};

use super::{bound, tree, verdict, without_policy};

/// An audit as Markdown.
pub fn render(report: &Report) -> String {
    let mut out = format!(
        "## Privacy audit of {}\n\n**{}.**\n\n",
        report.project,
        verdict(report)
    );
    let mut list: Vec<(String, String, String)> = Vec::new();
    let place = |file: &str, line: u32| format!("`{file}:{line}`");
    for v in report
        .violations
        .iter()
        .chain(without_policy(report).iter())
    {
        list.push((
            format!("**{}**", v.rule),
            v.message.clone(),
            place(&v.file, v.line),
        ));
    }
    for v in &report.warnings {
        list.push((
            format!("{} (warning)", v.rule),
            v.message.clone(),
            place(&v.file, v.line),
        ));
    }
    for e in &report.excepted {
        let v = &e.violation;
        let text = format!("{}: {} until {}", v.message, e.reason, e.expires);
        list.push((
            format!("{} (exception)", v.rule),
            text,
            place(&v.file, v.line),
        ));
    }
    if !list.is_empty() {
        out += "| rule | | where |\n|---|---|---|\n";
        for (rule, message, place) in list {
            out += &row(&[rule, message, place]);
        }
        out.push('\n');
    }
    if !report.unseen.is_empty() {
        out += "**Not seen by this audit**\n\n";
        for text in &report.unseen {
            let _ = writeln!(out, "- {text}");
        }
        out.push('\n');
    }
    for data in &report.data {
        let _ = writeln!(out, "### `{}`\n\n{}\n", data.name, bound(report, data));
        let or_dash = |stated: Option<&crate::price::Stated>| {
            stated.map_or("–".to_string(), |stated| stated.text.clone())
        };
        out += "| opened with | total of functions | ceiling |\n|---|---|---|\n";
        let cells = [
            or_dash(data.budget.as_ref()),
            data.total.text.clone(),
            or_dash(data.ceiling.as_ref()),
        ];
        out += &row(&cells);
        out += "\n| function | price | where |\n|---|---|---|\n";
        let opens = report.functions.iter();
        for f in opens.filter(|f| f.data == data.name && f.kind == Kind::Opens) {
            let place = format!("`{}:{}`", f.file, f.line);
            out += &row(&[format!("`{}` (opens)", f.name), f.price.text.clone(), place]);
        }
        for entry in tree(report, &data.roots) {
            let price = entry
                .function
                .map_or("in its whole".into(), |f| f.price.text.clone());
            let place = entry
                .function
                .map_or(String::new(), |f| format!("`{}:{}`", f.file, f.line));
            let depth = entry.lead.chars().count() / 3;
            let text = format!("{}`{}`", "&emsp;".repeat(depth), entry.text);
            out += &row(&[text, price, place]);
        }
        out.push('\n');
    }
    let made = &report.made;
    let commit = made.commit.as_deref().unwrap_or("none");
    let policy = report.policy.as_ref();
    let policy = policy.map_or("none".to_string(), |p| {
        format!("`{}` sha256 `{}`", p.file, p.sha256)
    });
    let _ = writeln!(
        out,
        "{}, commit `{commit}`, features {}, {} for {}, policy {policy}, privet {}, cargo-privet {}.",
        made.date, made.features, made.profile, made.target, report.privet, report.tool
    );
    out
}
