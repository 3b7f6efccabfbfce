//! What is called by code that is not audited: it is spent there, too, and not only as a part.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{Here, plain};
use super::walk::Within;

/// Paths as written: `mean::<Eps<1, 2>>`.
#[derive(Default)]
pub struct Calls(pub BTreeSet<String>);

impl Calls {
    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        let is_word = matches!(here.token(0), Some(TokenTree::Ident(_)));
        if !is_word || within.test || within.audited {
            return;
        }
        if here.word(0) == "as" && here.token(-1).is_some() && !within.import {
            // As a value. What a `use` calls by another name is followed by that name.
            self.0.insert(here.word(-1));
            return;
        }
        let declared = matches!(here.word(-1).as_str(), "fn" | "mod" | "as");
        if starts(here) && !declared {
            self.0.extend(called(here, !within.import));
        }
    }
}

/// Words that a path may follow.
const BEFORE: [&str; 7] = ["break", "else", "if", "in", "match", "return", "while"];

/// Whether a path begins here: `f`, `::a::f`, and what stands behind the type of `<T>::f`.
fn starts(here: Here<'_>) -> bool {
    if here.separator(-2) {
        let before = here.word(-3);
        return before.is_empty() || BEFORE.contains(&before.as_str());
    }
    // A method, unless it is the end of a range: `..f()`.
    !here.sign(-1, '.') || here.sign(-2, '.')
}

/// The path that begins here, if it is called: `bills::mean::<Eps<1, 2>>`.
fn called(here: Here<'_>, values: bool) -> Option<String> {
    let mut text = here.word(0);
    let mut at = 1;
    while here.separator(at) {
        text += "::";
        at += 2;
        if let Some(TokenTree::Ident(word)) = here.token(at) {
            text += &plain(word);
            at += 1;
        } else {
            let mut depth = 0_i32;
            let mut instance = Vec::new();
            while let Some(token) = here.token(at).filter(|_| depth > 0 || instance.is_empty()) {
                depth += i32::from(here.sign(at, '<'));
                depth -= i32::from(here.sign(at, '>') && !here.sign(at - 1, '-'));
                instance.push(token.clone());
                at += 1;
            }
            text += &compact(&instance);
        }
    }
    let called = here.group(at, Delimiter::Parenthesis).is_some();
    // A function as a value, to be called later: `let f = mean;`, `[mean, total]`,
    // `mean::<Eps<1, 2>> as fn() -> _`, `match mean { f => f() }`.
    let ends = here.sign(at, ',') || here.sign(at, ';') || here.word(at) == "as";
    let ends = ends || here.group(at, Delimiter::Brace).is_some();
    let value = values && (ends || here.token(at).is_none());
    (called || value).then_some(text)
}

/// Tokens as the attribute writes them: blanks after commas and between words.
fn compact(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ',' => text += ", ",
            TokenTree::Punct(sign) => text.push(sign.as_char()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text += &format!("{open}{}{close}", compact(&inner));
            }
            word => {
                if text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    text.push(' ');
                }
                text += &word.to_string();
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::walk::walk;

    /// Checks which names are among the calls.
    #[track_caller]
    fn check(text: &str, seen: &[&str], unseen: &[&str]) {
        let mut calls = Calls::default();
        walk(text.parse().expect("tokens"), &mut |here, within| {
            calls.look(here, within);
        });
        for (names, expected) in [(seen, true), (unseen, false)] {
            for name in names {
                let found = calls.0.contains(*name);
                assert_eq!(found, expected, "{name} in {text}: {:?}", calls.0);
            }
        }
    }

    #[test]
    fn calls_outside_of_audited_functions_are_seen() {
        check(
            "fn main() { let a = mean::<Eps<1,2>>(x); b.total(); println!(\"{}\", m::total()) }
             #[privet::audited] fn f() -> M { inner() }
             #[audited] impl P { #[audited(at_most = \"1\")] fn g() { inner() } fn h() { outer() } }
             #[test] fn t() { inner() }",
            &["mean::<Eps<1, 2>>", "m::total", "outer"],
            &["inner", "total"],
        );
    }

    #[test]
    fn functions_are_called_as_values_and_under_other_names() {
        check(
            "use a::{b, c as d}; fn main() { let f = e; run(&[g, h::i::<2>]) }",
            &["e", "g", "h::i::<2>"],
            &["b", "c"],
        );
    }

    #[test]
    fn a_path_begins_behind_other_signs_too() {
        check(
            "fn main() { S { m: a(), ..b() }; ::p::c(); return ::p::d(); <P>::e(); <P as T>::f() }",
            &["a", "b", "p::c", "p::d", "e", "f"],
            &["c", "d"],
        );
        check(
            "fn main() { r#a(); b::r#match() }",
            &["a", "b::match"],
            &["r#a"],
        );
        check(
            "fn main() { let f = a::<2> as fn() -> _; match b { f => f() } }",
            &["a::<2>", "b"],
            &[],
        );
        check("fn main() { x.a(); y::b.c() }", &[], &["a", "b", "c"]);
    }
}
