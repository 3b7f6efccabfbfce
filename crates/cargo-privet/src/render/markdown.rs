//! Markdown, for a step summary or a pull request.

use core::fmt::Write;

use crate::diff::row;
use crate::report::{Kind, Report};

use super::{bound, tree, verdict, without_policy};

/// An audit as Markdown.
pub fn render(report: &Report) -> String {
    let mut out = format!(
        "## Privacy audit of {}\n\n**{}.**\n\n",
        text(&report.project),
        verdict(report)
    );
    let mut list: Vec<(String, String, String)> = Vec::new();
    let place = |file: &str, line: u32| code(&format!("{file}:{line}"));
    for v in report
        .violations
        .iter()
        .chain(without_policy(report).iter())
    {
        list.push((
            format!("**{}**", v.rule),
            text(&v.message),
            place(&v.file, v.line),
        ));
    }
    for v in &report.warnings {
        list.push((
            format!("{} (warning)", v.rule),
            text(&v.message),
            place(&v.file, v.line),
        ));
    }
    for e in &report.excepted {
        let v = &e.violation;
        let told = format!("{}: {} until {}", v.message, e.reason, e.expires);
        list.push((
            format!("{} (exception)", v.rule),
            text(&told),
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
        for unseen in &report.unseen {
            let _ = writeln!(out, "- {}", text(unseen));
        }
        out.push('\n');
    }
    for data in &report.data {
        let _ = writeln!(
            out,
            "### {}\n\n{}\n",
            code(&data.name),
            text(&bound(report, data))
        );
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
            let name = format!("{} (opens)", code(&f.name));
            out += &row(&[name, f.price.text.clone(), place(&f.file, f.line)]);
        }
        for entry in tree(report, &data.roots) {
            let price = entry
                .function
                .map_or("in its whole".into(), |f| f.price.text.clone());
            let at = entry
                .function
                .map_or(String::new(), |f| place(&f.file, f.line));
            let depth = entry.lead.chars().count() / 3;
            let call = "&emsp;".repeat(depth) + &code(&entry.text);
            out += &row(&[call, price, at]);
        }
        out.push('\n');
    }
    let made = &report.made;
    let commit = made.commit.as_deref().unwrap_or("none");
    let policy = report.policy.as_ref();
    let policy = policy.map_or("none".to_string(), |p| {
        format!("{} sha256 `{}`", code(&p.file), p.sha256)
    });
    let _ = writeln!(
        out,
        "{}, commit `{commit}`, features {}, {} for {}, policy {policy}, privet {}, cargo-privet {}.",
        made.date, made.features, made.profile, made.target, report.privet, report.tool
    );
    out
}

/// Words of others as they are: nothing in them is markup, but what stands between two backticks is code.
pub fn text(words: &str) -> String {
    let parts: Vec<&str> = words.split('`').collect();
    let last = parts.len() - 1;
    // An odd one, or two in a row, would take what follows for code.
    let inner = parts.iter().enumerate().take(last).skip(1);
    let paired =
        last.is_multiple_of(2) && inner.into_iter().all(|(_, part)| !part.trim().is_empty());
    if !paired {
        return escaped(words);
    }
    let shown = parts.iter().enumerate().map(|(at, part)| match at % 2 {
        0 => escaped(part),
        _ => code(part),
    });
    shown.collect()
}

/// A name as code; no Rust name has a backtick, but a path may.
pub fn code(name: &str) -> String {
    if name.contains('`') {
        return escaped(name);
    }
    format!("`{}`", name.replace('\n', " "))
}

fn escaped(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            '\n' => out.push(' '),
            '\\' | '`' | '[' | '*' | '_' | '~' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_no_markup() {
        for (words, shown) in [
            ("`twice` costs ε = 1 (a | b)", "`twice` costs ε = 1 (a | b)"),
            ("`f::<{ A & B }>` is <b>", "`f::<{ A & B }>` is &lt;b>"),
            (
                "*all* [kept](x) ~~not~~ __x__",
                "\\*all\\* \\[kept](x) \\~\\~not\\~\\~ \\_\\_x\\_\\_",
            ),
            ("a ` <!-- b", "a \\` &lt;!-- b"),
            ("``<b>` x `", "\\`\\`&lt;b>\\` x \\`"),
            ("&lt; \\*", "&amp;lt; \\\\\\*"),
        ] {
            assert_eq!(text(words), shown);
        }
        assert_eq!(code("a<B>"), "`a<B>`");
        assert_eq!(code("a`<b>.rs"), "a\\`&lt;b>.rs");
    }
}
