//! Where a vault is opened: `Vault::open`, `Vault::load`, `Vault::load_with_report` and `Vault::of_person`.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{Here, is_sign, plain};
use super::walk::{Function, Within};

/// A line, the function around, and what may run it more than once in there.
pub type Opened = (usize, Option<Rc<Function>>, Option<&'static str>);

pub struct Vaults<'a> {
    /// `Vault` and its other names in the package.
    names: &'a BTreeSet<String>,
    /// Lines, the functions around, and what may run them more than once in there.
    pub opened: Vec<Opened>,
}

impl<'a> Vaults<'a> {
    pub fn new(names: &'a BTreeSet<String>) -> Self {
        let opened = Vec::new();
        Vaults { names, opened }
    }

    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        let opens = match here.word(0).as_str() {
            "open" | "load" | "load_with_report" | "of_person" => self.is_opened(here, within),
            // In a macro's body, `Vault::$f` may be any function.
            "" if here.sign(0, '$') => self.is_on(here, |token| self.names_it(token, within)),
            _ => false,
        };
        if opens && !within.test {
            // Handed on as a value, it is called nobody knows how often.
            let called = (1..).find_map(|n| match here.token(n) {
                Some(TokenTree::Group(g)) => Some(g.delimiter() == Delimiter::Parenthesis),
                Some(token) if is_sign(token, ',') || is_sign(token, ';') => Some(false),
                None => Some(false),
                Some(_) => None,
            });
            let value = (called == Some(false)).then_some("as a value");
            let again = within.again.or(value);
            self.opened
                .push((here.line(), within.inside.clone(), again));
        }
    }

    fn is_opened(&self, here: Here<'_>, within: &Within) -> bool {
        // In a macro's body, `$t::open` may be anyone's.
        let may_name = |token: &TokenTree| is_sign(token, '$') || self.names_it(token, within);
        let alone = !here.sign(-1, '.') && !here.sign(-1, ':');
        let may_be_given = |word: &String| word == "$" || self.names.contains(word);
        let given = within.invoked.as_deref();
        self.is_on(here, may_name) || alone && given.is_some_and(|g| g.iter().any(may_be_given))
    }

    fn names_it(&self, token: &TokenTree, within: &Within) -> bool {
        let TokenTree::Ident(ident) = token else {
            return false;
        };
        let named = |word: &String| self.names.contains(word);
        named(&plain(ident)) || ident == "Self" && within.heads.iter().any(named)
    }

    /// Whether this follows the path of a vault: `Vault::`, `Vault::<…>::`, `<Vault<…>>::`.
    fn is_on(&self, here: Here<'_>, names_it: impl Fn(&TokenTree) -> bool) -> bool {
        let [path @ .., _, _] = here.before() else {
            return false;
        };
        if !here.separator(-2) {
            return false;
        }
        let mut depth = 0_i32;
        for (at, token) in path.iter().enumerate().rev() {
            depth += i32::from(is_sign(token, '>')) - i32::from(is_sign(token, '<'));
            if names_it(token) {
                return true;
            }
            if depth == 0 {
                // Of `$t` the sign, of `Vault::<…>` the name is still to come.
                let more = if is_sign(token, '<') { 4 } else { 1 };
                return path[..at]
                    .iter()
                    .rev()
                    .take(more)
                    .any(|token| names_it(token) && (more > 1 || is_sign(token, '$')));
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
        vaults.opened.into_iter().map(|opened| opened.0).collect()
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
            "macro_rules! m { ($t:ty) => { <$t>::open(x) } }",
            "macro_rules! m { ($t:ident) => { $t::<P, E>::open(x) } }",
            "macro_rules! m { ($f:ident) => { Vault::$f(x) } } fn f() { m!(open) }",
            "macro_rules! m { ($f:ident) => { Vault::<P, E>::$f(x) } }",
            "macro_rules! m { ($t:ident) => { call!($t open)(x) } }",
            "fn f() { call!((Vault) { open })(x) }",
            "impl Fresh for Vault<P, E> { type A = Self; fn f() { <<Self as Fresh>::A>::open(x) } }",
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
            "macro_rules! m { ($t:ident $f:ident) => { $t::$f(x) } } fn f() { m!(File open) }",
            "fn f(v: Vault<P, E>) { v::File::open(x) }",
            "fn f(v: Vault<P, E>) { File::<u8>::open(x); v < w && x > ::open }",
        ] {
            assert!(opened(not).is_empty(), "{not}");
        }
        let after = "#[cfg(test)] mod tests {}\nfn f() { Vault::open(x) }";
        assert_eq!(opened(after), [2]);
    }
}
