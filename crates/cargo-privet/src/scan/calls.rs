//! What is called by code that is not audited: it is spent there, too, and not only as a part.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::Here;
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
        if here.word(0) == "as" && here.token(-1).is_some() {
            // Called under another name, or as a value.
            self.0.insert(here.word(-1));
            return;
        }
        let starts = !here.sign(-1, '.') && !here.sign(-1, ':');
        let declared = matches!(here.word(-1).as_str(), "fn" | "mod" | "as");
        if starts && !declared {
            self.0.extend(called(here, !within.import));
        }
    }
}

/// The path that begins here, if it is called: `bills::mean::<Eps<1, 2>>`.
fn called(here: Here<'_>, values: bool) -> Option<String> {
    let mut text = here.token(0)?.to_string();
    let mut at = 1;
    while here.separator(at) {
        text += "::";
        at += 2;
        if let Some(TokenTree::Ident(word)) = here.token(at) {
            text += &word.to_string();
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
    // A function as a value, to be called later: `let f = mean;`, `[mean, total]`.
    let value = values && (here.token(at).is_none() || here.sign(at, ',') || here.sign(at, ';'));
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
            &["c", "e", "g", "h::i::<2>"],
            &["b"],
        );
    }
}
