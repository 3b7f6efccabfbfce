//! Prices at a git revision against those of the working tree.

use core::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use crate::audit::{Survey, prices};
use crate::collect::Project;
use crate::error::{Error, Result};
use crate::price::at_most;
use crate::report::{Function, Report, base as name_of};
use crate::style::Style;

/// What changed between two revisions.
#[derive(Debug, Serialize)]
pub struct Diff {
    pub base: String,
    pub changes: Vec<Change>,
    /// Totals per data set, before and after.
    pub totals: Vec<Total>,
    pub unchanged: usize,
    /// Places where a vault is opened, audited or not, before and after.
    pub opened: (usize, usize),
}

/// One function that changed.
#[derive(Debug, Serialize)]
pub struct Change {
    pub what: What,
    pub function: String,
    pub data: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub file: String,
    pub line: u32,
}

/// A data set's total.
#[derive(Debug, Serialize)]
pub struct Total {
    pub data: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl Total {
    /// Also where no function changed: one that was only a part is now called elsewhere, too.
    fn is_dearer(&self) -> bool {
        let price = |text: &Option<String>| text.as_deref().and_then(|t| t.parse().ok());
        match (price(&self.before), price(&self.after)) {
            (Some(was), Some(is)) => at_most(is, was) != Some(true),
            (None, after) => after.is_some(),
            (Some(_), None) => false,
        }
    }
}

/// In which way a function changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    Added,
    Dearer,
    /// The prices before and after are of notions that do not compare.
    Changed,
    /// Still there, without the attribute.
    Unaudited,
    Cheaper,
    Removed,
}

impl What {
    fn word(self) -> &'static str {
        match self {
            What::Added => "added",
            What::Dearer => "dearer",
            What::Changed => "changed",
            What::Unaudited => "unaudited",
            What::Cheaper => "cheaper",
            What::Removed => "removed",
        }
    }
}

/// Audits the working tree and a revision of it.
pub fn diff(project: &Project, base: &str) -> Result<Diff> {
    let metadata = project.metadata()?;
    let root = metadata.workspace_root.as_std_path();
    let dir = project.audit_dir(&metadata).join("base");
    // The revision first: a wrong name is found before anything is compiled.
    let tree = Checkout::new(root, base, &dir)?;
    let survey = Survey::new(project, &metadata, None);
    let after = prices(project, &metadata, &survey)?;
    let old = Project {
        manifest: Some(tree.project.join("Cargo.toml")),
        // Not the same: cargo would take one for the other.
        target_dir: Some(dir),
        ..project.clone()
    };
    let nothing = || Report::new(String::new(), String::new(), &[], &[], &Default::default());
    let before = if tree.project.join("Cargo.toml").exists() {
        match old.metadata() {
            Ok(metadata) => prices(&old, &metadata, &Survey::new(&old, &metadata, None))?,
            // A revision from before the project used privet.
            Err(Error::NoPrivet { .. }) => nothing()?,
            Err(error) => return Err(error),
        }
    } else {
        nothing()?
    };
    let there = |f: &Function| survey.defines(&f.package, name_of(&f.name));
    Ok(compare(base, &before, &after, there))
}

