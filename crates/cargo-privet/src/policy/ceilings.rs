//! Ceilings: what data sets and functions may cost, and whose people are the same.

use std::collections::BTreeSet;

use privet::Price;
use toml::Spanned;

use super::{Ceiling, Policy};
use crate::price::{Stated, at_most, plus, state, twice};
use crate::report::{DataSet, Kind, Report, Violation, base};

impl Policy {
    pub(super) fn ceilings(&self, report: &mut Report, violations: &mut Vec<Violation>) {
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
            let mut over = |what: &str, sum: &Stated, of: &str, how: &str, hint: &str| {
                if let Some(excess) = excess(sum.price(), ceiling) {
                    violations.push(Violation {
                        file: self.file.clone(),
                        line: at(&limit.at_most),
                        rule: "data-ceiling".into(),
                        message: format!("{of}: {what} {}{how}, {excess}{hint}", sum.text),
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
                over("its audited functions spend", &data.total, &of, "", "");
                if let Some(budget) = &data.budget {
                    let openers = report.functions.iter();
                    let openers = openers.filter(|f| f.kind == Kind::Opens && f.data == data.name);
                    let names: Vec<String> = openers.map(|f| format!("`{}`", f.name)).collect();
                    // The same table of another year, say.
                    let hint = match names.len() {
                        0 | 1 => String::new(),
                        _ => format!(
                            "; if {} open it for different people, give each a record type of its own: then each has a ceiling",
                            names.join(" and ")
                        ),
                    };
                    over("its vaults are opened with", budget, &of, "", &hint);
                }
            }
            let same: Vec<&DataSet> = report
                .data
                .iter()
                .filter(|data| !apart.contains(&data.name))
                .filter(|data| {
                    let mut named = report.data.iter().filter(|d| is_named(&d.name, name));
                    named.any(|d| share_people(d, data) && !apart.contains(&d.name))
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
                let hint = "; if they are about different people, say `different_people = \"why\"` at one of them";
                let (total, budget) = together(&same);
                if let Some(total) = total {
                    over("their audited functions spend", &total, &of, how, hint);
                }
                if let Some(budget) = budget {
                    over("their vaults are opened with", &budget, &of, how, hint);
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
}

/// Whether two data sets are about the same people.
pub fn share_people(a: &DataSet, b: &DataSet) -> bool {
    !people(&a.name).is_disjoint(&people(&b.name))
}

/// What data sets about the same people spend together, and what their vaults are opened with.
///
/// Beside one that replaces a person, adding and removing one counts twice.
pub fn together(same: &[&DataSet]) -> (Option<Stated>, Option<Stated>) {
    let mixed = same.iter().any(|d| is_replacing(&d.name));
    let sum = |amount: &dyn Fn(&DataSet) -> Option<Price>| {
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
    let budget = |data: &DataSet| data.budget.as_ref()?.price();
    (sum(&|data| data.total.price()), sum(&budget))
}

/// By how much a price is above a ceiling, in words.
pub(super) fn excess(price: Option<Price>, ceiling: Price) -> Option<String> {
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
pub fn people(data: &str) -> BTreeSet<&str> {
    let records: BTreeSet<&str> = tables(data).map(|(record, _)| record).collect();
    if records.is_empty() {
        BTreeSet::from([data])
    } else {
        records
    }
}

/// The records of a data set whose neighbours differ in rows, and not in all rows of a person.
pub fn rows_of(data: &str) -> impl Iterator<Item = &str> {
    let rows = tables(data).filter(|(_, relation)| *relation != Some("PerPerson"));
    rows.map(|(record, _)| record)
}

/// Whether neighbours replace a person, and do not add or remove one: the last argument of a `Table`
/// says so, and not a record that is called `Replace`.
fn is_replacing(data: &str) -> bool {
    tables(data).any(|(_, relation)| relation == Some("Replace"))
}

/// The tables of a data set: the record of each, and the relation where it is written.
fn tables(data: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    data.match_indices("Table<").map(|(at, word)| {
        let rest = &data[at + word.len()..];
        let (mut depth, mut first, mut last) = (0_i32, None, None);
        for (at, c) in rest.char_indices() {
            match c {
                '<' | '(' | '[' | '{' => depth += 1,
                '>' if depth == 0 => {
                    let relation = last.map(|from| rest[from..at].trim());
                    let relation = relation.and_then(|path| path.rsplit("::").next());
                    return (&rest[..first.unwrap_or(at)], relation);
                }
                '>' | ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    first = first.or(Some(at));
                    last = Some(at + 1);
                }
                _ => {}
            }
        }
        (rest, None)
    })
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
        let rows = |data| rows_of(data).collect::<Vec<_>>();
        assert_eq!(rows("Table<h::Visit>"), ["h::Visit"]);
        assert_eq!(rows("Pair<Table<P, PerPerson>, Table<Q, Replace>>"), ["Q"]);
        for (data, replacing) in [
            ("Table<h::P, Replace>", true),
            ("Table<h::P<u8, [u8; 2]>, privet::domain::Replace>", true),
            ("Pair<Table<P>, Table<Q<(u8, u8)>, Replace>>", true),
            ("Table<h::P>", false),
            ("Table<h::Replaced>", false),
            ("Table<h::Replace>", false),
            ("Table<h::P<Replace>>", false),
            ("Table<h::P<u8, Replace>, AddRemove>", false),
            ("Replace<Table<h::P>>", false),
        ] {
            assert_eq!(is_replacing(data), replacing, "{data}");
        }
    }
}
