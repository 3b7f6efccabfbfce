//! The terminal: one block per data set, then what is not kept, then what it rests on.

use core::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::report::{DataSet, Function, Kind, Report, Verdict, Violation};
use crate::style::Style;

use super::{Table, bound, cell, tree, without_policy};

/// An audit for people. Ends with a newline.
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    for data in &report.data {
        block(report, data, style, &mut out);
    }
    violations(report, style, &mut out);
    unseen(report, style, &mut out);
    trust(report, style, &mut out);
    out
}

fn block(report: &Report, data: &DataSet, style: Style, out: &mut String) {
    let mut head = format!("{}   total {}", style.bold(&data.name), data.total.text);
    if let Some(budget) = &data.budget {
        let _ = write!(head, "   opened with {}", budget.text);
    }
    if let Some(ceiling) = &data.ceiling {
        let _ = write!(head, "   ceiling {}", ceiling.text);
    }
    let _ = writeln!(out, "{head}");
    let _ = writeln!(out, "{}", style.dim(&wrap(&bound(report, data), 96)));
    let mut table = Table::new(5);
    let heads = ["function", "price", "implies", "e^(2ε)", "where"];
    table.row(
        heads
            .iter()
            .map(|head| cell(head, style.dim(head)))
            .collect(),
    );
    let mut add = |cells: [String; 5]| {
        let cells = cells
            .into_iter()
            .enumerate()
            .map(|(column, text)| match column {
                0 => text.into(),
                1 => cell(&text, style.bold(&text)),
                _ => cell(&text, style.dim(&text)),
            });
        table.row(cells.collect());
    };
    let opens = report
        .functions
        .iter()
        .filter(|f| f.data == data.name && f.kind == Kind::Opens);
    for function in opens {
        add(row(&format!("{} (opens)", function.name), Some(function)));
    }
    for entry in tree(report, &data.roots) {
        let text = format!("{}{}", entry.lead, entry.text);
        add(row(&text, entry.function));
    }
    *out += &table.render("  ");
    out.push('\n');
}

fn row(text: &str, function: Option<&Function>) -> [String; 5] {
    let Some(function) = function else {
        return [
            text.to_string(),
            "in its whole".into(),
            String::new(),
            String::new(),
            String::new(),
        ];
    };
    let price = match &function.vault {
        Some(vault) => format!(
            "{}  ({} → {})",
            function.price.text,
            bare(&vault.goes_in.text),
            bare(&vault.comes_out.text)
        ),
        None => function.price.text.clone(),
    };
    [
        text.to_string(),
        price,
        function.price.implies.join("; "),
        function.price.odds.clone().unwrap_or_default(),
        format!("{}:{}", function.file, function.line),
    ]
}

/// A price without its letter, where the letter has just been said.
fn bare(text: &str) -> &str {
    if text.contains(',') {
        return text;
    }
    text.split_once(" = ").map_or(text, |(_, number)| number)
}

fn violations(report: &Report, style: Style, out: &mut String) {
    let mut list =
        |list: &[Violation], paint: &dyn Fn(&str) -> String, note: &dyn Fn(usize) -> String| {
            for (at, violation) in list.iter().enumerate() {
                let _ = writeln!(
                    out,
                    "{} {}{}\n  {} {}:{}",
                    paint(&format!("{}:", violation.rule)),
                    violation.message,
                    note(at),
                    style.dim("-->"),
                    violation.file,
                    violation.line
                );
            }
        };
    let none = |_: usize| String::new();
    list(&report.violations, &|text| style.bad(text), &none);
    let warns = |_: usize| " (a warning)".to_string();
    list(&report.warnings, &|text| style.bold(text), &warns);
    let excepted: Vec<Violation> = report
        .excepted
        .iter()
        .map(|e| e.violation.clone())
        .collect();
    let until = |at: usize| {
        let entry = &report.excepted[at];
        format!(" (let pass until {}: {})", entry.expires, entry.reason)
    };
    list(&excepted, &|text| style.dim(text), &until);
    let none = without_policy(report).into_iter().collect::<Vec<_>>();
    let _ = match report.verdict {
        Verdict::Kept => writeln!(out, "{}", style.good("no violations")),
        Verdict::Broken => {
            let count = report.violations.len();
            let plural = if count == 1 { "" } else { "s" };
            writeln!(out, "{}", style.bad(&format!("{count} violation{plural}")))
        }
        Verdict::NoPolicy => Ok(()),
    };
    for violation in none {
        let _ = writeln!(
            out,
            "{} {}",
            style.bad(&format!("{}:", violation.rule)),
            violation.message
        );
    }
}

/// What cannot be seen, where nobody overlooks it.
fn unseen(report: &Report, style: Style, out: &mut String) {
    if report.unseen.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", style.bold("not seen by this audit:"));
    for text in &report.unseen {
        let _ = writeln!(out, "{}", wrap(text, 96));
    }
}

fn trust(report: &Report, style: Style, out: &mut String) {
    let trust = &report.trust;
    let mut line = |name: &str, list: &[String]| {
        if !list.is_empty() {
            let text = wrap(&format!("{name}: {}", list.join(", ")), 96);
            let _ = writeln!(out, "{}", style.dim(&text));
        }
    };
    line("scanned", &trust.scanned);
    line("not scanned", &trust.not_scanned);
    line("trusted", &trust.trusted);
    let spots = |list: &[crate::report::Spot]| {
        list.iter()
            .map(|s| format!("{}:{}", s.file, s.line))
            .collect::<Vec<_>>()
    };
    line("unsafe", &spots(&trust.unsafe_code));
    line("vaults opened", &spots(&trust.opened));
    line("openers called", &spots(&trust.opener_calls));
    let made = &report.made;
    let commit = made
        .commit
        .as_ref()
        .map(|commit| format!("commit {commit}"));
    let policy = report.policy.as_ref();
    let policy =
        policy.map(|policy| format!("policy {} sha256 {}", policy.file, &policy.sha256[..12]));
    let mut about: Vec<String> = commit.into_iter().chain(policy).collect();
    about.push(format!("features {}", made.features));
    about.push(format!("{} for {}", made.profile, made.target));
    about.extend(
        made.privet
            .iter()
            .map(|o| format!("{} from {}", o.package, o.source)),
    );
    line("audited", &about);
}

/// Lines of at most `width` characters, the later ones indented.
fn wrap(text: &str, width: usize) -> String {
    let mut out = String::from("  ");
    let mut column = 2;
    for word in text.split(' ') {
        let length = word.width();
        if column + length > width {
            out += "\n    ";
            column = 4;
        }
        out += word;
        out.push(' ');
        column += length + 1;
    }
    out.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}
