//! `privet.toml`: what a project agreed to, and what is not kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use privet::Price;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::date::Date;
use crate::error::{Error, Result};
use crate::fresh::sha256;
use crate::openers;
use crate::price::{Stated, at_most, plus, state, twice};
use crate::report::{DataSet, Excepted, Identity, Report, Spot, Violation, base};
use crate::rules::{RULES, rule};
use crate::scan::Scan;

/// A `privet.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Ceilings by data set: its type as reports write it, its record's path, or its name.
    #[serde(default)]
    data: BTreeMap<String, DataLimit>,
    /// Ceilings by function: its path, or its name.
    #[serde(default)]
    functions: BTreeMap<String, Limit>,
    #[serde(default)]
    rules: Rules,
    /// How much each rule matters, by its name.
    #[serde(default)]
    levels: BTreeMap<String, Level>,
    #[serde(default)]
    exceptions: Vec<Spanned<Exception>>,
    /// Where it was read, as reports show it.
    #[serde(skip)]
    file: String,
    #[serde(skip)]
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataLimit {
    at_most: Spanned<Ceiling>,
    /// Why the people are others than those of a data set with the same record.
    #[serde(default)]
    different_people: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    at_most: Spanned<Ceiling>,
}

/// A price in the file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Ceiling(Price);

impl TryFrom<String> for Ceiling {
    type Error = privet::ParsePriceError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Ceiling)
    }
}

/// How much a rule matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Allow,
    Warn,
    #[default]
    Deny,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

/// What is let pass for a while, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    rule: String,
    /// The file that the violation is in.
    file: Option<String>,
    /// Some words of its message.
    about: Option<String>,
    reason: String,
    /// The last day on which it holds.
    expires: toml::value::Datetime,
}

impl Exception {
    fn fits(&self, violation: &Violation) -> bool {
        self.rule == violation.rule
            && self
                .file
                .as_ref()
                .is_none_or(|file| *file == violation.file)
            && self
                .about
                .as_ref()
                .is_none_or(|words| violation.message.contains(words))
    }

    fn last_day(&self) -> Option<Date> {
        let date = self.expires.date?;
        Some(Date::new(date.year, date.month, date.day))
    }

    fn shown(&self) -> String {
        let mut text = self.rule.clone();
        for part in [&self.file, &self.about].into_iter().flatten() {
            text += &format!(" `{part}`");
        }
        text
    }
}

/// Which rules hold. Where there is a policy, all do unless it says otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Packages that may contain `unsafe`.
    pub trusted: Vec<String>,
    /// Packages beyond the workspace whose sources are read, too.
    pub scan: Vec<String>,
    /// Files or packages where a vault may be opened.
    pub opens: Vec<String>,
    unsafe_impl: Option<bool>,
    forbid_unsafe: Option<bool>,
    no_unsafe: Option<bool>,
    audit_public: Option<bool>,
    as_shipped: Option<bool>,
}

