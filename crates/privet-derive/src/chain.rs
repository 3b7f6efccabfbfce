//! Which audited functions share a test.
//!
//! A test of its own for each function is what an audit of many would spend its time on: the
//! compiler checks all tests below an edit again, and none of the functions. So the functions of a
//! module form a chain. Each leaves what its test would print to the next, and the last has a test
//! for all of them.
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

/// What a function's attribute writes.
pub(crate) enum Turn {
    /// A test of its own.
    Alone,
    /// Nothing: a later function's test prints this one.
    Later,
    /// A test with these entries.
    Last(String),
    /// An error: the file is two modules, and which one the others are in is not known.
    Twice,
}

/// What a file says.
#[derive(Default)]
struct File {
    lines: Vec<String>,
    /// The number of each chained function's module.
    modules: BTreeMap<String, usize>,
    chains: Vec<Chain>,
}

/// The functions of a module that share a test.
#[derive(Default)]
struct Chain {
    /// In the order of the file.
    functions: Vec<String>,
    /// What they leave to the last one.
    left: BTreeMap<String, String>,
    /// The last one has its test.
    done: bool,
}

static FILES: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

/// Takes the entries of a function outside of `impl` blocks, unless it is not certain which one it is.
pub(crate) fn turn(name: &Ident, entries: String) -> Turn {
    taken(name, entries).unwrap_or(Turn::Alone)
}

fn taken(name: &Ident, entries: String) -> Option<Turn> {
    let span = name.span();
    let mut files = FILES.lock().ok()?;
    let file = files.entry(span.local_file()?);
    let file = file.or_insert_with_key(|file| read(file));
    // The names of a macro's functions are at other places than after `fn`, or there twice.
    let line = file.lines.get(span.line().checked_sub(1)?)?;
    let at = line.char_indices().nth(span.column().checked_sub(1)?)?.0;
    let (before, after) = line.split_at(at);
    let name = plain(name);
    let is_here = (before == "fn " || before.ends_with(" fn ")) && after.starts_with(&name);
    let chain = file.chains.get_mut(*file.modules.get(&name)?)?;
    // In a file that is two modules, the functions of the second are alone.
    if !is_here || chain.done {
        return None;
    }
    if chain.left.contains_key(&name) {
        return Some(Turn::Twice);
    }
    let last = chain.functions.last() == Some(&name);
    chain.left.insert(name, entries);
    if !last {
        return Some(Turn::Later);
    }
    chain.done = true;
    let left = chain.functions.iter();
    let left = left.filter_map(|function| chain.left.get(function));
    Some(Turn::Last(left.map(String::as_str).collect()))
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
    let mut file = File {
        lines,
        ..File::default()
    };
    for functions in modules {
        let once = |name: &String| times.get(name) == Some(&1);
        let functions: Vec<String> = functions.into_iter().filter(once).collect();
        let number = file.chains.len();
        let places = functions.iter().map(|name| (name.clone(), number));
        file.modules.extend(places);
        file.chains.push(Chain {
            functions,
            ..Chain::default()
        });
    }
    file
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
    let (mut audited, mut certain, mut plain_module) = (false, true, true);
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
                plain_module &= is_plain(&word) || word == "cfg";
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
                (None, Some(_), Some(body)) if plain_module && !of_a_block => {
                    module(body.stream(), modules)
                }
                _ => {}
            }
            item.clear();
            (audited, certain, plain_module) = (false, true, true);
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
