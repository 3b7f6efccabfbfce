//! Items under a condition that no type of an audit can depend on.
//!
//! An audit reads the types of functions that are declared. What is imported from `std` under its own name,
//! a text or a letter reaches them only by its name in code that makes types, in a macro, or in a `use` that
//! gives another one; a function that is not `const`, has types of `std` alone in its head and makes no
//! `impl` in its body does not reach them at all. Everything else may: numbers, types, aliases, modules,
//! `impl`s, and functions with other types in their heads.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::items::imported;
use super::shipped::is_harmless_attribute;
use super::tokens::{Here, is_body, is_sign, plain, words};
use super::walk::makes_no_item;

/// The types of texts and letters, with what may stand around them.
const TEXTS: [&str; 4] = ["Option", "char", "static", "str"];
/// What a function may be given and answer without reaching a type of an audit.
const PLAIN: [&str; 24] = [
    "Arguments",
    "Option",
    "Path",
    "PathBuf",
    "Result",
    "String",
    "bool",
    "char",
    "core",
    "f32",
    "f64",
    "fmt",
    "i32",
    "i64",
    "io",
    "mut",
    "path",
    "static",
    "std",
    "str",
    "u32",
    "u64",
    "u8",
    "usize",
];
/// Attributes that may stand beside the condition.
const BESIDE: [&str; 9] = [
    "allow",
    "cfg",
    "cold",
    "doc",
    "expect",
    "inline",
    "must_use",
    "track_caller",
    "warn",
];
const SIGNS: [&str; 7] = ["&", ",", ":", "'", "-", ">", "<"];

/// The names by which the item behind the attribute here could reach a type; none where it may do so in
/// another way.
pub fn behind(here: Here<'_>, redefined: &BTreeSet<String>) -> Option<Vec<String>> {
    let mut at = 1;
    while here.sign(at, '#') {
        let beside = here.group(at + 1, Delimiter::Bracket)?;
        known(beside.stream().into_iter().next())?;
        at += 2;
    }
    let mut before = -1;
    while here.sign(before, '#') && here.group(before - 1, Delimiter::Bracket).is_some() {
        let beside = here.group(before - 1, Delimiter::Bracket)?;
        known(beside.stream().into_iter().next())?;
        before -= 2;
    }
    let public = here.word(at) == "pub" && here.group(at + 1, Delimiter::Parenthesis).is_none();
    if here.word(at) == "pub" {
        at += if public { 1 } else { 2 };
    }
    let rest = &here.rest()[usize::try_from(at).ok()?..];
    match here.word(at).as_str() {
        "use" if !public => of_std(&rest[1..]),
        "fn" => is_plain_function(&rest[1..], redefined).then(Vec::new),
        "const" if !public => text(rest),
        _ => None,
    }
}

/// The name of the constant whose whole value is the macro call here: `const N: &str = env!("A");`.
pub fn constant_around(here: Here<'_>) -> Option<Vec<String>> {
    let whole = here.sign(1, '!') && here.sign(3, ';');
    let tokens = here.before();
    let start = tokens
        .iter()
        .rposition(|token| matches!(token, TokenTree::Ident(w) if w == "const"))?;
    let constant = Here::new(tokens, start);
    let own = constant
        .rest()
        .iter()
        .filter(|token| is_sign(token, '='))
        .count()
        == 1;
    let value = whole && own && here.sign(-1, '=') && constant.word(-1) != "pub";
    value.then(|| text(constant.rest())).flatten()
}

fn known(first: Option<TokenTree>) -> Option<()> {
    let Some(TokenTree::Ident(word)) = first else {
        return None;
    };
    BESIDE.contains(&plain(&word).as_str()).then_some(())
}

/// The names that a `use` brings from the compiler's own packages, if it says which and they are those
/// that it brings; and that of the package, which a module may have, too.
fn of_std(path: &[TokenTree]) -> Option<Vec<String>> {
    let mut first = path.iter().filter(|token| !is_sign(token, ':'));
    let root = match first.next() {
        Some(TokenTree::Ident(word)) => plain(word),
        _ => return None,
    };
    let mut names = imported(path);
    let end = path.iter().position(|token| is_sign(token, ';'))?;
    let named = words(path[..end].iter().cloned().collect());
    let own = !named.iter().any(|word| word == "as" || word == "*");
    let all = ["core", "std"].contains(&root.as_str());
    names.push(format!("{root}::"));
    (all && own).then_some(names)
}

