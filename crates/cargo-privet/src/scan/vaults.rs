//! Where a vault is opened: `Vault::open`, `Vault::load` and `Vault::of_person`.

use std::collections::BTreeSet;

use proc_macro2::TokenTree;

use super::tokens::{Here, is_sign, plain};
use super::walk::Within;

pub struct Vaults<'a> {
    /// `Vault` and its other names in the package.
    names: &'a BTreeSet<String>,
    /// Lines.
    pub opened: Vec<usize>,
}

impl<'a> Vaults<'a> {
    pub fn new(names: &'a BTreeSet<String>) -> Self {
        let opened = Vec::new();
        Vaults { names, opened }
    }

    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        let opens = matches!(here.word(0).as_str(), "open" | "load" | "of_person");
        if opens && !within.test && self.is_opened(here, within) {
            self.opened.push(here.line());
        }
    }

    fn is_opened(&self, here: Here<'_>, within: &Within) -> bool {
        if here.separator(-2) && here.token(-3).is_some() {
            let path = here.before();
            let own =
                here.word(-3) == "Self" && within.heads.iter().any(|w| self.names.contains(w));
            // In a macro's body, `$t::open` may be anyone's.
            return self.is_vault(&path[..path.len() - 2]) || own || here.sign(-4, '$');
        }
        let alone = !here.sign(-1, '.') && !here.sign(-1, ':');
        within.invoked && alone && here.all().iter().any(|token| self.names_it(token))
    }

    fn names_it(&self, token: &TokenTree) -> bool {
        matches!(token, TokenTree::Ident(ident) if self.names.contains(&plain(ident)))
    }

    /// Whether the path before `::open` names a vault: `Vault`, `Vault::<…>`, `<Vault<…>>`.
    fn is_vault(&self, path: &[TokenTree]) -> bool {
        let Some(last) = path.last() else {
            return false;
        };
        if !is_sign(last, '>') {
            return self.names_it(last);
        }
        let mut depth = 0_i32;
        for (at, token) in path.iter().enumerate().rev() {
            depth += i32::from(is_sign(token, '>')) - i32::from(is_sign(token, '<'));
            if self.names_it(token) {
                return true;
            }
            if depth == 0 {
                let before = &mut path[..at].iter().rev().take(3);
                return before.any(|token| self.names_it(token));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{names::names_of, walk::walk};
    use proc_macro2::TokenStream;

    fn opened(text: &str) -> Vec<usize> {
        let tokens: TokenStream = text.parse().expect("tokens");
        let names = names_of("Vault", core::iter::once(&tokens));
        let mut vaults = Vaults::new(&names);
        walk(tokens, &mut |here, within| vaults.look(here, within));
        vaults.opened
    }

    #[test]
    fn vaults_are_seen_under_other_names_and_not_in_tests() {
        for opens in [
            "fn f() { Vault::open(x) }",
            "fn f() { privet::Vault::<Table<P>, Eps<1, 1>>::open(x) }",
            "fn f() { <Vault<Table<P>, Eps<1, 1>>>::load(x) }",
            "use privet::Vault as V; fn f() { V::open(x) }",
            "type V = Vault<Table<P>, Eps<1, 1>>; fn f() { V::open(x) }",
            "fn f() { x.map(Vault::open) }",
            "fn f() { Vault::of_person(x) }",
            "fn f() { Vault::r#open(x) }",
            "type A<B> = Vault<Table<P>, B>; type V = A<Eps<1, 1>>; fn f() { V::open(x) }",
            "impl Fresh for Vault<Table<P>, Eps<1, 1>> { fn f() { Self::open(x) } }",
            "fn f() { S { #[cfg(test)] a: 1, b: Vault::open(x) } }",
            "fn f() { match x { #[cfg(test)] 1 => 2, _ => Vault::open(x) } }",
            "fn f<#[cfg(test)] const N: usize>() { Vault::open(x) }",
            "macro_rules! m { ($t:ident) => { $t::open(x) } }",
            "fn f() { call!(Vault open)(x) }",
        ] {
            assert_eq!(opened(opens), [1], "{opens}");
        }
        for not in [
            "fn f() { File::open(x) }",
            "impl Fresh for File { fn f() { Self::open(x) } }",
            "fn f() { call!(File open)(x) }",
            "#[cfg(test)] #[allow(dead_code)] pub fn f<A, B>() { Vault::open(x) }",
            "#[cfg(test)] mod tests { fn f() { Vault::open(x) } }",
            "#[test] fn f() { Vault::open(x) }",
        ] {
            assert!(opened(not).is_empty(), "{not}");
        }
        let after = "#[cfg(test)] mod tests {}\nfn f() { Vault::open(x) }";
        assert_eq!(opened(after), [2]);
    }
}
