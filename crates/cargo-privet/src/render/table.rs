//! The terminal: one block per data set, then what is not kept, then what it rests on.

use core::fmt::Write;

use crate::report::{DataSet, Function, Kind, Report};
use crate::style::Style;

use super::tree;

/// An audit for people. Ends with a newline.
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    for data in &report.data {
        block(report, data, style, &mut out);
    }
    violations(report, style, &mut out);
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
    let _ = writeln!(
        out,
        "{}",
        style.dim(&wrap(&format!("{}.", data.total.meaning), 96))
    );
    let mut rows: Vec<[String; 5]> =
        vec![["function", "price", "implies", "e^(2ε)", "where"].map(String::from)];
    let opens = report
        .functions
        .iter()
        .filter(|f| f.data == data.name && f.kind == Kind::Opens);
    for function in opens {
        rows.push(row(&format!("{} (opens)", function.name), Some(function)));
    }
    for entry in tree(report, &data.roots) {
        rows.push(row(
            &format!("{}{}", entry.lead, entry.text),
            entry.function,
        ));
    }
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let mut line = String::from("  ");
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let blanks = " ".repeat(width - cell.chars().count() + 2);
            let cell = match column {
                _ if at == 0 => style.dim(cell),
                1 => style.bold(cell),
                2..=4 => style.dim(cell),
                _ => cell.clone(),
            };
            line += &cell;
            line += &blanks;
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
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
    if report.violations.is_empty() {
        let _ = writeln!(out, "{}", style.good("no violations"));
        return;
    }
    for violation in &report.violations {
        let _ = writeln!(
            out,
            "{} {}\n  {} {}:{}",
            style.bad(&format!("{}:", violation.rule)),
            violation.message,
            style.dim("-->"),
            violation.file,
            violation.line
        );
    }
    let count = report.violations.len();
    let plural = if count == 1 { "" } else { "s" };
    let _ = writeln!(out, "{}", style.bad(&format!("{count} violation{plural}")));
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
}

/// Lines of at most `width` characters, the later ones indented.
fn wrap(text: &str, width: usize) -> String {
    let mut out = String::from("  ");
    let mut column = 2;
    for word in text.split(' ') {
        let length = word.chars().count();
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
