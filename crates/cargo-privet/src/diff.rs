//! Prices at a git revision against those of the working tree.

use core::fmt::Write;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::audit::{policy, surveyed};
use crate::base::{Base, versions};
use crate::collect::Project;
use crate::error::{Error, Result};
use crate::fresh::Turn;
use crate::git;
use crate::policy::{Policy, PolicyChange};
use crate::price::at_most;
use crate::render::markdown::{code, text};
use crate::render::{Table, cell};
use crate::report::{Function, Report, SCHEMA, base as name_of};
use crate::style::Style;

/// What changed between two revisions.
#[derive(Debug, Serialize)]
pub struct Diff {
    pub schema: u32,
    pub base: String,
    pub changes: Vec<Change>,
    /// Totals per data set, before and after.
    pub totals: Vec<Total>,
    pub unchanged: usize,
    /// Places where a vault is opened, audited or not, before and after.
    pub opened: (usize, usize),
    /// Lines of the policy.
    pub policy: Vec<PolicyChange>,
    /// What the changes need of the packages' versions.
    pub versions: Vec<Version>,
}

/// One function that changed.
#[derive(Debug, Serialize)]
pub struct Change {
    pub what: What,
    pub function: String,
    pub package: String,
    pub data: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// The function before, where it had another path, instance or data set.
    pub was: Option<String>,
    /// Whether others can call it: then its price is part of the interface.
    pub public: bool,
    pub file: String,
    pub line: u32,
}

/// A data set's total, and what its vaults are opened with.
#[derive(Debug, Serialize)]
pub struct Total {
    pub data: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub opened_before: Option<String>,
    pub opened_after: Option<String>,
}

impl Total {
    /// Also where no function changed: one that was only a part is now called elsewhere, too.
    fn is_dearer(&self) -> bool {
        let price = |text: &Option<String>| text.as_deref().and_then(|t| t.parse().ok());
        let dearer =
            |before: &Option<String>, after: &Option<String>| match (price(before), price(after)) {
                (Some(was), Some(is)) => at_most(is, was) != Some(true),
                (None, after) => after.is_some(),
                (Some(_), None) => false,
            };
        dearer(&self.before, &self.after) || dearer(&self.opened_before, &self.opened_after)
    }
}

/// What a package's version has to become.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    pub package: String,
    /// `major` for dearer prices, other data and functions that are gone; `minor` for cheaper and
    /// new ones.
    pub needs: Bump,
    pub before: String,
    pub after: String,
    /// The least version that will do.
    pub least: String,
    pub enough: bool,
}

/// A step of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    Minor,
    Major,
}

impl Bump {
    fn word(self) -> &'static str {
        match self {
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }

    /// The next version with this step, as cargo compares them: below 1.0, the second number is the
    /// one that breaks.
    fn after(self, version: [u64; 3]) -> [u64; 3] {
        match (self, version) {
            (Bump::Major, [0, 0, patch]) => [0, 0, patch + 1],
            (Bump::Major, [0, minor, _]) => [0, minor + 1, 0],
            (Bump::Major, [major, ..]) => [major + 1, 0, 0],
            (Bump::Minor, [0, minor, patch]) => [0, minor, patch + 1],
            (Bump::Minor, [major, minor, _]) => [major, minor + 1, 0],
        }
    }
}

/// In which way a function changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    Added,
    Dearer,
    /// The prices before and after are of notions, or on data, that do not compare.
    Changed,
    /// Still there, without the attribute.
    Unaudited,
    /// The same price under another path.
    Moved,
    /// The same price and the same body under another name.
    Renamed,
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
            What::Moved => "moved",
            What::Renamed => "renamed?",
            What::Cheaper => "cheaper",
            What::Removed => "removed",
        }
    }

    /// What a change of a public function needs.
    fn bump(self) -> Option<Bump> {
        match self {
            What::Dearer | What::Changed | What::Unaudited | What::Removed | What::Renamed => {
                Some(Bump::Major)
            }
            What::Added | What::Cheaper => Some(Bump::Minor),
            What::Moved => None,
        }
    }
}

