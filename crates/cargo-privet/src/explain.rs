//! Short pages on each compile error and notion: the text of the crate's guide.

use core::fmt::Write;
use std::collections::BTreeSet;

use privet::audit::{COMPILE_ERRORS, NOTIONS};

use crate::error::{Error, Result};
use crate::rules::{RULES, rule};

/// A section of the guide.
struct Page {
    notion: bool,
    title: String,
    text: String,
}

/// A page for the terminal; without a topic, the list of pages.
pub fn explain(topic: Option<&str>) -> Result<String> {
    let pages = guide();
    let Some(topic) = topic else {
        let mut out = String::from(
            "cargo privet explain TOPIC, where TOPIC is `policy`, a rule or its beginning, or some words of:\n\n",
        );
        for page in &pages {
            let _ = writeln!(out, "  {}", page.title);
        }
        out += "\nrules:\n\n";
        for rule in &RULES {
            let _ = writeln!(out, "  {:18}{}", rule.id, rule.says);
        }
        return Ok(out);
    };
    let name = topic.trim().to_lowercase().replace(['_', ' '], "-");
    if let Some(rule) = rule(&name) {
        return Ok(rule.page());
    }
    let about = policy();
    if let Some(page) = about.iter().find(|page| page.title.to_lowercase() == name) {
        return Ok(plain(page));
    }
    let mut found = find(topic, &pages);
    if found.is_empty() {
        let begun = RULES.iter().filter(|rule| begins(rule.id, &name));
        let begun: Vec<String> = begun.map(|rule| rule.page()).collect();
        if !begun.is_empty() {
            return Ok(begun.join("\n"));
        }
        found = pages
            .iter()
            .filter(|page| begins(&page.title, &name))
            .collect();
    }
    if found.is_empty() {
        return Err(Error::NoPage {
            asked: topic.to_string(),
            pages: pages
                .into_iter()
                .map(|page| page.title)
                .chain(RULES.iter().map(|rule| rule.id.to_string()))
                .collect(),
        });
    }
    Ok(found.into_iter().map(plain).collect::<Vec<_>>().join("\n"))
}

/// The page on the policy's file: a section of the tool's README.
fn policy() -> Option<Page> {
    let pages = pages(include_str!("../README.md"), false);
    pages.into_iter().find(|page| page.title == "Policy")
}

/// Whether a word of a title begins with a topic of three letters or more.
fn begins(title: &str, topic: &str) -> bool {
    let title = title.to_lowercase();
    let mut words = title.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let long = topic.chars().count() > 2;
    long && words.any(|word| word.starts_with(topic))
}

fn guide() -> Vec<Page> {
    let mut all = pages(COMPILE_ERRORS, false);
    all.extend(pages(NOTIONS, true));
    all
}

fn pages(text: &str, notion: bool) -> Vec<Page> {
    let sections = text.split("\n## ").skip(1);
    sections
        .filter_map(|section| {
            let (title, text) = section.split_once('\n')?;
            Some(Page {
                notion,
                title: title.to_string(),
                text: text.trim().to_string(),
            })
        })
        .collect()
}

/// The pages that a topic means: words of a title, a pasted message, or an error's code.
fn find<'a>(topic: &str, pages: &'a [Page]) -> Vec<&'a Page> {
    let asked = words(topic);
    let is_code = asked.len() == 1
        && asked
            .iter()
            .all(|w| w.len() == 5 && w.starts_with('e') && w[1..].parse::<u16>().is_ok());
    if is_code {
        let code = format!(",{}\n", topic.trim().to_uppercase());
        return pages
            .iter()
            .filter(|page| page.text.contains(&code))
            .collect();
    }
    let score = |page: &Page| {
        let title = words(&page.title);
        let shared = title.intersection(&asked).count();
        let whole = shared > 0 && (shared == asked.len() || shared == title.len());
        // The closest title: many words in common, a notion that begins with one, few beside.
        let first = page
            .title
            .split_whitespace()
            .next()
            .map(words)
            .unwrap_or_default();
        let named = page.notion && !first.is_disjoint(&asked);
        whole.then(|| (shared, named, usize::MAX - title.len()))
    };
    let best = pages
        .iter()
        .filter_map(|page| Some((score(page)?, page)))
        .max_by_key(|(score, _)| *score);
    best.map(|(_, page)| page).into_iter().collect()
}

/// The words of a text, without numbers, signs and the crate's own path.
fn words(text: &str) -> BTreeSet<String> {
    let meaning = |word: &str| match word {
        "ε" | "epsilon" | "pure" => "eps".to_string(),
        "ρ" | "zcdp" => "rho".to_string(),
        "δ" | "approximate" => "delta".to_string(),
        other => other.to_string(),
    };
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().any(char::is_alphabetic) && *word != "privet")
        .map(meaning)
        .collect()
}

/// A page without Markdown's marks; code is indented, hidden lines of examples are left out.
fn plain(page: &Page) -> String {
    let mut out = format!("{}\n\n", page.title.replace('`', ""));
    let mut code = false;
    for line in page.text.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if code {
            let hidden = line == "#" || line.starts_with("# ");
            if !hidden {
                let _ = writeln!(out, "    {line}");
            }
        } else {
            let _ = writeln!(out, "{}", unlinked(line));
        }
    }
    out
}

/// ``[`Eps`](crate::Eps)`` as `Eps`.
fn unlinked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let target = after.find(')').map_or(after.len(), |end| end + 1);
        match before.rfind('[') {
            Some(start) => {
                out += &before[..start];
                out += &before[start + 1..];
            }
            None => out += before,
        }
        rest = &after[target..];
    }
    out += rest;
    out.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(topic: &str) -> String {
        let page = explain(Some(topic)).expect("a page");
        page.lines().next().unwrap_or_default().to_string()
    }

    #[test]
    fn topics_are_words_messages_and_codes() {
        assert_eq!(title("budget exceeded"), "privacy budget exceeded");
        let message = "privacy budget exceeded: this release costs `privet::Eps<1, 4>`, but only `privet::Eps<0, 4>` is left";
        assert_eq!(title(message), "privacy budget exceeded");
        assert_eq!(title("moved value"), "use of moved value: vault");
        assert!(title("rho").contains("zCDP"), "{}", title("rho"));
        assert!(title("ε").contains('ε'));
        assert!(explain(Some("E0277")).is_ok_and(|text| text.contains("overspends")));
        assert!(explain(Some("soup")).is_err());
    }

    #[test]
    fn the_beginning_of_a_topic_is_enough_and_the_policy_has_a_page() {
        assert_eq!(title("policy"), "Policy");
        let page = explain(Some("policy")).expect("a page");
        for words in [
            "[data.Patient]",
            "different_people",
            "[[exceptions]]",
            "expires =",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(title("exception"), "exceptions");
        assert_eq!(title("opened"), "opened-once");
        let both = explain(Some("unsc")).expect("a page");
        assert!(both.starts_with("unscanned"), "{both}");
        assert!(explain(Some("o")).is_err());
    }

    #[test]
    fn every_rule_has_a_page() {
        for rule in &RULES {
            assert_eq!(title(rule.id), rule.id);
            assert!(!rule.why.is_empty() && !rule.fix.is_empty());
        }
        assert_eq!(title("no_unsafe"), "no-unsafe");
    }

    #[test]
    fn every_page_is_found_by_its_own_title() {
        for page in guide() {
            let text = explain(Some(&page.title)).expect("a page");
            assert!(
                text.starts_with(&page.title.replace('`', "")),
                "{}",
                page.title
            );
            assert!(!text.contains("```") && !text.contains("]("), "{text}");
        }
    }
}
