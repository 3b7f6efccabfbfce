//! The names that an item makes, as far as types can be made of them.

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{Here, is_sign, words};

/// The names that the item behind the attribute here makes, as far as types can be made of them;
/// none where it is no item, or its macros are for all.
pub fn names_behind(here: Here<'_>) -> Option<Vec<String>> {
    let exports = |n: isize| {
        let group = here.group(n, Delimiter::Bracket);
        group.is_some_and(|group| words(group.stream()).iter().any(|word| word == "macro_use"))
    };
    let mut at = 1;
    while here.sign(at, '#') {
        at += 2;
    }
    if (-8..at).any(exports) {
        return None;
    }
    let mut constant = false;
    loop {
        let name = here.word(at + 1);
        let names = match here.word(at).as_str() {
            "mod" => vec![name + "::"],
            "macro_rules" => vec![here.word(at + 2) + "!"],
            "crate" if here.word(at + 2) == "as" => vec![here.word(at + 3)],
            "const" if matches!(name.as_str(), "fn" | "unsafe" | "extern" | "async") => {
                constant = true;
                at += 1;
                continue;
            }
            "fn" => Some(name).filter(|_| constant).into_iter().collect(),
            "static" if name == "mut" => vec![here.word(at + 2)],
            "const" | "crate" | "enum" | "static" | "struct" | "trait" | "type" | "union" => {
                vec![name]
            }
            "use" => imported(&here.rest()[at.unsigned_abs() + 1..]),
            "impl" => constants(here, at),
            "async" | "extern" | "pub" | "unsafe" => {
                at += 1;
                continue;
            }
            // Of `pub(crate)` and `extern "C"`; or a block, of `extern` only.
            "" => match here.token(at) {
                Some(TokenTree::Literal(_)) => {
                    at += 1;
                    continue;
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                    at += 1;
                    continue;
                }
                _ => return None,
            },
            _ => return None,
        };
        return Some(names);
    }
}

/// The names that a `use` makes, up to its end.
pub fn imported(tree: &[TokenTree]) -> Vec<String> {
    let end = tree.iter().position(|token| is_sign(token, ';'));
    let tree = &tree[..end.unwrap_or(tree.len())];
    let mut names = Vec::new();
    for part in tree.split(|token| is_sign(token, ',')) {
        let last = Here::new(part, part.len().saturating_sub(1));
        match last.token(0) {
            Some(TokenTree::Group(group)) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let own = last.word(-3);
                let name = |name: String| if name == "self" { own.clone() } else { name };
                names.extend(imported(&inside).into_iter().map(name));
            }
            Some(TokenTree::Ident(_)) => names.push(last.word(0)),
            Some(_) => names.push("*".into()),
            None => {}
        }
    }
    names
}

/// The constants of an `impl`: they come before those of traits.
fn constants(here: Here<'_>, mut at: isize) -> Vec<String> {
    while here.token(at).is_some() {
        if let Some(body) = here.group(at, Delimiter::Brace) {
            let words = words(body.stream());
            let pairs = words.windows(2).filter(|pair| pair[0] == "const");
            return pairs.map(|pair| pair[1].clone()).collect();
        }
        at += 1;
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    /// The names of the item behind the first attribute.
    fn names(text: &str) -> Option<Vec<String>> {
        let tokens: TokenStream = text.parse().expect("tokens");
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        names_behind(Here::new(&tokens, 1))
    }

    #[test]
    fn items_are_told_by_their_names() {
        for (text, expected) in [
            ("#[x] mod a;", &["a::"][..]),
            ("#[x] #[y] pub(crate) type a = u8;", &["a"]),
            ("#[x] static mut a: u8 = 1;", &["a"]),
            ("#[x] const unsafe fn a() {}", &["a"]),
            ("#[x] pub unsafe extern \"C\" fn a() {}", &[]),
            ("#[x] macro_rules! a { () => {} }", &["a!"]),
            ("#[x] extern crate b as a;", &["a"]),
            ("#[x] impl B { const a: u8 = 1; fn c() {} }", &["a"]),
            (
                "#[x] use b::{c::{self, d as e}, f, g::*};",
                &["c", "e", "f", "*"],
            ),
            ("#[x] use b as _;", &["_"]),
        ] {
            let found = names(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found, expected, "{text}");
        }
        for text in [
            "#[x] let a = 1;",
            "#[x] { a() }",
            "#[x] #[macro_use] mod a;",
            "#[x]",
        ] {
            assert_eq!(names(text), None, "{text}");
        }
    }
}
