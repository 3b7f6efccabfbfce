//! `privet.toml`: what a project agreed to, and what is not kept.

use std::collections::BTreeMap;
use std::path::Path;

use privet::Price;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::price::{at_most, state};
use crate::report::{Kind, Report, Spot, Violation, base};
use crate::scan::Scan;

/// The rules, by the names that reports use, and what each says.
pub const RULES: [(&str, &str); 10] = [
    (
        "declared-ceiling",
        "a function spends at most what its attribute declares",
    ),
    (
        "function-ceiling",
        "a function spends at most what the policy says of it",
    ),
    (
        "data-ceiling",
        "the functions on a data set, and the vaults opened for it, stay within its ceiling",
    ),
    (
        "unsafe-impl",
        "no `unsafe impl` of privet's traits outside trusted packages: use the derives",
    ),
    (
        "forbid-unsafe",
        "packages that use mechanisms say `#![forbid(unsafe_code)]`",
    ),
    (
        "no-unsafe",
        "no `unsafe` in scanned packages, macro bodies included",
    ),
    (
        "opens",
        "vaults are opened in the listed places only, once in each",
    ),
    (
        "audit-public",
        "every public function that returns a mechanism is audited",
    ),
    (
        "as-shipped",
        "no type depends on what only the audit's test build has: conditions on `test`, twins under one name",
    ),
    (
        "seen",
        "every function with the attribute has a price in the audit, and every listed name exists",
    ),
];

/// A `privet.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Ceilings by data set: its type as reports write it, its record's path, or its name.
    #[serde(default)]
    data: BTreeMap<String, Limit>,
    /// Ceilings by function: its path, or its name.
    #[serde(default)]
    functions: BTreeMap<String, Limit>,
    #[serde(default)]
    rules: Rules,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    at_most: Ceiling,
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

/// Which rules hold. Where there is a policy, all do unless it says otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Packages that may contain `unsafe`.
    pub trusted: Vec<String>,
    /// Packages beyond the workspace whose sources are read, too.
    pub scan: Vec<String>,
    /// Files or packages where a vault may be opened.
    pub opens: Vec<String>,
    unsafe_impl: bool,
    forbid_unsafe: bool,
    no_unsafe: bool,
    audit_public: bool,
    as_shipped: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            trusted: Vec::new(),
            scan: Vec::new(),
            opens: Vec::new(),
            unsafe_impl: true,
            forbid_unsafe: true,
            no_unsafe: true,
            audit_public: true,
            as_shipped: true,
        }
    }
}

