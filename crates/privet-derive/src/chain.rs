//! Which audited functions share a test.
//!
//! A test of its own for each function is what an audit of many would spend its time on: the
//! compiler checks all tests below an edit again, and none of the functions. So the functions of a
//! module form a chain. Each prints its price and calls the one before it, and only the last has a
//! test.
//!
//! An attribute sees its own function only, so the file says which others there are. Where it is
//! not plain that all of them are compiled, a function stays alone. A mistake here loses a line, and
//! the tool reports an audited function without a price.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

use crate::parse::is;
use crate::tokens::plain;

/// Where a function is in the chain of its module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The function that it calls.
    pub(crate) previous: Option<String>,
    /// Another one calls it.
    pub(crate) called: bool,
}

/// The chained functions of a file, by their names.
type Chains = BTreeMap<String, Place>;

static FILES: Mutex<BTreeMap<PathBuf, Chains>> = Mutex::new(BTreeMap::new());

/// The place of a function outside of `impl` blocks.
pub(crate) fn place(name: &Ident) -> Place {
    let Some(file) = name.span().local_file() else {
        return Place::default();
    };
    let Ok(mut files) = FILES.lock() else {
        return Place::default();
    };
    let chains = files.entry(file).or_insert_with_key(|file| read(file));
    chains.get(&plain(name)).cloned().unwrap_or_default()
}

fn read(file: &Path) -> Chains {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut text = text.trim_start_matches('\u{feff}');
    if text.starts_with("#!") && !text.starts_with("#![") {
        text = text.split_once('\n').map_or("", |(_, rest)| rest);
    }
    let mut modules = Vec::new();
    module(text.parse().unwrap_or_default(), &mut modules);
    let mut chains = Chains::new();
    // A name of two functions does not say which of them an attribute is on.
    let times = |name: &str| modules.iter().flatten().filter(|n| *n == name).count();
    for functions in &modules {
        let functions: Vec<&String> = functions.iter().filter(|n| times(n) == 1).collect();
        for (at, name) in functions.iter().enumerate() {
            let place = Place {
                previous: at.checked_sub(1).map(|before| functions[before].clone()),
                called: at + 1 < functions.len(),
            };
            chains.insert((*name).clone(), place);
        }
    }
    chains
}

/// The audited functions of a module, then those of the modules in it.
fn module(tokens: TokenStream, modules: &mut Vec<Vec<String>>) {
    let own = modules.len();
    modules.push(Vec::new());
    let (mut audited, mut certain) = (false, true);
    let mut item: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if item.is_empty() && is(Some(&token), '#') {
            let inner = tokens.next_if(|t| is(Some(t), '!')).is_some();
            if let Some(TokenTree::Group(attribute)) = tokens.next()
                && !inner
            {
                let word = last_word(attribute.stream());
                audited |= word == "audited";
                certain &= is_plain(&word);
            }
            continue;
        }
        let body = match &token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        };
        let ends = body.is_some() || is(Some(&token), ';');
        if ends {
            let after = |keyword: &str| {
                let is_it =
                    |t: &TokenTree| matches!(t, TokenTree::Ident(w) if w.to_string() == keyword);
                let at = item.iter().position(is_it)?;
                match item.get(at + 1) {
                    Some(TokenTree::Ident(name)) => Some(plain(name)),
                    _ => None,
                }
            };
            let of_a_block = item.iter().any(
                |t| matches!(t, TokenTree::Ident(w) if ["impl", "trait", "extern", "macro_rules"].contains(&w.to_string().as_str())),
            );
            match (after("fn"), after("mod"), body) {
                (Some(name), _, Some(_)) if audited && certain && !of_a_block => {
                    modules[own].push(name);
                }
                (None, Some(_), Some(body)) if !of_a_block => module(body.stream(), modules),
                _ => {}
            }
            item.clear();
            (audited, certain) = (false, true);
        } else {
            item.push(token);
        }
    }
}

/// `audited` of `privet::audited(…)`.
fn last_word(attribute: TokenStream) -> String {
    let mut word = String::new();
    for token in attribute {
        match token {
            TokenTree::Ident(next) => word = plain(&next),
            TokenTree::Punct(sign) if sign.as_char() == ':' => {}
            _ => break,
        }
    }
    word
}

/// Attributes that leave the function where it is.
fn is_plain(word: &str) -> bool {
    let plain = [
        "audited",
        "doc",
        "allow",
        "expect",
        "warn",
        "deny",
        "forbid",
        "must_use",
        "inline",
        "deprecated",
    ];
    plain.contains(&word)
}
