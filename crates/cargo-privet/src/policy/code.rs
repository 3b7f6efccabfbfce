//! Rules about code: what the scan found, and whether every price is seen.

use std::collections::BTreeSet;

use super::ceilings::excess;
use super::{Level, Policy};
use crate::openers;
use crate::report::{Report, Spot, Violation, base};
use crate::scan::Scan;

impl Policy {
    pub(super) fn code(&self, scans: &[Scan], violations: &mut Vec<Violation>) {
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
                    let instead = match what.as_str() {
                        "Store" | "ColumnSource" | "RemoteEngine" => {
                            "review what it promises".into()
                        }
                        "Field" | "HasPerson" => "use `#[derive(Record)]`".into(),
                        what => format!("use `#[derive({what})]`"),
                    };
                    add(
                        "unsafe-impl",
                        spot,
                        format!(
                            "a hand-written `unsafe impl` of `{what}`: {instead}, or list `{package}` as trusted"
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
                    let how = scan.hides.get(spot);
                    if let Some(how) = how.filter(|_| scan.audited.contains(spot)) {
                        add(
                            "audit-public",
                            spot,
                            format!(
                                "`{}` {how}, and the audit reads one price off a type: write a function for each",
                                spot.what
                            ),
                        );
                        continue;
                    }
                    if let Some(how) = how {
                        add(
                            "audit-public",
                            spot,
                            format!(
                                "`{}` is public and {how}: return the mechanism, or take and return the vault, in a function with `#[privet::audited]`",
                                spot.what
                            ),
                        );
                        continue;
                    }
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
            for spot in &scan.statics {
                add(
                    "seen",
                    spot,
                    format!(
                        "a static holds a vault, which any function can spend beside its price: hand vaults on as arguments: {}",
                        spot.what
                    ),
                );
            }
            for spot in &scan.misused {
                add(
                    "opens",
                    spot,
                    format!(
                        "{}: what it returns is on the list, and what it opens may be more; return the vault as it is opened",
                        spot.what
                    ),
                );
            }
            for spot in &scan.only_tests {
                let build = scan.differs.get(spot).map_or("what ships", String::as_str);
                add(
                    "as-shipped",
                    spot,
                    format!(
                        "the audit is a test build on this machine, and may see another type here than {build}: {}",
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
                .any(|f| f.line == spot.line && f.file == spot.file && base(&f.name) == spot.what);
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
    // A closure of its own may do more than be looked at.
    let known = ["core::", "std::", "alloc::"];
    takes.match_indices("dyn ").any(|(at, word)| {
        let of = &takes[at + word.len()..];
        let closure = of.contains("::Fn") || of.contains("::AsyncFn");
        let looked_at = takes[..at].ends_with('&') && known.iter().any(|k| of.starts_with(k));
        !looked_at || closure
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