impl Policy {
    /// Reads a policy; none where there is no such file and none was asked for.
    pub fn read(path: &Path, file: &str, asked: bool) -> Result<Option<Policy>> {
        if !asked && !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
        let bad = |message: String| Error::Policy {
            path: path.to_path_buf(),
            message,
        };
        let mut policy: Policy = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
        for name in policy.levels.keys() {
            if rule(name).is_none() {
                return Err(bad(format!(
                    "there is no rule `{name}`; see `cargo privet explain`"
                )));
            }
        }
        for exception in policy.exceptions.iter().map(Spanned::get_ref) {
            let shown = exception.shown();
            if rule(&exception.rule).is_none() {
                return Err(bad(format!(
                    "there is no rule `{}`; see `cargo privet explain`",
                    exception.rule
                )));
            }
            if exception.file.is_none() && exception.about.is_none() {
                return Err(bad(format!(
                    "the exception from {shown} says neither `file` nor `about`; a whole rule is switched off under `[levels]`"
                )));
            }
            if exception.reason.trim().is_empty() {
                return Err(bad(format!("the exception from {shown} has no reason")));
            }
            if exception.last_day().is_none() || exception.expires.time.is_some() {
                return Err(bad(format!(
                    "the exception from {shown} expires on no date; write `expires = 2027-01-31`"
                )));
            }
        }
        for (name, limit) in &policy.data {
            if limit
                .different_people
                .as_ref()
                .is_some_and(|why| why.trim().is_empty())
            {
                return Err(bad(format!(
                    "`{name}` has different people for no reason: say why"
                )));
            }
        }
        policy.file = file.to_string();
        policy.text = text;
        Ok(Some(policy))
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The file, as reports show it, and its hash.
    pub fn identity(&self) -> Identity {
        Identity {
            file: self.file.clone(),
            sha256: sha256(self.text.as_bytes()),
        }
    }

    /// How much a rule matters here.
    fn level(&self, id: &str) -> Level {
        let rules = &self.rules;
        let old = match id {
            "unsafe-impl" => rules.unsafe_impl,
            "forbid-unsafe" => rules.forbid_unsafe,
            "no-unsafe" => rules.no_unsafe,
            "audit-public" => rules.audit_public,
            "as-shipped" => rules.as_shipped,
            _ => None,
        };
        let old = match old {
            Some(false) => Level::Allow,
            _ => Level::Deny,
        };
        self.levels.get(id).copied().unwrap_or(old)
    }

    /// The line on which a part of the file begins.
    fn line(&self, span: core::ops::Range<usize>) -> u32 {
        let before = self.text.get(..span.start).unwrap_or_default();
        u32::try_from(before.matches('\n').count() + 1).unwrap_or(1)
    }

    /// Writes ceilings into a report and returns what is not kept.
    pub fn judge(&self, report: &mut Report, scans: &[Scan]) -> Vec<Violation> {
        let mut violations = Vec::new();
        self.ceilings(report, &mut violations);
        self.code(scans, &mut violations);
        violations
    }

    /// Sorts violations by how much they matter, and by what is let pass.
    pub fn settle(&self, report: &mut Report, mut violations: Vec<Violation>) {
        violations.sort();
        violations.dedup();
        let today = Date::today();
        let mut used = vec![false; self.exceptions.len()];
        let mut late = Vec::new();
        for violation in violations {
            let exceptions = self.exceptions.iter().map(Spanned::get_ref).enumerate();
            let mut fitting = exceptions.filter(|(_, e)| e.fits(&violation));
            if let Some((at, exception)) = fitting.next() {
                used[at] = true;
                let expires = exception.last_day().unwrap_or(today);
                if today <= expires {
                    report.excepted.push(Excepted {
                        violation,
                        reason: exception.reason.clone(),
                        expires: expires.to_string(),
                    });
                    continue;
                }
                late.push(at);
            }
            self.sort_in(report, violation);
        }
        for (at, exception) in self.exceptions.iter().enumerate() {
            let line = self.line(exception.span());
            let exception = exception.get_ref();
            let shown = exception.shown();
            let message = if late.contains(&at) {
                let day = exception.last_day().unwrap_or(today);
                format!("the exception from {shown} expired on {day}")
            } else if !used[at] {
                format!("the exception from {shown} fits nothing that the audit found: remove it")
            } else {
                continue;
            };
            self.sort_in(
                report,
                Violation {
                    file: self.file.clone(),
                    line,
                    rule: "exceptions".into(),
                    message,
                },
            );
        }
        report.violations.sort();
        report.warnings.sort();
    }

    fn sort_in(&self, report: &mut Report, violation: Violation) {
        match self.level(&violation.rule) {
            Level::Deny => report.violations.push(violation),
            Level::Warn => report.warnings.push(violation),
            Level::Allow => report.allowed += 1,
        }
    }

    fn ceilings(&self, report: &mut Report, violations: &mut Vec<Violation>) {
        let at = |limit: &Spanned<Ceiling>| self.line(limit.span());
        let absent = |what: &str, name: &str, limit| Violation {
            file: self.file.clone(),
            line: at(limit),
            rule: "seen".into(),
            message: format!("the policy names the {what} `{name}`, which the audit did not find"),
        };
        let apart: Vec<String> = report
            .data
            .iter()
            .map(|data| data.name.clone())
            .filter(|data| {
                let mut limits = self.data.iter();
                limits.any(|(name, l)| l.different_people.is_some() && is_named(data, name))
            })
            .collect();
        for (name, limit) in &self.data {
            let ceiling = limit.at_most.get_ref().0;
            let mut known = false;
            let mut over = |what: &str, sum: &Stated, of: &str, how: &str| {
                if let Some(excess) = excess(sum.price(), ceiling) {
                    violations.push(Violation {
                        file: self.file.clone(),
                        line: at(&limit.at_most),
                        rule: "data-ceiling".into(),
                        message: format!("{of}: {what} {}{how}, {excess}", sum.text),
                    });
                }
            };
            for data in report
                .data
                .iter_mut()
                .filter(|data| is_named(&data.name, name))
            {
                known = true;
                // Said of one data set, it holds for that one; said of people, for all of theirs.
                let exact = self.data.keys().any(|key| *key == data.name);
                if exact && data.name != *name {
                    continue;
                }
                data.ceiling = Some(state(ceiling));
                let of = format!("`{}`", data.name);
                over("its audited functions spend", &data.total, &of, "");
                if let Some(budget) = &data.budget {
                    over("its vaults are opened with", budget, &of, "");
                }
            }
            let same: Vec<&DataSet> = report
                .data
                .iter()
                .filter(|data| !apart.contains(&data.name))
                .filter(|data| {
                    let mut named = report.data.iter().filter(|d| is_named(&d.name, name));
                    named.any(|d| {
                        !people(&d.name).is_disjoint(&people(&data.name))
                            && !apart.contains(&d.name)
                    })
                })
                .collect();
            if same.len() > 1 && limit.different_people.is_none() {
                let names: Vec<String> = same.iter().map(|d| format!("`{}`", d.name)).collect();
                let of = format!("{}, which are about the same people", names.join(" and "));
                let how = if same.iter().any(|d| is_replacing(&d.name))
                    && same.iter().any(|d| !is_replacing(&d.name))
                {
                    " together, by replacing one person"
                } else {
                    " together"
                };
                let sum = |amount: &dyn Fn(&DataSet) -> Option<Price>| {
                    let mixed = same.iter().any(|d| is_replacing(&d.name));
                    let amounts = same.iter().filter_map(|data| {
                        let amount = amount(data)?;
                        Some(if mixed && !is_replacing(&data.name) {
                            twice(amount)
                        } else {
                            amount
                        })
                    });
                    amounts.reduce(plus).map(state)
                };
                if let Some(total) = sum(&|data| data.total.price()) {
                    over("their audited functions spend", &total, &of, how);
                }
                if let Some(budget) = sum(&|data| data.budget.as_ref()?.price()) {
                    over("their vaults are opened with", &budget, &of, how);
                }
            }
            if !known {
                violations.push(absent("data set", name, &limit.at_most));
            }
        }
        for data in &report.data {
            if let (Some(budget), None) = (&data.budget, &data.ceiling)
                && !self.file.is_empty()
            {
                violations.push(Violation {
                    file: self.file.clone(),
                    line: 1,
                    rule: "no-ceiling".into(),
                    message: format!(
                        "the policy says nothing of `{}`, whose vaults are opened with {}",
                        data.name, budget.text
                    ),
                });
            }
        }
        for (name, limit) in &self.functions {
            let ceiling = limit.at_most.get_ref().0;
            let mut known = false;
            for function in &mut report.functions {
                let path = format!("{}::{}", function.module, base(&function.name));
                if ![&function.id, &function.name, &path].contains(&name)
                    && base(&function.name) != name
                {
                    continue;
                }
                known = true;
                function.ceiling = Some(state(ceiling));
                if let Some(excess) = excess(function.price.price(), ceiling) {
                    violations.push(Violation {
                        file: self.file.clone(),
                        line: at(&limit.at_most),
                        rule: "function-ceiling".into(),
                        message: format!(
                            "`{}` spends {}, {excess}",
                            function.name, function.price.text
                        ),
                    });
                }
            }
            if !known {
                violations.push(absent("function", name, &limit.at_most));
            }
        }
    }

    fn code(&self, scans: &[Scan], violations: &mut Vec<Violation>) {
        let rules = &self.rules;
        let mut add = |rule: &str, spot: &Spot, message: String| {
            violations.push(Violation {
                file: spot.file.clone(),
                line: spot.line,
                rule: rule.into(),
                message,
            });
        };
        for scan in scans {
            let package = &scan.package;
            let trusted = rules.trusted.contains(package);
            if !trusted {
                for spot in &scan.unsafe_impls {
                    let what = &spot.what;
                    add(
                        "unsafe-impl",
                        spot,
                        format!(
                            "a hand-written `unsafe impl` of `{what}`: use `#[derive({what})]`, or list `{package}` as trusted"
                        ),
                    );
                }
            }
            if !trusted {
                for spot in &scan.unsafe_code {
                    if !scan
                        .unsafe_impls
                        .iter()
                        .any(|i| (&i.file, i.line) == (&spot.file, spot.line))
                    {
                        add(
                            "no-unsafe",
                            spot,
                            format!("`unsafe` in `{package}`: {}", spot.what),
                        );
                    }
                }
            }
            // What is not read may also open a vault.
            let rule = if self.level("no-unsafe") > Level::Allow {
                "no-unsafe"
            } else {
                "opens"
            };
            if !trusted {
                for spot in &scan.unreadable {
                    let what = &spot.what;
                    add(
                        rule,
                        spot,
                        format!("this file {what}: not everything was scanned"),
                    );
                }
            }
            if !trusted {
                for spot in &scan.unforbidden {
                    add(
                        "forbid-unsafe",
                        spot,
                        format!(
                            "`{package}` uses mechanisms: begin this file with `#![forbid(unsafe_code)]`"
                        ),
                    );
                }
            }
            if scan.uses {
                for spot in &scan.unaudited {
                    let does = if scan.takes.contains(spot) {
                        "takes a vault"
                    } else {
                        "returns a mechanism"
                    };
                    add(
                        "audit-public",
                        spot,
                        format!(
                            "`{}` is public and {does}: put `#[privet::audited]` on it",
                            spot.what
                        ),
                    );
                }
            }
            for spot in &scan.forged {
                add(
                    "seen",
                    spot,
                    format!(
                        "the audit's own names stand in the sources, so that prices may be made up: {}",
                        spot.what
                    ),
                );
            }
            for spot in &scan.only_tests {
                add(
                    "as-shipped",
                    spot,
                    format!(
                        "the audit is a test build on this machine, and may see another type here than what ships: {}",
                        spot.what
                    ),
                );
            }
        }
        self.openings(scans, &mut add);
        // One opening is one violation, whatever else is wrong with it.
        for found in openers::Calls::new(scans).judge().violations {
            let known = |v: &Violation| {
                (&v.rule, &v.file, v.line) == (&found.rule, &found.file, found.line)
            };
            if found.rule != "opens" || !violations.iter().any(known) {
                violations.push(found);
            }
        }
    }

    /// What changed between two policies, and whether it lets more pass.
    pub fn changes(before: Option<&Policy>, after: Option<&Policy>) -> Vec<PolicyChange> {
        let mut changes = Vec::new();
        let mut add =
            |what: String, before: Option<String>, after: Option<String>, looser: bool| {
                if before != after {
                    changes.push(PolicyChange {
                        what,
                        before,
                        after,
                        looser,
                    });
                }
            };
        let exists = |policy: Option<&Policy>| policy.map(|p| p.file.clone());
        match (before, after) {
            (None, None) => return changes,
            (Some(_), None) => add("policy".into(), exists(before), None, true),
            (None, Some(_)) => add("policy".into(), None, exists(after), false),
            _ => {}
        }
        let nothing = Policy::default();
        let (old, new) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
        let raised = |was: Option<Price>, is: Option<Price>| match (was, is) {
            (Some(was), Some(is)) => at_most(is, was) != Some(true),
            (Some(_), None) => true,
            (None, _) => false,
        };
        let text = |price: Option<Price>| price.map(|price| price.to_string());
        for name in old
            .data
            .keys()
            .chain(new.data.keys())
            .collect::<BTreeSet<_>>()
        {
            let limit = |policy: &Policy| Some(policy.data.get(name)?.at_most.get_ref().0);
            let (was, is) = (limit(old), limit(new));
            add(format!("data {name}"), text(was), text(is), raised(was, is));
            let apart = |policy: &Policy| policy.data.get(name)?.different_people.clone();
            let (was, is) = (apart(old), apart(new));
            let looser = is.is_some();
            add(format!("data {name}: different people"), was, is, looser);
        }
        for name in old
            .functions
            .keys()
            .chain(new.functions.keys())
            .collect::<BTreeSet<_>>()
        {
            let limit = |policy: &Policy| Some(policy.functions.get(name)?.at_most.get_ref().0);
            let (was, is) = (limit(old), limit(new));
            add(
                format!("function {name}"),
                text(was),
                text(is),
                raised(was, is),
            );
        }
        for rule in RULES.iter().map(|rule| rule.id) {
            let (was, is) = (old.level(rule), new.level(rule));
            let word = |level: Level| Some(level.word().to_string());
            add(format!("level of {rule}"), word(was), word(is), is < was);
        }
        // More of these lets more pass; of `scan`, less.
        type List = fn(&Policy) -> &Vec<String>;
        let lists: [(&str, List, bool); 3] = [
            ("trusted", |p| &p.rules.trusted, true),
            ("opens", |p| &p.rules.opens, true),
            ("scan", |p| &p.rules.scan, false),
        ];
        for (name, list, more_is_looser) in lists {
            let (was, is) = (list(old), list(new));
            for entry in was.iter().chain(is).collect::<BTreeSet<_>>() {
                let listed = |list: &[String]| list.contains(entry).then(|| "listed".to_string());
                // Without any place, openers may be anywhere.
                let all = name == "opens" && is.is_empty();
                let looser = all || is.contains(entry) == more_is_looser;
                add(format!("{name} {entry}"), listed(was), listed(is), looser);
            }
        }
        let excepted = |policy: &Policy| -> Vec<(String, String)> {
            let exceptions = policy.exceptions.iter().map(Spanned::get_ref);
            let shown =
                exceptions.map(|e| (e.shown(), format!("until {}: {}", e.expires, e.reason)));
            shown.collect()
        };
        let (was, is) = (excepted(old), excepted(new));
        for name in was
            .iter()
            .chain(&is)
            .map(|(name, _)| name)
            .collect::<BTreeSet<_>>()
        {
            let find = |list: &[(String, String)]| {
                list.iter()
                    .find(|(n, _)| n == name)
                    .map(|(_, text)| text.clone())
            };
            let (before, after) = (find(&was), find(&is));
            let looser = after.is_some();
            add(format!("exception from {name}"), before, after, looser);
        }
        changes
    }

    fn openings(&self, scans: &[Scan], add: &mut impl FnMut(&str, &Spot, String)) {
        let places = &self.rules.opens;
        if places.is_empty() {
            return;
        }
        let spots: Vec<&Spot> = scans.iter().flat_map(|scan| &scan.opened).collect();
        for spot in &spots {
            if !places.iter().any(|place| is_at(spot, place)) {
                let listed = places.join("`, `");
                add(
                    "opens",
                    spot,
                    format!("a vault is opened outside `{listed}`: {}", spot.what),
                );
            }
        }
        for place in places {
            for spot in spots.iter().filter(|spot| is_at(spot, place)).skip(1) {
                add(
                    "opens",
                    spot,
                    format!("a second vault is opened in `{place}`: each starts a new budget"),
                );
            }
        }
    }
}

fn is_at(spot: &Spot, place: &str) -> bool {
    spot.file == place || spot.package == place
}

/// A line of the policy that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyChange {
    pub what: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Lets more pass than before.
    pub looser: bool,
}