/// `log(s: &str) -> bool { … }`: only types of `std` in the head, no parameters, and no `impl` in the body.
fn is_plain_function(head: &[TokenTree], redefined: &BTreeSet<String>) -> bool {
    let here = Here::new(head, 0);
    if here.word(0).is_empty() || here.group(1, Delimiter::Parenthesis).is_none() {
        return false;
    }
    let Some(end) = head.iter().position(is_body) else {
        return false;
    };
    // The names of arguments are no types.
    let arguments: Vec<TokenTree> = match here.group(1, Delimiter::Parenthesis) {
        Some(group) => group.stream().into_iter().collect(),
        None => return false,
    };
    let types = arguments
        .split(|token| is_sign(token, ','))
        .map(|argument| {
            let colon = argument.iter().position(|token| is_sign(token, ':'));
            colon.map_or(argument, |at| &argument[at + 1..])
        });
    let types = types.chain([&head[2..end]]);
    let mut all = types.flat_map(|part| words(part.iter().cloned().collect()));
    all.all(|word| PLAIN.contains(&word.as_str()) || SIGNS.contains(&word.as_str()))
        && keeps_to_itself(&head[..=end], false, redefined)
}

/// Whether the function, or the `impl` without types, behind the attribute here changes no type elsewhere.
pub fn is_inert(here: Here<'_>, redefined: &BTreeSet<String>) -> bool {
    let mut at = 1;
    while here.sign(at, '#') {
        at += 2;
    }
    let mut rest = here.rest().iter().skip(at.unsigned_abs()).peekable();
    let mut block = false;
    let mut item = Vec::new();
    while let Some(token) = rest.next() {
        let begins = matches!(token, TokenTree::Ident(word) if word == "impl");
        let qualified = words(item.iter().cloned().collect());
        if begins && qualified.iter().all(|word| word == "unsafe") {
            (block, item) = (true, Vec::new());
            continue;
        }
        item.push(token.clone());
        // A constant among the parameters of a type is no body.
        let goes_on = rest
            .peek()
            .is_some_and(|next| is_sign(next, ',') || is_sign(next, '>'));
        if is_sign(token, ';') || is_body(token) && !goes_on {
            break;
        }
    }
    let types = |token: &TokenTree| match token {
        TokenTree::Group(group) => group
            .stream()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(word) if word == "type")),
        _ => false,
    };
    !(block && item.last().is_some_and(types)) && keeps_to_itself(&item, false, redefined)
}

/// Whether the statement behind the attribute here changes no type elsewhere.
pub fn is_inert_statement(here: Here<'_>, redefined: &BTreeSet<String>) -> bool {
    let mut at = 1;
    while here.sign(at, '#') {
        at += 2;
    }
    let mut rest = here.rest().iter().skip(at.unsigned_abs()).peekable();
    let bound = matches!(rest.peek(), Some(TokenTree::Ident(word)) if *word == "let");
    let mut statement = Vec::new();
    while let Some(token) = rest.next() {
        statement.push(token.clone());
        let goes_on = match rest.peek() {
            Some(TokenTree::Ident(word)) => word == "else",
            Some(TokenTree::Punct(sign)) => sign.as_char() != '#',
            Some(_) => true,
            None => false,
        };
        if is_sign(token, ';') || is_body(token) && !goes_on && !bound {
            break;
        }
    }
    keeps_to_itself(&statement, true, redefined)
}

/// Whether there is nothing that reaches out of a body: an `impl`, a module or a macro for all, and macros
/// and attributes that may make one. In a `block`, an `impl` may stand at the beginning.
fn keeps_to_itself(tokens: &[TokenTree], block: bool, redefined: &BTreeSet<String>) -> bool {
    (0..tokens.len()).all(|at| {
        let here = Here::new(tokens, at);
        match here.token(0) {
            Some(TokenTree::Ident(word)) => match plain(word).as_str() {
                // Of an argument's type: `impl Display`.
                "impl" => match here.token(-1) {
                    Some(TokenTree::Punct(sign)) => sign.as_char() != ';',
                    Some(TokenTree::Ident(word)) => word == "mut",
                    Some(_) => false,
                    None => !block,
                },
                "extern" | "macro_rules" | "mod" => false,
                _ => true,
            },
            Some(TokenTree::Group(group)) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let name = here.word(-2);
                let called = here.sign(-1, '!') && !is_no_macro(&name);
                let known = !called || makes_no_item(&name, redefined);
                let attribute = group.delimiter() == Delimiter::Bracket
                    && (here.sign(-1, '#') || here.sign(-1, '!') && here.sign(-2, '#'));
                let harmless = || is_known(group.stream()) || is_harmless_attribute(group.stream());
                let brace = group.delimiter() != Delimiter::Parenthesis;
                known
                    && (!attribute || harmless())
                    && keeps_to_itself(&inside, brace && !attribute, redefined)
            }
            _ => true,
        }
    })
}

/// Whether what stands before `!(…)` is no name of a macro: `if !(a)`.
pub fn is_no_macro(word: &str) -> bool {
    let keywords = ["", "break", "else", "if", "in", "match", "return", "while"];
    keywords.contains(&word)
}