/// Audits the working tree and a revision of it; without one, the last tag.
pub fn diff(project: &Project, base: Option<&str>) -> Result<Diff> {
    let metadata = project.metadata()?;
    let root = metadata.workspace_root.as_std_path();
    // The revision first: a wrong name is found before anything is compiled.
    let base = match base {
        Some(base) => base.to_string(),
        None => git::git(root, &["describe", "--tags", "--abbrev=0"]).map_err(|_| {
            Error::Git(
                "there is no tag to compare with; name a revision: `cargo privet diff main`".into(),
            )
        })?,
    };
    let commit = git::commit(root, &base)?;
    let dir = project.audit_dir(&metadata);
    let _turn = Turn::take(&dir, project.quiet)?;
    let new_policy = policy(&metadata, None)?;
    let (survey, after) = surveyed(project, &metadata, new_policy.as_ref())?;
    let before = Base::audit(project, &metadata, &commit, &dir.join("base"));
    let before = before.map_err(|error| Error::Base {
        revision: base.clone(),
        error: Box::new(error),
    })?;
    let there = |f: &Function| survey.defines(&f.package, name_of(&f.name));
    let mut diff = compare(&base, &before.report, &after, there);
    diff.policy = Policy::changes(before.policy.as_ref(), new_policy.as_ref());
    diff.versions = needed(&diff.changes, &before.versions, &versions(&metadata));
    Ok(diff)
}

fn compare(base: &str, before: &Report, after: &Report, there: impl Fn(&Function) -> bool) -> Diff {
    let mut changes = Vec::new();
    let mut unchanged = 0;
    let key = |f: &Function| (f.package.clone(), f.id.clone(), f.data.clone());
    let is_in = |report: &Report, f: &Function| report.functions.iter().any(|g| key(g) == key(f));
    let mut gone: Vec<&Function> = before
        .functions
        .iter()
        .filter(|f| !is_in(after, f))
        .collect();
    for f in &after.functions {
        let same = before.functions.iter().find(|g| key(g) == key(f));
        let old = same.or_else(|| {
            let at = moved_from(f, &gone)?;
            Some(gone.remove(at))
        });
        let Some(old) = old else {
            changes.push(change(What::Added, f, None, Some(f)));
            continue;
        };
        let (Some(was), Some(is)) = (old.price.price(), f.price.price()) else {
            continue;
        };
        let what = match (at_most(was, is), at_most(is, was)) {
            _ if old.data != f.data => What::Changed,
            _ if was == is && key(old) == key(f) => {
                unchanged += 1;
                continue;
            }
            _ if was == is && name_of(&old.name) != name_of(&f.name) => What::Renamed,
            _ if was == is => What::Moved,
            (_, Some(true)) => What::Cheaper,
            (Some(true), _) => What::Dearer,
            _ => What::Changed,
        };
        changes.push(change(what, f, Some(old), Some(f)));
    }
    for f in gone {
        // An instance that is no longer listed is still there, too.
        let what = if there(f) {
            What::Unaudited
        } else {
            What::Removed
        };
        changes.push(change(what, f, Some(f), None));
    }
    changes.sort_by(|a, b| (a.what, &a.function).cmp(&(b.what, &b.function)));
    let mut totals: Vec<Total> = Vec::new();
    let find = |report: &Report, name: &str| {
        let data = report.data.iter().find(|d| d.name == name);
        let total = data.map(|d| d.total.text.clone());
        (
            total,
            data.and_then(|d| d.budget.as_ref().map(|b| b.text.clone())),
        )
    };
    for data in before.data.iter().chain(&after.data) {
        if !totals.iter().any(|t| t.data == data.name) {
            let (was, opened_before) = find(before, &data.name);
            let (is, opened_after) = find(after, &data.name);
            totals.push(Total {
                data: data.name.clone(),
                before: was,
                after: is,
                opened_before,
                opened_after,
            });
        }
    }
    Diff {
        schema: SCHEMA,
        base: base.to_string(),
        changes,
        totals,
        unchanged,
        opened: (before.trust.opened.len(), after.trust.opened.len()),
        policy: Vec::new(),
        versions: Vec::new(),
    }
}

