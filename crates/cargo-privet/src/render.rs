//! An audit in its formats.

mod chart;
pub mod html;
pub mod markdown;
pub mod sarif;
pub mod table;

pub use chart::{sparkline, svg};

use unicode_width::UnicodeWidthStr;

use crate::price::Stated;
use crate::report::{DataSet, Function, Kind, Report, Verdict, Violation};

/// The verdict as a sentence.
pub fn verdict(report: &Report) -> String {
    let mut text = match report.verdict {
        Verdict::Kept => "All rules are kept".to_string(),
        Verdict::Broken => format!(
            "{} of the rules",
            count(report.violations.len(), "violation")
        ),
        Verdict::NoPolicy => "There is no policy, so that no price is too high".to_string(),
    };
    if report.verdict == Verdict::Broken && report.policy.is_none() {
        text += ", and there is no policy";
    }
    for (list, what) in [
        (report.warnings.len(), "warning"),
        (report.excepted.len(), "exception"),
    ] {
        if list > 0 {
            text += &format!(", {}", count(list, what));
        }
    }
    text
}

/// `1 charge`, `2 charges`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What the data set's budget means to one person, in plain words.
pub fn bound(report: &Report, data: &DataSet) -> String {
    // Each of these rules is needed for the sum of the openers to be a bound.
    let needed = [
        "opens",
        "opened-once",
        "unscanned",
        "seen",
        "as-shipped",
        "origin",
        "no-unsafe",
        "unsafe-impl",
    ];
    // However little the policy makes of it.
    let excepted = report.excepted.iter().map(|e| &e.violation);
    let told = report.violations.iter().chain(&report.warnings);
    let told = told.chain(excepted).map(|violation| &violation.rule);
    let mut broken = told.chain(&report.allowed);
    let broken = broken.any(|rule| needed.contains(&rule.as_str()));
    let text = match &data.budget {
        Some(budget) if broken => format!(
            "{} is what its audited openers open vaults with. That would be the most that programs can spend in one run, if the rules that are broken were kept: then {}. {}",
            epsilon_and_delta(budget),
            meaning(budget, data),
            over_all_runs(report, data)
        ),
        Some(budget) => format!(
            "{} is the most that programs can spend in one run, whatever they ask, since its vaults are opened with it: {}. {}",
            epsilon_and_delta(budget),
            meaning(budget, data),
            over_all_runs(report, data)
        ),
        None => format!(
            "No audited function opens a vault on it, so nothing here bounds what programs spend. Each audited function called once would spend {}.",
            data.total.text
        ),
    };
    if data.one_row {
        return format!(
            "{text} One row is hidden, and not a person: its record names one, whose other rows stay. `Table<…, PerPerson>` hides all rows of a person."
        );
    }
    text
}

/// What bounds more than one run, which a budget in a type does not.
fn over_all_runs(report: &Report, data: &DataSet) -> &'static str {
    let openers = report.functions.iter();
    let mut openers = openers.filter(|f| f.kind == Kind::Opens && f.data == data.name);
    let ledgered = openers.clone().filter(|f| f.on_account).count();
    if ledgered == 0 {
        "Each run opens them anew, with as much again: only an account of a ledger bounds all runs."
    } else if openers.all(|f| f.on_account) {
        "Each run takes it from an account of a ledger, whose cap is the most that all runs can spend."
    } else {
        "Each run takes a part of it from accounts of a ledger, whose caps bound all runs, and opens the other vaults anew, with as much again."
    }
}

/// A price as (ε, δ), which every notion implies.
fn epsilon_and_delta(stated: &Stated) -> String {
    match (stated.notion.as_str(), stated.implies.first()) {
        ("pure", _) => format!("{}, δ = 0", stated.text),
        ("zcdp", Some(implied)) => format!("{implied} ({})", stated.text),
        _ => stated.text.clone(),
    }
}

/// What that says of one person, or of one row.
fn meaning(stated: &Stated, data: &DataSet) -> String {
    let implied = stated.implies.first().filter(|_| stated.notion == "zcdp");
    let implied = implied.and_then(|text| text.parse::<privet::Price>().ok());
    let text = implied.map_or_else(|| stated.meaning.clone(), |price| price.meaning());
    if data.one_row {
        return of_one_row(&text);
    }
    text
}

/// The meaning of a price where neighbours differ in a row.
pub fn of_one_row(meaning: &str) -> String {
    meaning.replace("one person's record", "one row")
}

/// A violation that there is no policy.
pub fn without_policy(report: &Report) -> Option<Violation> {
    report.policy.is_none().then(|| Violation {
        file: "Cargo.toml".into(),
        line: 1,
        rule: "no-policy".into(),
        message: "there is no `privet.toml`, so that there are no ceilings: write one with `cargo privet init`".into(),
    })
}

/// A cell of a table: what it says, and how it is painted.
pub struct Cell {
    text: String,
    painted: String,
}

/// A cell that is painted.
pub fn cell(text: &str, painted: String) -> Cell {
    Cell {
        text: text.to_string(),
        painted,
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell {
            painted: text.clone(),
            text,
        }
    }
}

/// Rows whose columns are aligned as a terminal shows them, wide characters included.
pub struct Table {
    columns: usize,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: usize) -> Self {
        Table {
            columns,
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    pub fn render(&self, indent: &str) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.text.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns).map(width).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = indent.to_string();
            for (cell, width) in row.iter().zip(&widths) {
                line += &cell.painted;
                line += &" ".repeat(width - cell.text.width() + 2);
            }
            out += line.trim_end();
            out.push('\n');
        }
        out
    }
}

