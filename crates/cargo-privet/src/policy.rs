//! `privet.toml`: what a project agreed to, and what is not kept.

mod ceilings;
mod changes;
mod code;

use std::collections::BTreeMap;
use std::path::Path;

use privet::Price;
use serde::Deserialize;
use toml::Spanned;

use crate::date::Date;
use crate::error::{Error, Result};
use crate::fresh::sha256;
use crate::place::shown;
use crate::report::{Excepted, Identity, Report, Violation};
use crate::rules::rule;
use crate::scan::Scan;

pub use ceilings::{people, rows_of, share_people, together};
pub use changes::PolicyChange;
pub use code::judge_always;

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
    expires: Day,
}

/// A date in the file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Day(Date);

impl TryFrom<toml::Value> for Day {
    type Error = String;
    fn try_from(value: toml::Value) -> Result<Self, String> {
        let date = value.as_datetime().filter(|day| day.time.is_none());
        match date.and_then(|day| day.date) {
            Some(date) => Ok(Day(Date::new(date.year, date.month, date.day))),
            None => Err(format!(
                "an exception expires on a day, and this is {}: write it without quotes, as in `expires = 2027-01-31`",
                match value {
                    toml::Value::String(_) => "a text",
                    toml::Value::Datetime(_) => "no day alone",
                    _ => "none",
                }
            )),
        }
    }
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
            // Every message has the words "".
            let said = [&exception.file, &exception.about];
            let blank = |words: &String| words.trim().is_empty();
            if said.into_iter().flatten().all(blank) || exception.about.as_ref().is_some_and(blank)
            {
                return Err(bad(format!(
                    "the exception from {shown} says neither `file` nor `about`; a whole rule is switched off under `[levels]`"
                )));
            }
            if exception.reason.trim().is_empty() {
                return Err(bad(format!("the exception from {shown} has no reason")));
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

    /// Exceptions that hold for more than a year from a day: what for, and until when.
    pub fn long_exceptions(&self, today: Date) -> Vec<String> {
        let exceptions = self.exceptions.iter().map(Spanned::get_ref);
        let long = exceptions.filter(|exception| exception.expires.0 > today.next_year());
        long.map(|e| shown(&format!("from {} until {}", e.shown(), e.expires.0)))
            .collect()
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
        for mut violation in violations {
            violation.message = shown(&violation.message);
            let exceptions = self.exceptions.iter().map(Spanned::get_ref).enumerate();
            let mut fitting = exceptions.filter(|(_, e)| e.fits(&violation));
            if let Some((at, exception)) = fitting.next() {
                used[at] = true;
                let expires = exception.expires.0;
                if today <= expires {
                    report.excepted.push(Excepted {
                        violation,
                        reason: shown(&exception.reason),
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
            let shown = shown(&exception.shown());
            let message = if late.contains(&at) {
                let day = exception.expires.0;
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
            Level::Allow => report.allowed.push(violation.rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_says_what_it_is_about() {
        let path = std::env::temp_dir().join(format!("privet-blank-{}.toml", std::process::id()));
        let read = |about: &str| {
            let text = format!(
                "[[exceptions]]\nrule = \"opens\"\n{about}reason = \"agreed\"\nexpires = 2999-12-31\n"
            );
            std::fs::write(&path, text).expect("a file");
            let read = Policy::read(&path, "privet.toml", true);
            read.map(|_| ()).map_err(|error| error.to_string())
        };
        for blank in [
            "",
            "about = \"\"\n",
            "about = \" \\t\"\n",
            "file = \"\"\n",
            "file = \"src/lib.rs\"\nabout = \" \"\n",
        ] {
            let message = read(blank).expect_err(blank);
            assert!(message.contains("neither `file` nor `about`"), "{message}");
        }
        for fine in ["about = \"twice\"\n", "file = \"src/lib.rs\"\n"] {
            assert_eq!(read(fine), Ok(()), "{fine}");
        }
        std::fs::remove_file(&path).expect("a file");
    }

    #[test]
    fn an_exception_has_a_day_and_a_long_one_is_said() {
        let read = |expires: &str| {
            let text = format!(
                "[[exceptions]]\nrule = \"opens\"\nfile = \"a.rs\"\nreason = \"b\"\nexpires = {expires}\n"
            );
            toml::from_str::<Policy>(&text).map_err(|e| e.to_string())
        };
        for bad in ["\"soon\"", "\"2027-01-31\"", "2027", "2027-01-31T10:00:00Z"] {
            let message = read(bad).expect_err(bad);
            assert!(
                message.contains("without quotes, as in `expires = 2027-01-31`"),
                "{message}"
            );
        }
        let today = Date::new(2026, 11, 19);
        for (day, long) in [
            ("2027-11-19", &[][..]),
            ("2027-11-20", &["from opens `a.rs` until 2027-11-20"]),
            ("9999-01-01", &["from opens `a.rs` until 9999-01-01"]),
        ] {
            assert_eq!(read(day).expect(day).long_exceptions(today), long);
        }
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
}
