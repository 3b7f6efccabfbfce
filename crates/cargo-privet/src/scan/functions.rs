//! Functions with the attribute, and public ones that return a mechanism and need it.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::tokens::plain;

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
        if let Ok(file) = syn::parse_file(text) {
            functions.visit_file(&file);
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

    fn returns_mechanism(&self, output: TokenStream) -> bool {
        output.into_iter().any(|token| match token {
            TokenTree::Group(group) => self.returns_mechanism(group.stream()),
            TokenTree::Ident(ident) => self.mechanisms.contains(&plain(&ident)),
            _ => false,
        })
    }

    /// Functions that a macro writes: `pub fn` in its body or its arguments.
    fn look_into(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.to_string() == text);
        let (mut audited, mut public) = (false, false);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "pub" => public = true,
                TokenTree::Ident(word) if word == "fn" && public && !audited => {
                    let output = tokens[at..]
                        .iter()
                        .skip_while(|t| t.to_string() != "-")
                        .take_while(|t| !matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace))
                        .take_while(|t| t.to_string() != ";");
                    if self.returns_mechanism(output.cloned().collect()) {
                        let name = 1 + at + usize::from(is(at + 1, "$"));
                        let name = tokens.get(name).map_or(String::new(), ToString::to_string);
                        self.unaudited.push((word.span().start().line, name));
                    }
                }
                TokenTree::Group(group) => {
                    let text = group.stream().to_string();
                    audited |= at > 0 && is(at - 1, "#") && text.contains("audited");
                    self.look_into(group.stream());
                    if group.delimiter() == Delimiter::Brace {
                        (audited, public) = (false, false);
                    }
                }
                _ if token.to_string() == ";" => (audited, public) = (false, false),
                _ => {}
            }
        }
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
