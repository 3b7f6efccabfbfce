//! Visits every token of a file and knows what it is part of.
//!
//! Works on tokens, so that the bodies of macros are read like everything else.

use std::rc::Rc;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::tokens::{Here, Source, is_body, plain, words};

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
    /// The body of a function that is not `const`: what stands there changes no type.
    pub runs: bool,
    /// The head of such a function, up to its body.
    function: bool,
    /// A `const` or a `static`, or the head of one that is a function.
    constant: bool,
}

/// What an item or a statement begins with: a field or an arm with `#[cfg(test)]` ends at a comma,
/// and is taken for code that ships.
pub const ITEMS: [&str; 17] = [
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

/// The same for a file.
pub fn walk_file(source: &Source, look: &mut dyn FnMut(Here<'_>, &Within)) {
    let around = Within {
        test: source.test,
        ..Within::default()
    };
    walk_within(source.tokens.clone(), &around, look);
}

fn walk_within(tokens: TokenStream, around: &Within, look: &mut dyn FnMut(Here<'_>, &Within)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // An attribute is about what follows, up to its body.
    let mut within = around.clone();
    for (at, token) in tokens.iter().enumerate() {
        let here = Here::new(&tokens, at);
        within.take_in(here, around);
        // An attribute is looked at before it counts.
        look(here, &within);
        if let TokenTree::Group(group) = token {
            // A macro may do with an attribute in its arguments what it likes.
            if is_attribute(here) && around.invoked.is_none() {
                within.test |= is_test(here);
                within.audited |= is_audited(&group.stream());
            }
            walk_within(group.stream(), &within.deeper(here, group), look);
        }
        if is_body(token) || here.sign(0, ';') {
            within = around.clone();
        }
    }
}

impl Within {
    /// What a keyword says of the item that it begins.
    fn take_in(&mut self, here: Here<'_>, around: &Within) {
        match here.word(0).as_str() {
            "const" | "static" => (self.constant, self.runs) = (true, false),
            "fn" if !here.word(1).is_empty() || here.sign(1, '$') => {
                (self.function, self.runs) = (!self.constant, false);
            }
            "enum" | "macro_rules" | "struct" | "trait" | "type" | "union" => self.runs = false,
            "impl" => {
                self.runs = false;
                // The functions inside have attributes of their own.
                self.audited = around.audited;
                let mut heads = around.heads.to_vec();
                heads.extend(head(here));
                self.heads = Rc::new(heads);
            }
            // Not the bound of a return type: `impl Sized + use<>`.
            "use" if !here.sign(1, '<') => self.import = true,
            _ => {}
        }
    }

    /// The same for what stands inside of the group here.
    fn deeper(&self, here: Here<'_>, group: &Group) -> Within {
        let mut deeper = self.clone();
        let body = group.delimiter() == Delimiter::Brace && !is_argument(here);
        deeper.runs |= body && self.function;
        (deeper.function, deeper.constant) = (false, false);
        if deeper.invoked.is_none() && here.sign(-1, '!') && !here.word(-2).is_empty() {
            deeper.invoked = Some(Rc::new(words(group.stream())));
        }
        let inner = here.sign(-1, '!') && here.sign(-2, '#');
        if deeper.attribute.is_none() && (is_attribute(here) || inner) {
            let first = words(group.stream()).into_iter().next();
            deeper.attribute = Some(first.unwrap_or_default());
        }
        if here.word(-2) == "mod" {
            deeper.modules.push(here.word(-1));
        }
        deeper
    }
}

/// Whether the braces here are part of a type: a constant among its parameters, or of a macro.
fn is_argument(here: Here<'_>) -> bool {
    let around = [
        (-1, '<'),
        (-1, ','),
        (-1, '='),
        (-1, '!'),
        (1, '>'),
        (1, ','),
    ];
    around.into_iter().any(|(n, sign)| here.sign(n, sign))
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
pub fn is_test(here: Here<'_>) -> bool {
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
    let text = squeezed(&attribute.stream());
    let test = matches!(text.as_str(), "cfg(test)" | "test") || text.starts_with("cfg(all(test,");
    first && whole && test
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
            "#[cfg(all(test, unix))] fn f() { x }",
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

    #[test]
    fn what_runs_is_told_from_what_types_are_made_of() {
        for (text, runs) in [
            ("pub fn f(a: u8) -> M { if a { x } }", true),
            ("impl T for U { async fn f() { x } }", true),
            ("fn f() { fn g() { x } }", true),
            ("const fn f() { x }", false),
            ("const F: fn() = { x };", false),
            ("fn f() -> Eps<{ x }, 1> {}", false),
            ("fn f() -> M<u8, { x }> {}", false),
            ("fn f() -> [u8; { x }] {}", false),
            ("fn f() -> price! { x } {}", false),
            ("fn f() { const N: u64 = { x }; }", false),
            ("fn f() { impl T for U { type P = x; } }", false),
            ("fn f() { macro_rules! m { () => { x } } }", false),
            ("struct S<F = fn()> { x }", false),
        ] {
            assert_eq!(around_x(text)[0].runs, runs, "{text}");
        }
    }
}
