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

/// What a file says.
struct File {
    lines: Vec<String>,
    /// The chained functions, by their names.
    chains: BTreeMap<String, Place>,
}

static FILES: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

/// The place of a function outside of `impl` blocks; alone unless it is certain which one it is.
pub(crate) fn place(name: &Ident) -> Place {
    found(name).unwrap_or_default()
}

fn found(name: &Ident) -> Option<Place> {
    let span = name.span();
    let mut files = FILES.lock().ok()?;
    let file = files.entry(span.local_file()?);
    let file = file.or_insert_with_key(|file| read(file));
    // The names of a macro's functions are at other places than after `fn`, or there twice.
    let line = file.lines.get(span.line().checked_sub(1)?)?;
    let at = line.char_indices().nth(span.column().checked_sub(1)?)?.0;
    let (before, after) = line.split_at(at);
    let is_here = (before == "fn " || before.ends_with(" fn ")) && after.starts_with(&plain(name));
    let place = file.chains.get(&plain(name)).filter(|_| is_here);
    place.cloned()
}

fn read(file: &Path) -> File {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().map(str::to_string).collect();
    let mut text = text.trim_start_matches('\u{feff}');
    if text.starts_with("#!") && !text.starts_with("#![") {
        text = text.split_once('\n').map_or("", |(_, rest)| rest);
    }
    let tokens: TokenStream = text.parse().unwrap_or_default();
    let mut times = BTreeMap::new();
    count(tokens.clone(), &mut times);
    let mut modules = Vec::new();
    module(tokens, &mut modules);
    let mut chains = BTreeMap::new();
    for functions in &modules {
        let once = |name: &&String| times.get(*name) == Some(&1);
        let functions: Vec<&String> = functions.iter().filter(once).collect();
        for (at, name) in functions.iter().enumerate() {
            let place = Place {
                previous: at.checked_sub(1).map(|before| functions[before].clone()),
                called: at + 1 < functions.len(),
            };
            chains.insert((*name).clone(), place);
        }
    }
    File { lines, chains }
}

/// How often each name is that of a function, macros and all.
fn count(tokens: TokenStream, times: &mut BTreeMap<String, usize>) {
    let mut after = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = plain(&word);
                if after {
                    *times.entry(word.clone()).or_default() += 1;
                }
                after = word == "fn";
            }
            TokenTree::Group(group) => count(group.stream(), times),
            _ => after = false,
        }
    }
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
