//! Functions with the attribute, and public ones that return a mechanism and need it.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::tokens::{Here, is_body, is_sign, plain, words};
use super::walk::is_audited;

/// Lines and names.
pub struct Functions<'a> {
    /// `Mechanism` and its other names in the package.
    mechanisms: &'a BTreeSet<String>,
    /// All functions, audited or not.
    pub names: BTreeSet<String>,
    pub audited: Vec<(usize, String)>,
    pub unaudited: Vec<(usize, String)>,
}

impl<'a> Functions<'a> {
    pub fn read(text: &str, mechanisms: &'a BTreeSet<String>) -> Self {
        let mut functions = Functions {
            mechanisms,
            names: BTreeSet::new(),
            audited: Vec::new(),
            unaudited: Vec::new(),
        };
        match syn::parse_file(text) {
            Ok(file) => functions.visit_file(&file),
            // Part of a file, or newer than we are: read like the body of a macro.
            Err(_) => functions.look_into(text.parse().unwrap_or_default()),
        }
        functions
    }

    fn look(&mut self, attributes: &[syn::Attribute], public: bool, signature: &syn::Signature) {
        let line = signature.ident.span().start().line;
        let name = plain(&signature.ident);
        self.names.insert(name.clone());
        let is_audited = |attribute: &syn::Attribute| {
            attribute
                .path()
                .segments
                .last()
                .is_some_and(|s| s.ident == "audited")
        };
        if attributes.iter().any(is_audited) {
            self.audited.push((line, name));
        } else if public && self.names_mechanism(&signature.output) {
            self.unaudited.push((line, name));
        }
    }

    fn names_mechanism(&self, output: &syn::ReturnType) -> bool {
        struct Finds<'a>(&'a BTreeSet<String>, bool);
        impl Visit<'_> for Finds<'_> {
            fn visit_path(&mut self, path: &syn::Path) {
                let last = path.segments.last().map(|s| plain(&s.ident));
                self.1 |= last.is_some_and(|name| self.0.contains(&name));
                visit::visit_path(self, path);
            }
        }
        let mut finds = Finds(self.mechanisms, false);
        finds.visit_return_type(output);
        finds.1
    }

    /// Functions that a macro writes: `pub fn` in its body or its arguments.
    fn look_into(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut audited, mut public) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            let here = Here::new(&tokens, at);
            match here.word(0).as_str() {
                "pub" => public |= here.group(1, Delimiter::Parenthesis).is_none(),
                "fn" if public && !audited && self.returns_mechanism(here) => {
                    let name = here.word(1 + isize::from(here.sign(1, '$')));
                    self.unaudited.push((here.line(), name));
                }
                _ => {}
            }
            // `$visibility fn` may be public.
            public |= here.sign(0, '$') && !here.word(1).is_empty();
            if let TokenTree::Group(group) = token {
                audited |= here.sign(-1, '#') && is_audited(&group.stream());
                self.look_into(group.stream());
            }
            if is_body(token) || here.sign(0, ';') {
                (audited, public) = (false, false);
            }
        }
    }

    /// Whether the `fn` here names a mechanism between its arrow and its body.
    fn returns_mechanism(&self, here: Here<'_>) -> bool {
        let mut arrow = false;
        for (at, token) in here.rest().iter().enumerate() {
            let next = here.rest().get(at + 1);
            // A constant among the parameters of a type is no body.
            let goes_on = next.is_some_and(|next| is_sign(next, ',') || is_sign(next, '>'));
            if is_sign(token, ';') || is_body(token) && !goes_on {
                break;
            }
            arrow |= is_sign(token, '-');
            let words = words(token.clone().into());
            if arrow && words.iter().any(|word| self.mechanisms.contains(word)) {
                return true;
            }
        }
        false
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .meta
                    .require_list()
                    .is_ok_and(|l| l.tokens.to_string() == "test")
    })
}

impl Visit<'_> for Functions<'_> {
    fn visit_macro(&mut self, item: &syn::Macro) {
        self.look_into(item.tokens.clone());
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        if !is_test(&item.attrs) {
            let public = matches!(item.vis, syn::Visibility::Public(_));
            self.look(&item.attrs, public, &item.sig);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        let public = matches!(item.vis, syn::Visibility::Public(_));
        self.look(&item.attrs, public, &item.sig);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item(&mut self, item: &syn::Item) {
        if let syn::Item::Verbatim(tokens) = item {
            self.look_into(tokens.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::names::names_of;

    /// The names of the functions that need the attribute, and of those that have it.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let tokens: TokenStream = text.parse().expect("tokens");
        let mechanisms = names_of("Mechanism", core::iter::once(&tokens));
        let functions = Functions::read(text, &mechanisms);
        let names = |list: Vec<(usize, String)>| list.into_iter().map(|f| f.1).collect();
        (names(functions.unaudited), names(functions.audited))
    }

    #[test]
    fn functions_that_macros_write_are_seen() {
        let (unaudited, _) = read(
            "macro_rules! m { ($v:vis $i:ident) => {
                 $v fn $i() -> Mechanism<T, i64, E> {}
                 /// Not audited.
                 pub const fn a() -> Mechanism<T, i64, E> {}
                 #[audited] pub fn b() -> Mechanism<T, i64, E> {}
                 pub fn c() {}
                 fn d() -> Mechanism<T, i64, E> {}
                 pub(crate) fn e() -> Mechanism<T, i64, E> {}
                 pub fn f() -> Both<{ 1 }, Mechanism<T, i64, E>> {}
                 pub fn g(m: Mechanism<T, i64, E>) -> u8 { Mechanism::h() }
             } }",
        );
        assert_eq!(unaudited, ["i", "a", "f"]);
    }

    #[test]
    fn functions_in_bodies_and_in_files_that_do_not_parse_are_seen() {
        let (unaudited, _) =
            read("impl P { fn f() { impl P { pub fn a() -> Mechanism<T, i64, E> {} } } }");
        assert_eq!(unaudited, ["a"]);
        let (unaudited, _) = read("new syntax; pub fn a() -> Mechanism<T, i64, E> {}");
        assert_eq!(unaudited, ["a"]);
    }

    #[test]
    fn raw_names_are_the_names_that_the_audit_prints() {
        let (_, audited) = read("#[audited] fn r#match() -> Mechanism<T, i64, E> {}");
        assert_eq!(audited, ["match"]);
    }

    #[test]
    fn public_functions_that_return_a_mechanism_need_the_attribute() {
        let (unaudited, audited) = read(
            "pub fn a() -> Mechanism<T, i64, E> {}
             #[privet::audited] pub fn b() -> privet::Mechanism<T, i64, E> {}
             fn c() -> Mechanism<T, i64, E> {}
             impl P { pub fn d(&self) -> Option<Mechanism<T, i64, E>> {} }
             #[cfg(test)] mod tests { pub fn e() -> Mechanism<T, i64, E> {} }
             type M = Mechanism<T, i64, E>; use privet::Mechanism as N;
             pub fn g() -> M {}
             pub fn h() -> Result<N<T, i64, E>> {}
             macro_rules! m { ($i:ident) => {
                 pub fn $i() -> Mechanism<T, i64, E> {}
                 #[audited] pub fn j() -> Mechanism<T, i64, E> {}
                 fn k(m: Mechanism<T, i64, E>) -> u8 {}
             } }
             m! { pub fn l() -> M {} }",
        );
        assert_eq!(unaudited, ["a", "d", "g", "h", "i", "l"]);
        assert_eq!(audited, ["b"]);
    }
}