fn is_known(attribute: TokenStream) -> bool {
    known(attribute.into_iter().next()).is_some()
}

/// The name of a constant that is a text or a letter: `const SEP: char = …`.
fn text(constant: &[TokenTree]) -> Option<Vec<String>> {
    let here = Here::new(constant, 0);
    let name = here.word(1);
    if name.is_empty() || !here.sign(2, ':') {
        return None;
    }
    let of = constant
        .iter()
        .skip(3)
        .take_while(|token| !is_sign(token, '='));
    let of = words(of.cloned().collect());
    let is_text = of
        .iter()
        .all(|w| TEXTS.contains(&w.as_str()) || SIGNS.contains(&w.as_str()));
    (is_text && !of.is_empty()).then(|| vec![name])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    #[test]
    fn items_that_reach_no_type_but_by_name() {
        let names = |text: &str| {
            let tokens: TokenStream = text.parse().expect("tokens");
            let tokens: Vec<TokenTree> = tokens.into_iter().collect();
            behind(Here::new(&tokens, 1), &BTreeSet::new())
        };
        for (text, expected) in [
            (
                "#[cfg(unix)] use std::os::unix::fs::PermissionsExt;",
                &["PermissionsExt", "std::"][..],
            ),
            (
                "#[cfg(unix)] use std::{io::Read, fs};",
                &["Read", "fs", "std::"],
            ),
            ("#[cfg(unix)] const SEP: char = '/';", &["SEP"]),
            (
                "#[cfg(unix)] pub(crate) const SEP: &'static str = \"/\";",
                &["SEP"],
            ),
            (
                "#[cfg(debug_assertions)] fn log(s: &str) { eprintln!(\"{s}\") }",
                &[],
            ),
            (
                "#[cfg(debug_assertions)] #[inline] pub fn log(a: &mut String, b: u8) -> Option<bool> {}",
                &[],
            ),
        ] {
            assert_eq!(
                names(text).as_deref(),
                Some(expected)
                    .map(|n| n.iter().map(ToString::to_string).collect::<Vec<_>>())
                    .as_deref(),
                "{text}"
            );
        }
        for text in [
            "#[cfg(unix)] use own::E;",
            "#[cfg(unix)] use alloc::Cheaper;",
            "#[cfg(unix)] use std::io::Read as _;",
            "#[cfg(unix)] use std::{io::Read as R, fs};",
            "#[cfg(unix)] fn log(s: &str) { impl Of for Price { type E = Cheap; } }",
            "#[cfg(unix)] fn log(s: &str) { if s.is_empty() { unsafe impl Of for Price {} } }",
            "#[cfg(unix)] fn log(s: &str) { let n = [0; { impl Of for Price {} 1 }]; }",
            "#[cfg(unix)] fn log(s: &str) { prices!(); }",
            "#[cfg(unix)] fn log(s: &str) { #[prices] struct S; }",
            "#[cfg(unix)] fn log(s: &str) { #[derive(Priced)] struct S; }",
            "#[cfg(unix)] fn log(s: &str) { mod prices; }",
            "#[cfg(unix)] use std::os::unix::fs::*;",
            "#[cfg(unix)] pub use std::os::unix::fs::PermissionsExt;",
            "#[cfg(unix)] const N: usize = 1;",
            "#[cfg(unix)] const N: bool = true;",
            "#[cfg(unix)] pub const SEP: char = '/';",
            "#[cfg(unix)] const fn n() -> u64 { 1 }",
            "#[cfg(unix)] type E = Eps<1, 2>;",
            "#[cfg(unix)] mod prices;",
            "#[cfg(unix)] impl Price for S {}",
            "#[cfg(debug_assertions)] fn f() -> Mechanism<T, i64, E> {}",
            "#[cfg(debug_assertions)] fn f(v: Vault<T, E>) {}",
            "#[cfg(debug_assertions)] fn f() -> M {}",
            "#[cfg(debug_assertions)] fn f<E>(s: &str) {}",
            "#[cfg(debug_assertions)] fn f(s: impl Display) {}",
            "#[cfg(debug_assertions)] #[audited] fn f(s: &str) {}",
            "#[audited] #[cfg(debug_assertions)] fn f(s: &str) {}",
            "#[cfg(debug_assertions)] unsafe fn f(s: &str) {}",
        ] {
            let tokens: TokenStream = text.parse().expect("tokens");
            let tokens: Vec<TokenTree> = tokens.into_iter().collect();
            let places = (0..tokens.len()).filter(|at| {
                let text = tokens[*at].to_string();
                text.starts_with("[cfg")
            });
            for at in places {
                let found = behind(Here::new(&tokens, at), &BTreeSet::new());
                assert_eq!(found, None, "{text}");
            }
        }
    }
}