fn compare(base: &str, before: &Report, after: &Report, there: impl Fn(&Function) -> bool) -> Diff {
    let mut changes = Vec::new();
    let mut unchanged = 0;
    let key = |f: &Function| (f.package.clone(), f.id.clone(), f.data.clone());
    let find = |report: &'_ Report, f: &Function| {
        report.functions.iter().find(|g| key(g) == key(f)).cloned()
    };
    let change = |what, f: &Function, before: Option<&Function>, after: Option<&Function>| Change {
        what,
        function: f.id.clone(),
        data: f.data.clone(),
        before: before.map(|f| f.price.text.clone()),
        after: after.map(|f| f.price.text.clone()),
        file: f.file.clone(),
        line: f.line,
    };
    for f in &after.functions {
        let Some(old) = find(before, f) else {
            changes.push(change(What::Added, f, None, Some(f)));
            continue;
        };
        let (Some(was), Some(is)) = (old.price.price(), f.price.price()) else {
            continue;
        };
        let what = match (at_most(was, is), at_most(is, was)) {
            _ if was == is => {
                unchanged += 1;
                continue;
            }
            (_, Some(true)) => What::Cheaper,
            (Some(true), _) => What::Dearer,
            _ => What::Changed,
        };
        changes.push(change(what, f, Some(&old), Some(f)));
    }
    for f in &before.functions {
        if find(after, f).is_none() {
            // An instance that is no longer listed is still there, too.
            let what = if there(f) {
                What::Unaudited
            } else {
                What::Removed
            };
            changes.push(change(what, f, Some(f), None));
        }
    }
    changes.sort_by(|a, b| (a.what, &a.function).cmp(&(b.what, &b.function)));
    let mut totals: Vec<Total> = Vec::new();
    let total = |report: &Report, name: &str| {
        report
            .data
            .iter()
            .find(|d| d.name == name)
            .map(|d| d.total.text.clone())
    };
    for data in before.data.iter().chain(&after.data) {
        if !totals.iter().any(|t| t.data == data.name) {
            totals.push(Total {
                data: data.name.clone(),
                before: total(before, &data.name),
                after: total(after, &data.name),
            });
        }
    }
    Diff {
        base: base.to_string(),
        changes,
        totals,
        unchanged,
        opened: (before.trust.opened.len(), after.trust.opened.len()),
    }
}

impl Diff {
    /// Whether a function is new, dearer, or in a notion that does not compare.
    pub fn is_dearer(&self) -> bool {
        self.changes.iter().any(|c| {
            matches!(
                c.what,
                What::Added | What::Dearer | What::Changed | What::Unaudited
            )
        }) || self.totals.iter().any(Total::is_dearer)
            || self.opened.0 < self.opened.1
    }

    /// For the terminal.
    pub fn table(&self, style: Style) -> String {
        let mut out = String::new();
        let mut rows: Vec<[String; 4]> = Vec::new();
        for c in &self.changes {
            rows.push([
                c.what.word().to_string(),
                c.function.clone(),
                format!("{} → {}", or_dash(&c.before), or_dash(&c.after)),
                format!("{}:{}", c.file, c.line),
            ]);
        }
        for t in &self.totals {
            rows.push([
                "total".into(),
                t.data.clone(),
                format!("{} → {}", or_dash(&t.before), or_dash(&t.after)),
                String::new(),
            ]);
        }
        if self.opened.0 != self.opened.1 {
            let (before, after) = self.opened;
            let what = "places that open a vault".into();
            rows.push([
                "opened".into(),
                what,
                format!("{before} → {after}"),
                String::new(),
            ]);
        }
        let width = |column: usize| {
            rows.iter()
                .map(|r| r[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2), 0];
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                let blanks = " ".repeat(width.saturating_sub(cell.chars().count()) + 2);
                line += &match (column, cell.as_str()) {
                    (0, "added" | "dearer" | "changed" | "unaudited" | "opened") => style.bad(cell),
                    (0, "cheaper" | "removed") => style.good(cell),
                    (0, _) | (3, _) => style.dim(cell),
                    _ => cell.clone(),
                };
                line += &blanks;
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let _ = writeln!(out, "{} unchanged since {}", self.unchanged, self.base);
        out
    }

    /// For a pull request.
    pub fn markdown(&self) -> String {
        let mut out = format!("### Privacy prices since `{}`\n\n", self.base);
        if self.changes.is_empty() {
            out += "No price of a function changed.\n\n";
        } else {
            out += "| | function | data | before | after |\n|---|---|---|---|---|\n";
            for c in &self.changes {
                let what = c.what.word();
                let what = match c.what {
                    What::Cheaper | What::Removed => what.to_string(),
                    _ => format!("**{what}**"),
                };
                let function = format!("`{}` ({}:{})", c.function, c.file, c.line);
                let data = format!("`{}`", c.data);
                out += &row(&[what, function, data, or_dash(&c.before), or_dash(&c.after)]);
            }
            out.push('\n');
        }
        out += "| data | total before | total after |\n|---|---|---|\n";
        for t in &self.totals {
            let data = format!("`{}`", t.data);
            out += &row(&[data, or_dash(&t.before), or_dash(&t.after)]);
        }
        if self.opened.0 != self.opened.1 {
            let (before, after) = self.opened;
            let _ = writeln!(out, "\n**Places that open a vault: {before} → {after}.**");
        }
        let _ = writeln!(out, "\n{} unchanged.", self.unchanged);
        out
    }
}

fn or_dash(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "–".into())
}

