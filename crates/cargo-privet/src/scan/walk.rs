//! Visits every token of a file and knows what it is part of.
//!
//! Works on tokens, so that the bodies of macros are read like everything else.

use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::{Here, is_body, plain, words};

/// What the tokens at hand are part of.
#[derive(Clone, Default)]
pub struct Within {
    /// Code that is compiled for tests only.
    pub test: bool,
    /// A function with the attribute.
    pub audited: bool,
    /// The words in the arguments of the macro around, which may put them together.
    pub invoked: Option<Rc<Vec<String>>>,
    /// The first word of the attribute around.
    pub attribute: Option<String>,
    /// A `use`.
    pub import: bool,
    /// The words in the heads of the `impl`s around: what `Self` is.
    pub heads: Rc<Vec<String>>,
    /// The modules in braces around.
    pub modules: Vec<String>,
}

/// What an item or a statement begins with: a field or an arm with `#[cfg(test)]` ends at a comma,
/// and is taken for code that ships.
const ITEMS: [&str; 17] = [
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];

/// Shows all tokens to `look`, each before those inside of it.
pub fn walk(tokens: TokenStream, look: &mut dyn FnMut(Here<'_>, &Within)) {
    walk_within(tokens, &Within::default(), look);
}

/// The same for tokens that are part of something.
pub fn walk_within(tokens: TokenStream, around: &Within, look: &mut dyn FnMut(Here<'_>, &Within)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // An attribute is about what follows, up to its body.
    let mut within = around.clone();
    for (at, token) in tokens.iter().enumerate() {
        let here = Here::new(&tokens, at);
        match token {
            TokenTree::Ident(_) => match here.word(0).as_str() {
                "impl" => {
                    // The functions inside have attributes of their own.
                    within.audited = around.audited;
                    let mut heads = around.heads.to_vec();
                    heads.extend(head(here));
                    within.heads = Rc::new(heads);
                }
                // Not the bound of a return type: `impl Sized + use<>`.
                "use" if !here.sign(1, '<') => within.import = true,
                _ => {}
            },
            // A macro may do with an attribute in its arguments what it likes.
            TokenTree::Group(group) if is_attribute(here) && around.invoked.is_none() => {
                within.test |= is_test(here);
                within.audited |= is_audited(&group.stream());
            }
            _ => {}
        }
        look(here, &within);
        if let TokenTree::Group(group) = token {
            let mut deeper = within.clone();
            if deeper.invoked.is_none() && here.sign(-1, '!') && !here.word(-2).is_empty() {
                deeper.invoked = Some(Rc::new(words(group.stream())));
            }
            let inner = here.sign(-1, '!') && here.sign(-2, '#');
            if deeper.attribute.is_none() && (is_attribute(here) || inner) {
                deeper.attribute =
                    Some(words(group.stream()).into_iter().next().unwrap_or_default());
            }
            if here.word(-2) == "mod" {
                deeper.modules.push(here.word(-1));
            }
            walk_within(group.stream(), &deeper, look);
        }
        if is_body(token) || here.sign(0, ';') {
            within = around.clone();
        }
    }
}

/// The words of an `impl`, up to its body.
fn head(here: Here<'_>) -> impl Iterator<Item = String> + '_ {
    let head = here.rest().iter().take_while(|token| !is_body(token));
    head.filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(plain(ident)),
        _ => None,
    })
}

fn is_attribute(here: Here<'_>) -> bool {
    here.sign(-1, '#')
}

/// Whether an attribute makes the whole item behind it a test.
fn is_test(here: Here<'_>) -> bool {
    let Some(TokenTree::Group(attribute)) = here.token(0) else {
        return false;
    };
    let first = here.token(-2).is_none()
        || here.sign(-2, ';')
        || here.group(-2, Delimiter::Brace).is_some()
        || here.group(-2, Delimiter::Bracket).is_some();
    let mut next = 1;
    while here.sign(next, '#') {
        next += 2;
    }
    let keyword = match here.token(next) {
        // No field with the name of a keyword: neither `r#type: 1` nor `union: 1`.
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let named = match keyword.as_str() {
        "union" => here.group(next + 2, Delimiter::Brace).is_none() && !here.sign(next + 2, '<'),
        "macro_rules" => !here.sign(next + 1, '!'),
        _ => here.sign(next + 1, ':') || here.sign(next + 1, '='),
    };
    let whole =
        !named && ITEMS.contains(&keyword.as_str()) || here.group(next, Delimiter::Brace).is_some();
    first && whole && matches!(squeezed(&attribute.stream()).as_str(), "cfg(test)" | "test")
}

/// Whether an attribute is `#[audited]`, by any path.
pub fn is_audited(attribute: &TokenStream) -> bool {
    let text = squeezed(attribute);
    let path = text.split('(').next().unwrap_or_default();
    path.rsplit("::").next() == Some("audited")
}

/// Tokens without any blanks.
fn squeezed(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contexts in which the word `x` stands.
    fn around_x(text: &str) -> Vec<Within> {
        let mut found = Vec::new();
        walk(text.parse().expect("tokens"), &mut |here, within| {
            if here.word(0) == "x" {
                found.push(within.clone());
            }
        });
        found
    }

    #[test]
    fn an_attribute_is_about_one_item() {
        let found = around_x("#[audited] fn f() { x } fn g() { x } #[test] fn h() { { x } } x");
        let flags: Vec<_> = found.iter().map(|w| (w.audited, w.test)).collect();
        assert_eq!(
            flags,
            [(true, false), (false, false), (false, true), (false, false)]
        );
    }

    #[test]
    fn the_surroundings_are_known() {
        let found = around_x(
            "mod a { mod b { impl V<W> for U { fn f() { m!(x) } } } } use a::{x}; #[y(x)] x",
        );
        assert_eq!(found[0].modules, ["a", "b"]);
        assert_eq!(*found[0].heads, ["impl", "V", "W", "for", "U"]);
        assert!(found[0].invoked.is_some() && !found[0].import);
        assert!(found[1].import && found[1].invoked.is_none());
        assert_eq!(found[2].attribute.as_deref(), Some("y"));
        assert!(found[3].attribute.is_none());
        assert!(!around_x("fn f() -> impl Sized + use<> { x }")[0].import);
    }

    #[test]
    fn a_field_with_the_name_of_a_keyword_is_no_item() {
        for text in [
            "S { #[cfg(test)] r#type: 1, v: x }",
            "S { #[cfg(test)] union: 1, v: x }",
            "match y { #[cfg(test)] union => 1, _ => x }",
            "match y { #[cfg(test)] union if y => 1, _ => x }",
            "match y { #[cfg(test)] macro_rules | S => 1, _ => x }",
        ] {
            assert!(!around_x(text)[0].test, "{text}");
        }
        for text in [
            "#[cfg(test)] union U { x }",
            "#[cfg(test)] macro_rules! m { x }",
        ] {
            assert!(around_x(text)[0].test, "{text}");
        }
    }

    #[test]
    fn attributes_that_a_macro_is_given_are_not_believed() {
        for text in ["tail!(#[cfg(test)] let x)", "tail!(#[audited] fn x)"] {
            let found = &around_x(text)[0];
            assert!(!found.test && !found.audited, "{text}");
        }
        let found = around_x("#[cfg(test)] mod tests { property! { #[test] fn f() { x } } }");
        assert!(found[0].test);
    }
}