/// A row of the tree of functions: a function, as it is called there, under its whole.
pub struct Row<'a> {
    pub function: Option<&'a Function>,
    /// As written: `2 × mean::<Eps<1, 2>>`.
    pub text: String,
    /// The lines of the tree to the left.
    pub lead: String,
}

/// The functions of a data set as a tree, each under those that call it.
pub fn tree<'a>(report: &'a Report, roots: &'a [String]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for id in roots {
        if let Some(function) = report.function(id) {
            branch(
                report,
                function,
                function.name.clone(),
                "",
                "",
                &mut Vec::new(),
                &mut rows,
            );
        }
    }
    rows
}

fn branch<'a>(
    report: &'a Report,
    function: &'a Function,
    text: String,
    lead: &str,
    below: &str,
    above: &mut Vec<&'a str>,
    rows: &mut Vec<Row<'a>>,
) {
    rows.push(Row {
        function: Some(function),
        text,
        lead: lead.to_string(),
    });
    above.push(&function.id);
    let last = function.parts.len().saturating_sub(1);
    for (at, part) in function.parts.iter().enumerate() {
        let (corner, line) = if at == last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let text = match part.times {
            1 => part.call.clone(),
            times => format!("{times} × {}", part.call),
        };
        let lead = format!("{below}{corner}");
        let found = part.id.as_deref().and_then(|id| report.function(id));
        match found.filter(|f| !above.contains(&f.id.as_str())) {
            Some(function) => branch(
                report,
                function,
                text,
                &lead,
                &format!("{below}{line}"),
                above,
                rows,
            ),
            None => rows.push(Row {
                function: None,
                text,
                lead,
            }),
        }
    }
    above.pop();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Defined;
    use crate::report::tests::{line, report};

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        let mut table = Table::new(2);
        for name in ["患者", "e\u{301}te\u{301}", "abcd"] {
            table.row(vec![
                cell(name, format!("<{name}>")),
                "x".to_string().into(),
            ]);
        }
        let shown = "<患者>  x\n<e\u{301}te\u{301}>   x\n<abcd>  x\n";
        assert_eq!(table.render(""), shown);
    }

    #[test]
    fn the_bound_says_if_a_rule_it_needs_is_let_pass() {
        use crate::report::Excepted;

        let mut report = report(&[line("a", "1/4", &[])], &[], &Defined::new());
        report.data[0].budget = Some(crate::price::state("1".parse().expect("a price")));
        let holds = |report: &Report| {
            let text = bound(report, &report.data[0]);
            let (holds, fails) = (
                text.contains("is the most that programs can spend in one run, whatever they ask"),
                text.contains("if the rules that are broken were kept"),
            );
            assert_ne!(holds, fails, "{text}");
            holds
        };
        assert!(holds(&report));
        report.allowed = vec!["data-ceiling".into()];
        assert!(holds(&report));
        report.allowed.push("opened-once".into());
        assert!(!holds(&report));
        report.allowed.clear();
        for (rule, kept) in [("data-ceiling", true), ("opens", false)] {
            report.excepted = vec![Excepted {
                violation: Violation {
                    file: "src/lib.rs".into(),
                    line: 1,
                    rule: rule.into(),
                    message: "told".into(),
                },
                reason: "agreed".into(),
                expires: "2999-12-31".into(),
            }];
            assert_eq!(holds(&report), kept, "{rule}");
        }
    }

    #[test]
    fn the_bound_is_of_one_run_and_an_account_bounds_all() {
        let mut lines = [line("a", "1/4", &[]), line("b", "1/4", &[])];
        for line in &mut lines {
            line.kind = "opens".into();
        }
        let mut report = report(&lines, &[], &Defined::new());
        let said = |report: &Report| bound(report, &report.data[0]);
        assert!(said(&report).contains("Each run opens them anew"));
        report.functions[0].on_account = true;
        assert!(said(&report).contains("and opens the other vaults anew"));
        report.functions[1].on_account = true;
        assert!(said(&report).contains("whose cap is the most that all runs can spend"));
        report.data[0].one_row = true;
        let text = said(&report);
        assert!(!text.contains("one person's record"), "{text}");
        assert!(
            text.contains("`Table<…, PerPerson>` hides all rows"),
            "{text}"
        );
    }

    #[test]
    fn every_notion_is_said_as_epsilon_and_delta() {
        let said =
            |text: &str| epsilon_and_delta(&crate::price::state(text.parse().expect("a price")));
        assert_eq!(said("1/2"), "ε = 1/2, δ = 0");
        assert_eq!(said("rho = 1/8"), "ε = 2.42, δ = 1e-6 (ρ = 1/8)");
        assert_eq!(said("eps = 1, delta = 1e-9"), "ε = 1, δ = 1e-9");
        let stated = crate::price::state("rho = 1/8".parse().expect("a price"));
        let report = report(&[line("a", "1/4", &[])], &[], &Defined::new());
        let mut data = report.data[0].clone();
        let ends = "e^(2ε) = 126.47, except for events of probability about δ = 1e-6";
        let person = meaning(&stated, &data);
        assert!(person.contains("without one person's record"), "{person}");
        assert!(person.ends_with(ends), "{person}");
        data.one_row = true;
        let row = meaning(&stated, &data);
        assert!(row.contains("without one row differs"), "{row}");
        assert!(row.ends_with(ends), "{row}");
    }
}