/// What holds whatever the policy says: ceilings in attributes, compared exactly, and that all is
/// seen.
pub fn judge_always(
    report: &Report,
    scans: &[Scan],
    lines: &dyn Fn(&str, u32) -> String,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut add = |rule: &str, file: &str, line: u32, message: String| {
        violations.push(Violation {
            file: file.to_string(),
            line,
            rule: rule.into(),
            message,
        });
    };
    let holders: BTreeSet<&String> = scans.iter().flat_map(|scan| &scan.holders).collect();
    for function in &report.functions {
        let name = &function.name;
        let mut not_kept = |rule: &str, message: String| {
            add(rule, &function.file, function.line, message);
        };
        if let Some(declared) = &function.declared
            && let Some(excess) = declared
                .price()
                .and_then(|c| excess(function.price.price(), c))
        {
            not_kept(
                "declared-ceiling",
                format!("`{name}` spends {}, {excess}", function.price.text),
            );
        }
        if function.other_vaults > 0 {
            not_kept(
                "seen",
                format!(
                    "`{name}` takes or opens {} vault{} beside the one that it is priced for, and what is spent of that is not seen: write a function for each",
                    function.other_vaults,
                    if function.other_vaults == 1 { "" } else { "s" },
                ),
            );
        }
        let words = function
            .takes
            .split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if let Some(holder) = words
            .map(str::to_string)
            .find(|word| holders.contains(word))
        {
            not_kept(
                "seen",
                format!(
                    "`{name}` takes a `{holder}`, which holds a vault, and what is spent of that is not seen: take and return the vault itself"
                ),
            );
        }
        if takes_object(&function.takes) {
            not_kept(
                "seen",
                format!(
                    "`{name}` takes a trait object, which may hold a vault, and what is spent of that is not seen: take a type with a name"
                ),
            );
        }
        // The other way round: a price must be that of a function in the sources that were read.
        let scanned = scans.iter().any(|scan| scan.files.contains(&function.file));
        let own = base(name);
        let text = lines(&function.file, function.line);
        let mut there = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if !scanned || !there.any(|word| word == own) {
            not_kept(
                "seen",
                format!(
                    "`{name}` has a price, and the scan finds no such function here: it is written by a macro under a name that it puts together"
                ),
            );
        }
    }
    for scan in scans.iter().filter(|scan| scan.uses) {
        for spot in &scan.audited {
            let seen = report
                .functions
                .iter()
                .any(|f| base(&f.name) == spot.what && f.file == spot.file && f.line == spot.line);
            if !seen {
                add(
                    "seen",
                    &spot.file,
                    spot.line,
                    format!(
                        "`{}` has the attribute but no price: {}",
                        spot.what,
                        scan.why_unpriced()
                    ),
                );
            }
        }
    }
    violations
}