impl Policy {
    /// Reads a policy; none where there is no such file and none was asked for.
    pub fn read(path: &Path, asked: bool) -> Result<Option<Policy>> {
        if !asked && !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
        toml::from_str(&text)
            .map(Some)
            .map_err(|error| Error::Policy {
                path: path.to_path_buf(),
                message: error.to_string(),
            })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Writes ceilings and violations into a report.
    pub fn judge(&self, report: &mut Report, scans: &[Scan], file: &str) {
        let mut violations = Vec::new();
        self.ceilings(report, file, &mut violations);
        self.code(scans, &mut violations);
        report.violations.extend(violations);
    }

    fn ceilings(&self, report: &mut Report, file: &str, violations: &mut Vec<Violation>) {
        let absent = |what: &str, name: &str| Violation {
            file: file.to_string(),
            line: 1,
            rule: "seen".into(),
            message: format!("the policy names the {what} `{name}`, which the audit did not find"),
        };
        for (name, limit) in &self.data {
            let mut known = false;
            for data in report
                .data
                .iter_mut()
                .filter(|data| is_named(&data.name, name))
            {
                known = true;
                data.ceiling = Some(state(limit.at_most.0));
                let place = |kinds: &[Kind]| {
                    report
                        .functions
                        .iter()
                        .find(|f| f.data == data.name && kinds.contains(&f.kind))
                        .map_or((file.to_string(), 1), |f| (f.file.clone(), f.line))
                };
                let spent = place(&[Kind::Vault, Kind::Mechanism]);
                let opened = place(&[Kind::Opens]);
                let sums = [
                    (Some(&data.total), "its audited functions spend", spent),
                    (data.budget.as_ref(), "its vaults are opened with", opened),
                ];
                for (sum, what, (file, line)) in sums {
                    let Some(sum) = sum else { continue };
                    if let Some(excess) = excess(sum.price(), limit.at_most.0) {
                        violations.push(Violation {
                            file,
                            line,
                            rule: "data-ceiling".into(),
                            message: format!("`{}`: {what} {}, {excess}", data.name, sum.text),
                        });
                    }
                }
            }
            if !known {
                violations.push(absent("data set", name));
            }
        }
        for (name, limit) in &self.functions {
            let mut known = false;
            for function in &mut report.functions {
                let path = format!("{}::{}", function.module, base(&function.name));
                if ![&function.id, &function.name, &path].contains(&name)
                    && base(&function.name) != name
                {
                    continue;
                }
                known = true;
                function.ceiling = Some(state(limit.at_most.0));
                if let Some(excess) = excess(function.price.price(), limit.at_most.0) {
                    violations.push(Violation {
                        file: function.file.clone(),
                        line: function.line,
                        rule: "function-ceiling".into(),
                        message: format!(
                            "`{}` spends {}, {excess}",
                            function.name, function.price.text
                        ),
                    });
                }
            }
            if !known {
                violations.push(absent("function", name));
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
            if rules.unsafe_impl && !trusted {
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
            if rules.no_unsafe && !trusted {
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
            let rule = if rules.no_unsafe {
                "no-unsafe"
            } else {
                "opens"
            };
            if (rules.no_unsafe || !rules.opens.is_empty()) && !trusted {
                for spot in &scan.unreadable {
                    let what = &spot.what;
                    add(
                        rule,
                        spot,
                        format!("this file {what}: not everything was scanned"),
                    );
                }
            }
            if rules.forbid_unsafe && !trusted {
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
            if rules.audit_public && scan.uses {
                for spot in &scan.unaudited {
                    add(
                        "audit-public",
                        spot,
                        format!(
                            "`{}` is public and returns a mechanism: put `#[privet::audited]` on it",
                            spot.what
                        ),
                    );
                }
            }
            if rules.as_shipped && scan.uses {
                for spot in &scan.only_tests {
                    add(
                        "as-shipped",
                        spot,
                        format!(
                            "the audit is a test build, and may see another type here than what ships: {}",
                            spot.what
                        ),
                    );
                }
            }
        }
        self.openings(scans, &mut add);
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

/// Ceilings in attributes, compared exactly, and attributes that printed nothing.
pub fn judge_always(report: &mut Report, scans: &[Scan]) {
    let mut violations = Vec::new();
    for function in &report.functions {
        let Some(declared) = &function.declared else {
            continue;
        };
        if let Some(excess) = declared
            .price()
            .and_then(|c| excess(function.price.price(), c))
        {
            violations.push(Violation {
                file: function.file.clone(),
                line: function.line,
                rule: "declared-ceiling".into(),
                message: format!(
                    "`{}` spends {}, {excess}",
                    function.name, function.price.text
                ),
            });
        }
    }
    for function in report.functions.iter().filter(|f| f.other_vaults > 0) {
        violations.push(Violation {
            file: function.file.clone(),
            line: function.line,
            rule: "seen".into(),
            message: format!(
                "`{}` takes or opens {} vault{} beside the one that it is priced for, and what is spent of that is not seen: write a function for each",
                function.name,
                function.other_vaults,
                if function.other_vaults == 1 { "" } else { "s" },
            ),
        });
    }
    for spot in scans
        .iter()
        .filter(|scan| scan.uses)
        .flat_map(|scan| &scan.audited)
    {
        let seen = report
            .functions
            .iter()
            .any(|f| base(&f.name) == spot.what && f.file == spot.file && f.line == spot.line);
        if !seen {
            violations.push(Violation {
                file: spot.file.clone(),
                line: spot.line,
                rule: "seen".into(),
                message: format!("`{}` has the attribute but no price: it is inside another function, switched off by a `cfg`, or in a target without the test harness", spot.what),
            });
        }
    }
    report.violations.extend(violations);
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
            ("no_unsafe = false", &[]),
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