fn change(what: What, f: &Function, before: Option<&Function>, after: Option<&Function>) -> Change {
    let shown = |f: &Function| match before.is_some_and(|b| after.is_some_and(|a| a.data != b.data))
    {
        true => format!("{} on {}", f.id, f.data),
        false => f.id.clone(),
    };
    let was = before
        .zip(after)
        .filter(|(b, a)| (&b.id, &b.data) != (&a.id, &a.data));
    Change {
        what,
        function: f.id.clone(),
        package: f.package.clone(),
        data: f.data.clone(),
        before: before.map(|f| f.price.text.clone()),
        after: after.map(|f| f.price.text.clone()),
        was: was.map(|(before, _)| shown(before)),
        public: before.into_iter().chain(after).any(|f| f.public),
        file: f.file.clone(),
        line: f.line,
    }
}

/// Which of the functions that are gone a new one was: the same function on other data, another
/// instance of it, one of that name in another place, or one that does the same at the same price.
fn moved_from(f: &Function, gone: &[&Function]) -> Option<usize> {
    let path = |f: &Function| f.id.split("::<").next().unwrap_or_default().to_string();
    let same: [&dyn Fn(&Function) -> bool; 5] = [
        &|g| g.package == f.package && g.id == f.id,
        &|g| g.package == f.package && path(g) == path(f) && g.data == f.data,
        &|g| g.name == f.name && g.data == f.data && g.price.text == f.price.text,
        &|g| name_of(&g.name) == name_of(&f.name) && g.data == f.data,
        &|g| {
            let same = g.package == f.package && g.data == f.data && g.price.text == f.price.text;
            same && !f.body.is_empty() && g.body == f.body
        },
    ];
    let kind = |g: &&Function| g.kind == f.kind;
    same.iter()
        .find_map(|is_it| gone.iter().position(|g| is_it(g) && kind(g)))
}

/// What the changes of public functions need of versions.
fn needed(
    changes: &[Change],
    before: &[(String, String)],
    after: &[(String, String)],
) -> Vec<Version> {
    let mut needs: BTreeMap<&str, Bump> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.public) {
        if let Some(bump) = change.what.bump() {
            let entry = needs.entry(&change.package).or_insert(bump);
            *entry = bump.max(*entry);
        }
    }
    let find = |list: &[(String, String)], name: &str| {
        list.iter()
            .find(|(n, _)| n == name)
            .map(|(_, version)| version.clone())
    };
    let needed = needs.into_iter().filter_map(|(package, needs)| {
        // A package that is new or gone has no version to raise.
        let (before, after) = (find(before, package)?, find(after, package)?);
        let least = needs.after(numbers(&before));
        Some(Version {
            package: package.to_string(),
            needs,
            enough: numbers(&after) >= least,
            least: format!("{}.{}.{}", least[0], least[1], least[2]),
            before,
            after,
        })
    });
    needed.collect()
}