/// Whether the types of some arguments hold a trait object that is not only looked at.
fn takes_object(takes: &str) -> bool {
    takes
        .match_indices("dyn ")
        .any(|(at, _)| !takes[..at].ends_with('&'))
}

fn excess(price: Option<Price>, ceiling: Price) -> Option<String> {
    match price.and_then(|price| at_most(price, ceiling)) {
        Some(true) => None,
        Some(false) => Some(format!("more than its ceiling {ceiling}")),
        None => Some(format!(
            "which does not compare with its ceiling {ceiling}: state the ceiling in the same notion"
        )),
    }
}

/// The records whose people a data set is about: `hospital::Patient` of `Table<hospital::Patient>`,
/// both of a pair.
fn people(data: &str) -> BTreeSet<&str> {
    let tables = data.match_indices("Table<").map(|(at, word)| {
        let rest = &data[at + word.len()..];
        let mut depth = 0_i32;
        let end = rest.find(|c: char| {
            let ends = depth == 0 && (c == ',' || c == '>');
            depth += i32::from(c == '<') - i32::from(c == '>');
            ends
        });
        &rest[..end.unwrap_or(rest.len())]
    });
    let records: BTreeSet<&str> = tables.collect();
    if records.is_empty() {
        BTreeSet::from([data])
    } else {
        records
    }
}

