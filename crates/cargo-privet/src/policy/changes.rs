//! What changed between two policies, and whether it lets more pass.

use std::collections::BTreeSet;

use privet::Price;
use serde::Serialize;
use toml::Spanned;

use super::{Level, Policy};
use crate::price::at_most;
use crate::rules::RULES;

/// A line of the policy that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyChange {
    pub what: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Lets more pass than before.
    pub looser: bool,
}

impl Policy {
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
                exceptions.map(|e| (e.shown(), format!("until {}: {}", e.expires.0, e.reason)));
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