fn numbers(version: &str) -> [u64; 3] {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = plain.split('.').map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

impl Diff {
    /// Whether a function is new, dearer, or in a notion that does not compare, or the policy lets
    /// more pass.
    pub fn is_dearer(&self) -> bool {
        self.changes.iter().any(|c| {
            matches!(
                c.what,
                What::Added | What::Dearer | What::Changed | What::Unaudited
            )
        }) || self.totals.iter().any(Total::is_dearer)
            || self.opened.0 < self.opened.1
            || self.policy.iter().any(|change| change.looser)
    }

    /// Whether a version is too low for what changed.
    pub fn needs_version(&self) -> bool {
        self.versions.iter().any(|version| !version.enough)
    }

    /// For the terminal.
    pub fn table(&self, style: Style) -> String {
        let arrow = |before: &Option<String>, after: &Option<String>| {
            format!("{} → {}", or_dash(before), or_dash(after))
        };
        let mut table = Table::new(4);
        for c in &self.changes {
            let word = c.what.word();
            let word = match c.what {
                What::Cheaper | What::Removed | What::Moved | What::Renamed => {
                    cell(word, style.good(word))
                }
                _ => cell(word, style.bad(word)),
            };
            let place = format!("{}:{}", c.file, c.line);
            let name = match &c.was {
                Some(was) => format!("{} (was {was})", c.function),
                None => c.function.clone(),
            };
            table.row(vec![
                word,
                name.into(),
                arrow(&c.before, &c.after).into(),
                cell(&place, style.dim(&place)),
            ]);
        }
        for t in &self.totals {
            let word = |word: &str| cell(word, style.dim(word));
            table.row(vec![
                word("total"),
                t.data.clone().into(),
                arrow(&t.before, &t.after).into(),
            ]);
            if t.opened_before != t.opened_after {
                let opened = arrow(&t.opened_before, &t.opened_after);
                table.row(vec![word("budget"), t.data.clone().into(), opened.into()]);
            }
        }
        if self.opened.0 != self.opened.1 {
            let (before, after) = self.opened;
            let count = format!("{before} → {after}");
            let word = cell("opened", style.bad("opened"));
            table.row(vec![
                word,
                "places that open a vault".to_string().into(),
                count.into(),
            ]);
        }
        for p in &self.policy {
            let word = if p.looser {
                style.bad("policy")
            } else {
                style.good("policy")
            };
            table.row(vec![
                cell("policy", word),
                p.what.clone().into(),
                arrow(&p.before, &p.after).into(),
            ]);
        }
        let mut out = table.render("");
        for v in &self.versions {
            let text = v.sentence();
            let text = if v.enough { text } else { style.bad(&text) };
            let _ = writeln!(out, "{text}");
        }
        let _ = writeln!(out, "{} unchanged since {}", self.unchanged, self.base);
        out
    }

    /// For a pull request.
    pub fn markdown(&self) -> String {
        let mut out = format!("### Privacy prices since {}\n\n", code(&self.base));
        if self.changes.is_empty() {
            out += "No price of a function changed.\n\n";
        } else {
            out += "| | function | data | before | after |\n|---|---|---|---|---|\n";
            for c in &self.changes {
                let what = c.what.word();
                let what = match c.what {
                    What::Cheaper | What::Removed | What::Moved => what.to_string(),
                    _ => format!("**{what}**"),
                };
                let was = c
                    .was
                    .as_ref()
                    .map_or(String::new(), |was| format!(", was {}", code(was)));
                let place = text(&format!("({}:{})", c.file, c.line));
                let function = format!("{} {place}{was}", code(&c.function));
                let data = code(&c.data);
                out += &row(&[what, function, data, or_dash(&c.before), or_dash(&c.after)]);
            }
            out.push('\n');
        }
        out += "| data | total before | total after |\n|---|---|---|\n";
        for t in &self.totals {
            let data = code(&t.data);
            out += &row(&[data, or_dash(&t.before), or_dash(&t.after)]);
        }
        for t in self
            .totals
            .iter()
            .filter(|t| t.opened_before != t.opened_after)
        {
            let (before, after) = (or_dash(&t.opened_before), or_dash(&t.opened_after));
            let _ = writeln!(
                out,
                "\n**Vaults on {} are opened with: {before} → {after}.**",
                code(&t.data)
            );
        }
        if self.opened.0 != self.opened.1 {
            let (before, after) = self.opened;
            let _ = writeln!(out, "\n**Places that open a vault: {before} → {after}.**");
        }
        if !self.policy.is_empty() {
            out += "\n| policy | before | after |\n|---|---|---|\n";
            for p in &self.policy {
                let mut what = text(&p.what);
                if p.looser {
                    what = format!("**{what}**");
                }
                let words = |words| text(&or_dash(words));
                out += &row(&[what, words(&p.before), words(&p.after)]);
            }
        }
        for v in &self.versions {
            let _ = writeln!(out, "\n{}.", text(&v.sentence()));
        }
        let _ = writeln!(out, "\n{} unchanged.", self.unchanged);
        out
    }
}

impl Version {
    fn sentence(&self) -> String {
        let Version {
            package,
            before,
            after,
            least,
            ..
        } = self;
        let needs = self.needs.word();
        let verdict = if self.enough {
            "which it has"
        } else {
            "which it has not"
        };
        format!(
            "{package} needs a {needs} version: {least} or later after {before}, {verdict} ({after})"
        )
    }
}

fn or_dash(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "–".into())
}