/// A row of a Markdown table, where `|` ends a cell, in code too: `f::<{ A | B }>`.
fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A revision in a directory of its own, removed in the end.
struct Checkout {
    repository: PathBuf,
    tree: PathBuf,
    /// The project inside.
    project: PathBuf,
}

impl Checkout {
    /// Checks a revision out below `dir`, always in the same place: two at once would mix their
    /// builds, and the second one fails here.
    fn new(root: &Path, base: &str, dir: &Path) -> Result<Self> {
        let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?);
        let revision = format!("{base}^{{commit}}");
        let commit = git(
            root,
            &[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &revision,
            ],
        )
        .map_err(|_| Error::Git(format!("`{base}` is not a revision of this repository")))?;
        std::fs::create_dir_all(dir).map_err(Error::file(dir))?;
        let tree = dir.join("tree");
        let text = tree.display().to_string();
        if tree.exists() {
            return Err(Error::Git(format!(
                "another `cargo privet diff` is at work, or was stopped; then run \
                 `git worktree remove --force {text}`"
            )));
        }
        git(
            &top,
            &["worktree", "add", "--detach", "--quiet", &text, &commit],
        )?;
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let inside = real(root)
            .strip_prefix(real(&top))
            .map(Path::to_path_buf)
            .unwrap_or_default();
        let checkout = Checkout {
            repository: top,
            project: tree.join(inside),
            tree,
        };
        // Without a lock file in the revision, the same dependencies as now.
        let lock = checkout.project.join("Cargo.lock");
        if !lock.exists() && checkout.project.exists() {
            let _ = std::fs::copy(root.join("Cargo.lock"), lock);
        }
        Ok(checkout)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        let text = self.tree.display().to_string();
        // Nothing is lost where this fails: `git worktree prune` does the same later.
        let _ = git(&self.repository, &["worktree", "remove", "--force", &text]);
    }
}

fn git(dir: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(arguments)
        .output()
        .map_err(|error| Error::Git(error.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    } else {
        Err(Error::Git(
            String::from_utf8_lossy(&output.stderr).trim().to_string(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_does_not_break_the_table() {
        let diff = Diff {
            base: "main".into(),
            changes: vec![Change {
                what: What::Added,
                function: "p::f::<{ A | B }>".into(),
                data: "Table<p::Row<{ A | B }>>".into(),
                before: None,
                after: Some("ε = 1".into()),
                file: "src/lib.rs".into(),
                line: 7,
            }],
            totals: vec![Total {
                data: "Table<p::Row<{ A | B }>>".into(),
                before: None,
                after: Some("ε = 1".into()),
            }],
            unchanged: 0,
            opened: (0, 0),
        };
        let text = diff.markdown();
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("ε = 1")).collect();
        assert_eq!(
            rows,
            [
                "| **added** | `p::f::<{ A \\| B }>` (src/lib.rs:7) | `Table<p::Row<{ A \\| B }>>` | – | ε = 1 |",
                "| `Table<p::Row<{ A \\| B }>>` | – | ε = 1 |",
            ]
        );
    }
}