/// Whether neighbours replace a person, and do not add or remove one.
fn is_replacing(data: &str) -> bool {
    data.split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "Replace")
}

/// Whether a data set goes by a name: its type, a path in it, or the last word of one.
fn is_named(data: &str, name: &str) -> bool {
    data == name
        || data
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
            .any(|path| path == name || path.rsplit("::").next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sets_go_by_type_path_or_name() {
        for name in ["Table<hospital::Patient>", "hospital::Patient", "Patient"] {
            assert!(is_named("Table<hospital::Patient>", name));
        }
        assert!(!is_named("Table<hospital::Patient>", "Pat"));
    }

    #[test]
    fn people_are_told_by_their_records() {
        assert_eq!(people("Table<h::P, Replace>"), BTreeSet::from(["h::P"]));
        assert_eq!(
            people("Pair<Table<P<u8>>, Table<Q>>"),
            BTreeSet::from(["P<u8>", "Q"])
        );
        assert_eq!(people("Person<bool>"), BTreeSet::from(["Person<bool>"]));
        assert!(is_replacing("Table<h::P, Replace>") && !is_replacing("Table<h::Replaced>"));
    }

    #[test]
    fn what_lets_more_pass_is_looser() {
        let read = |text: &str| toml::from_str::<Policy>(text).expect("a policy");
        let old = read("[data.P]\nat_most = \"1\"\n[rules]\nscan = [\"d\"]\nopens = [\"a\"]");
        let looser = |text: &str| {
            let changes = Policy::changes(Some(&old), Some(&read(text)));
            (changes.len(), changes.iter().filter(|c| c.looser).count())
        };
        let rules = "[rules]\nscan = [\"d\"]\nopens = [\"a\"]";
        assert_eq!(
            looser(&format!("[data.P]\nat_most = \"1\"\n{rules}")),
            (0, 0)
        );
        assert_eq!(
            looser(&format!("[data.P]\nat_most = \"2\"\n{rules}")),
            (1, 1)
        );
        assert_eq!(
            looser(&format!("[data.P]\nat_most = \"1/2\"\n{rules}")),
            (1, 0)
        );
        assert_eq!(looser(rules), (1, 1));
        assert_eq!(
            looser("[data.P]\nat_most = \"1\"\n[rules]\nopens = [\"a\"]"),
            (1, 1)
        );
        assert_eq!(
            looser("[data.P]\nat_most = \"1\"\n[rules]\nscan = [\"d\"]"),
            (1, 1)
        );
        let warns = format!("[data.P]\nat_most = \"1\"\n{rules}\n[levels]\nseen = \"warn\"");
        assert_eq!(looser(&warns), (1, 1));
        assert_eq!(
            Policy::changes(Some(&old), None)
                .iter()
                .filter(|c| c.looser)
                .count(),
            4
        );
    }

    #[test]
    fn a_policy_with_a_typo_is_refused() {
        let read = |text: &str| toml::from_str::<Policy>(text).map_err(|e| e.to_string());
        assert!(read("[data.Patient]\nat_most = \"1/2\"").is_ok());
        assert!(read("[data.Patient]\nat_moist = \"1/2\"").is_err());
        assert!(
            read("[data.Patient]\nat_most = \"a bit\"").is_err_and(|e| e.contains("not a price"))
        );
        assert!(read("[rules]\nno_unsave = true").is_err());
    }

    #[test]
    fn what_was_not_read_breaks_each_rule_about_code() {
        let spot = Spot {
            package: "p".into(),
            file: "src/lib.rs".into(),
            line: 1,
            what: "cannot be read".into(),
        };
        let scan = Scan {
            package: "p".into(),
            unreadable: vec![spot],
            ..Scan::default()
        };
        for (rules, broken) in [
            ("", &["no-unsafe"][..]),
            ("no_unsafe = false", &["opens"]),
            ("no_unsafe = false\nopens = [\"src/lib.rs\"]", &["opens"]),
            ("trusted = [\"p\"]", &[]),
        ] {
            let policy: Policy = toml::from_str(&format!("[rules]\n{rules}")).expect("a policy");
            let mut violations = Vec::new();
            policy.code(core::slice::from_ref(&scan), &mut violations);
            let found: Vec<&str> = violations.iter().map(|v| v.rule.as_str()).collect();
            assert_eq!(found, broken, "{rules}");
        }
    }
}
