//! A source file as tokens, and small questions about a place among them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use unicode_normalization::UnicodeNormalization;

use crate::place::shown;

/// A file that was read.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
    pub tokens: TokenStream,
    /// Only tests have it.
    pub test: bool,
    /// Names of std's macros and of `test` that mean something else in the scanned packages.
    pub redefined: Rc<BTreeSet<String>>,
}

impl Source {
    /// Reads a file; otherwise, what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, &'static str> {
        let text = std::fs::read_to_string(path).map_err(|_| "cannot be read")?;
        Source::new(path, text)
    }

    pub fn new(path: &Path, text: String) -> Result<Self, &'static str> {
        // The compiler skips the first line of a script. In it, `/*` would hide the rest from us.
        let rest = text.trim_start_matches('\u{feff}').strip_prefix("#!");
        if rest.is_some_and(|rest| !rest.trim_start().starts_with('[')) {
            return Err("begins with a `#!` line");
        }
        let tokens = text.parse().map_err(|_| "is not made of Rust tokens")?;
        let path = path.to_path_buf();
        let test = false;
        Ok(Source {
            path,
            text,
            tokens,
            test,
            redefined: Rc::default(),
        })
    }

    /// A line as it is shown to people.
    pub fn line(&self, line: usize) -> String {
        let lines = &mut self.text.lines();
        let line = lines.nth(line.saturating_sub(1)).unwrap_or_default();
        shown(line.trim())
    }
}

/// A token and its neighbours: 0 is the token itself, -1 the one before it.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    tokens: &'a [TokenTree],
    at: usize,
}

impl<'a> Here<'a> {
    pub fn new(tokens: &'a [TokenTree], at: usize) -> Self {
        Here { tokens, at }
    }

    pub fn token(self, n: isize) -> Option<&'a TokenTree> {
        self.tokens.get(self.at.checked_add_signed(n)?)
    }

    /// The name or keyword there; empty where there is none.
    pub fn word(self, n: isize) -> String {
        match self.token(n) {
            Some(TokenTree::Ident(ident)) => plain(ident),
            _ => String::new(),
        }
    }

    /// The same, and empty for a name such as `r#use`.
    pub fn keyword(self, n: isize) -> String {
        match self.token(n) {
            Some(TokenTree::Ident(ident)) if !ident.to_string().starts_with("r#") => plain(ident),
            _ => String::new(),
        }
    }

    /// Whether the token is this keyword.
    pub fn is(self, keyword: &str) -> bool {
        matches!(self.token(0), Some(TokenTree::Ident(ident)) if ident == keyword)
    }

    pub fn sign(self, n: isize, c: char) -> bool {
        matches!(self.token(n), Some(TokenTree::Punct(p)) if p.as_char() == c)
    }

    pub fn group(self, n: isize, delimiter: Delimiter) -> Option<&'a Group> {
        match self.token(n) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    /// Whether a path goes on here: `::`.
    pub fn separator(self, n: isize) -> bool {
        self.sign(n, ':') && self.sign(n + 1, ':')
    }

    /// What stands before the token.
    pub fn before(self) -> &'a [TokenTree] {
        &self.tokens[..self.at]
    }

    /// The token and what follows.
    pub fn rest(self) -> &'a [TokenTree] {
        &self.tokens[self.at..]
    }

    pub fn line(self) -> usize {
        self.token(0).map_or(0, |token| token.span().start().line)
    }
}

/// `r#open` is `open`, and letters are put together as the compiler does.
pub fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    match name.strip_prefix("r#") {
        None if name.is_ascii() => name,
        rest => rest.unwrap_or(&name).nfc().collect(),
    }
}

/// All names and signs, groups opened.
pub fn words(tokens: TokenStream) -> Vec<String> {
    let mut all = Vec::new();
    add_words(tokens, &mut all);
    all
}

fn add_words(tokens: TokenStream, all: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_words(group.stream(), all),
            TokenTree::Ident(ident) => all.push(plain(&ident)),
            other => all.push(other.to_string()),
        }
    }
}

/// Whether a token ends the head of an item: its body.
pub fn is_body(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Whether a token is this sign.
pub fn is_sign(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_knows_its_neighbours() {
        let tokens: Vec<TokenTree> = "a::r#open(x)"
            .parse::<TokenStream>()
            .expect("tokens")
            .into_iter()
            .collect();
        let here = Here::new(&tokens, 3);
        assert_eq!(here.word(0), "open");
        assert!(here.separator(-2) && !here.separator(-1));
        assert!(here.group(1, Delimiter::Parenthesis).is_some());
        assert!(here.token(-4).is_none() && here.token(2).is_none());
        assert_eq!((here.before().len(), here.rest().len()), (3, 2));
    }

    #[test]
    fn lines_are_shown_without_control_characters() {
        let text = "a\n  unsafe {} // \x1b[2Kall is well\x07\u{9b}1m\n";
        let source = Source::new(Path::new("a.rs"), text.into()).expect("a source");
        assert_eq!(source.line(2), "unsafe {} //  [2Kall is well  1m");
        assert_eq!(
            (source.line(0), source.line(9)),
            ("a".into(), String::new())
        );
    }

    #[test]
    fn a_first_line_that_the_compiler_skips_is_told() {
        let read = |text: &str| Source::new(Path::new("a.rs"), text.into()).map(|_| ());
        let script = Err("begins with a `#!` line");
        assert_eq!(read("#!/*\nfn f() { Vault::open(x) }\n// */"), script);
        assert_eq!(read("\u{feff}#!/bin/x\nfn f() {}"), script);
        assert_eq!(read("#!\n[forbid(unsafe_code)]\nfn f() {}"), Ok(()));
        assert_eq!(read("fn f() { ' }"), Err("is not made of Rust tokens"));
    }
}