/// A row of a Markdown table, where `|` ends a cell, in code too: `f::<{ A | B }>`.
pub fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Defined;
    use crate::report::tests::{line, report};

    #[test]
    fn a_constant_does_not_break_the_table() {
        let diff = Diff {
            schema: SCHEMA,
            base: "main".into(),
            changes: vec![Change {
                what: What::Added,
                function: "p::f::<{ A | B }>".into(),
                package: "p".into(),
                was: None,
                public: true,
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
                opened_before: None,
                opened_after: None,
            }],
            unchanged: 0,
            opened: (0, 0),
            policy: Vec::new(),
            versions: Vec::new(),
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

    #[test]
    fn versions_are_raised_as_cargo_compares_them() {
        for (version, minor, major) in [
            ("1.2.3", [1, 3, 0], [2, 0, 0]),
            ("0.2.3", [0, 2, 4], [0, 3, 0]),
            ("0.0.3-rc.1", [0, 0, 4], [0, 0, 4]),
        ] {
            assert_eq!(Bump::Minor.after(numbers(version)), minor);
            assert_eq!(Bump::Major.after(numbers(version)), major);
        }
    }

    #[test]
    fn a_function_that_does_the_same_under_another_name_may_be_renamed() {
        let report = |name: &str, price: &str, body: &str| {
            let mut report = report(&[line(name, price, &[])], &[], &Defined::new());
            report.functions[0].body = body.into();
            report.functions[0].public = true;
            report
        };
        let before = report("in_2024", "1/2", "rows");
        for (price, body, what) in [
            ("1/2", "rows", &[What::Renamed][..]),
            ("1/4", "rows", &[What::Added, What::Removed]),
            ("1/2", "others", &[What::Added, What::Removed]),
        ] {
            let diff = compare("base", &before, &report("since_2024", price, body), |_| {
                false
            });
            let found: Vec<What> = diff.changes.iter().map(|change| change.what).collect();
            assert_eq!(found, what, "{price} {body}");
            assert_eq!(diff.is_dearer(), what.len() > 1);
        }
        let diff = compare(
            "base",
            &before,
            &report("since_2024", "1/2", "rows"),
            |_| false,
        );
        assert_eq!(diff.changes[0].was.as_deref(), Some("p::in_2024"));
        // Callers of the old name have to change.
        let versions = [("p".to_string(), "1.0.0".to_string())];
        assert_eq!(
            needed(&diff.changes, &versions, &versions)[0].needs,
            Bump::Major
        );
    }

    #[test]
    fn a_moved_function_is_not_a_new_one() {
        let lines = |module: &str, name: &str, price: &str| {
            let mut line = line(name, price, &[]);
            line.module = module.into();
            [line]
        };
        let before = report(
            &lines("p::a", "f::<Eps<1, 2>>", "1/2"),
            &[],
            &Defined::new(),
        );
        for (module, name, price, what) in [
            ("p::b", "f::<Eps<1, 2>>", "1/2", What::Moved),
            ("p::a", "f::<Eps<1, 4>>", "1/4", What::Cheaper),
            ("p::a", "f::<Eps<1, 1>>", "1", What::Dearer),
            ("p::a", "g", "1/2", What::Added),
        ] {
            let after = report(&lines(module, name, price), &[], &Defined::new());
            let diff = compare("base", &before, &after, |_| false);
            assert_eq!(diff.changes[0].what, what, "{module} {name}");
            assert_eq!(diff.changes.len(), if what == What::Added { 2 } else { 1 });
        }
    }
}
