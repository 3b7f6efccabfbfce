//! Where a vault is opened, in memory or on an account of a ledger: `Vault::open`, `Vault::load_on` and so on.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenTree};

use super::names::is_among;
use super::tokens::{Here, is_sign, plain};
use super::walk::{Function, Within};

/// The functions of `Vault` that make one.
pub const OPENERS: [&str; 7] = [
    "load",
    "load_on",
    "load_on_with_report",
    "load_with_report",
    "of_person",
    "open",
    "open_on",
];

/// Those among them that open it on an account of a ledger.
const ON_ACCOUNTS: [&str; 3] = ["load_on", "load_on_with_report", "open_on"];

/// A place where a vault is opened.
pub struct Opened {
    pub line: usize,
    /// The function around.
    pub inside: Option<Rc<Function>>,
    /// What may run it more than once in there.
    pub again: Option<&'static str>,
    /// On an account of a ledger, as far as the name says so.
    pub on_account: bool,
}

pub struct Vaults<'a> {
    /// `Vault` and its other names in the package.
    names: &'a BTreeSet<String>,
    pub opened: Vec<Opened>,
}

impl<'a> Vaults<'a> {
    pub fn new(names: &'a BTreeSet<String>) -> Self {
        let opened = Vec::new();
        Vaults { names, opened }
    }

    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        let opens = match here.word(0).as_str() {
            word if OPENERS.contains(&word) => self.is_opened(here, within),
            // In a macro's body, `Vault::$f` may be any function.
            "" if here.sign(0, '$') => self.is_on(here, |token| self.names_it(token, within)),
            // A macro may put the name of the function, or of the type, together: `Vault::[<op en>]`.
            "" if within.invoked.is_some() && is_pasted(here.token(0)) => {
                let pasted = |token: &TokenTree| is_pasted(Some(token));
                self.is_on(here, |token| self.names_it(token, within) || pasted(token))
            }
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
            self.opened.push(Opened {
                line: here.line(),
                inside: within.inside.clone(),
                again,
                on_account: ON_ACCOUNTS.contains(&here.word(0).as_str()),
            });
        }
    }

    fn is_opened(&self, here: Here<'_>, within: &Within) -> bool {
        // In a macro's body, `$t::open` may be anyone's.
        let pasted = |token: &TokenTree| within.invoked.is_some() && is_pasted(Some(token));
        let may_name = |token: &TokenTree| {
            is_sign(token, '$') || pasted(token) || self.names_it(token, within)
        };
        let alone = !here.sign(-1, '.') && !here.sign(-1, ':');
        // A macro among them may stand for its type: `call!(ty!(), open)`.
        let may_be_given = |given: &Vec<String>| {
            given.iter().any(|word| word == "$") || is_among(given, self.names)
        };
        let given = within.invoked.as_deref();
        self.is_on(here, may_name) || alone && given.is_some_and(may_be_given)
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
            // A macro in the place of a type may stand for any: `<ty!()>::open`.
            let called = depth > 0 && is_sign(token, '!');
            if names_it(token) || called {
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

/// A name that a macro puts together of parts: `[<op en>]`.
fn is_pasted(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket
        && group.stream().into_iter().next().is_some_and(|first| is_sign(&first, '<')))
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
        vaults.opened.iter().map(|opened| opened.line).collect()
    }

    #[test]
    fn an_account_is_told_by_the_name_of_the_function() {
        let on_account = |text: &str| {
            let tokens: TokenStream = text.parse().expect("tokens");
            let names = names_of("Vault", core::iter::once(&tokens));
            let mut vaults = Vaults::new(&names);
            walk(tokens, &mut |here, within| vaults.look(here, within));
            vaults
                .opened
                .iter()
                .map(|o| o.on_account)
                .collect::<Vec<_>>()
        };
        assert_eq!(on_account("fn f() { Vault::open_on(&account, x) }"), [true]);
        assert_eq!(on_account("fn f() { Vault::open(x) }"), [false]);
        // A macro may be given any of them.
        let text = "macro_rules! m { ($f:ident) => { Vault::$f(x) } } fn f() { m!(open_on) }";
        assert_eq!(on_account(text), [false]);
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
            "fn f() { Vault::open_on(&account, rows) }",
            "fn f() { Vault::<T, B>::load_on_with_report(&account, csv) }",
            "fn f() { Vault::r#open(x) }",
            "type A<B> = Vault<Table<P>, B>; type V = A<Eps<1, 1>>; fn f() { V::open(x) }",
            "impl Fresh for Vault<Table<P>, Eps<1, 1>> { fn f() { Self::open(x) } }",
            "fn f() { S { #[cfg(test)] a: 1, b: Vault::open(x) } }",
            "fn f() { match x { #[cfg(test)] 1 => 2, _ => Vault::open(x) } }",
            "fn f<#[cfg(test)] const N: usize>() { Vault::open(x) }",
            "fn f() { [#[cfg(test)] union, { Vault::open(x) }] }",
            "fn f() { g((#[cfg(test)] async || 1, Vault::open(x))) }",
            "macro_rules! ty { () => { Vault<T, E> } } fn f() { call!(ty!(), open) }",
            "macro_rules! m { ($t:ident) => { $t::open(x) } }",
            "fn f() { call!(Vault open)(x) }",
            "macro_rules! m { ($t:ty) => { <$t>::open(x) } }",
            "macro_rules! m { ($t:ident) => { $t::<P, E>::open(x) } }",
            "macro_rules! m { ($f:ident) => { Vault::$f(x) } } fn f() { m!(open) }",
            "macro_rules! m { ($f:ident) => { Vault::<P, E>::$f(x) } }",
            "macro_rules! m { ($t:ident) => { call!($t open)(x) } }",
            "fn f() { call!((Vault) { open })(x) }",
            "fn f() { <ty!()>::open(x) }",
            "macro_rules! ty { () => { Vault<T, E> } } type V = ty!(); fn f() { V::open(x) }",
            "fn f() { paste!(Vault::[<op en>](x)) }",
            "fn f() { paste!([<Va ult>]::open(x)) }",
            "fn f() { paste!([<Va ult>]::[<op en>](x)) }",
            "impl Fresh for Vault<P, E> { type A = Self; fn f() { <<Self as Fresh>::A>::open(x) } }",
        ] {
            assert_eq!(opened(opens), [1], "{opens}");
        }
        for not in [
            "fn f() { File::open(x) }",
            "fn f() { paste!(File::[<op en>](x)) }",
            "fn f() { x[<u8>::MAX] }",
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

    /// A function that makes a vault and is not in the list would open one that no audit sees.
    #[test]
    fn every_function_that_makes_a_vault_is_known() {
        let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        // The library, and the packages that bring other sources of data.
        let mut folders = vec![repository.join("src")];
        for packages in ["crates", "engines"] {
            let entries = std::fs::read_dir(repository.join(packages));
            let packages = entries.into_iter().flatten().flatten();
            let tool = |path: &std::path::PathBuf| path.ends_with("cargo-privet");
            let homes = packages.map(|entry| entry.path()).filter(|p| !tool(p));
            folders.extend(homes.map(|home| home.join("src")));
        }
        folders.retain(|folder| folder.exists());
        assert!(folders.len() > 3, "{folders:?}");
        let mut found = BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("sources") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).expect("text");
                    let mut makers = Makers::default();
                    syn::visit::visit_file(&mut makers, &syn::parse_file(&text).expect("Rust"));
                    found.extend(makers.found);
                }
            }
        }
        assert_eq!(
            found.iter().collect::<Vec<_>>(),
            OPENERS.iter().collect::<Vec<_>>()
        );
    }

    /// Functions from outside of tests that return a vault and take none: public ones of `Vault`,
    /// and of any other type, trait or module.
    #[derive(Default)]
    struct Makers {
        found: BTreeSet<String>,
        /// The type of the `impl` around.
        of: String,
        of_trait: bool,
    }

    impl Makers {
        fn look(&mut self, public: bool, sig: &syn::Signature) {
            let of_vault = self.of.starts_with("Vault ");
            let words =
                |tokens: &dyn quote::ToTokens| crate::scan::tokens::words(tokens.to_token_stream());
            let names = |words: &[String]| {
                let itself = of_vault && words.iter().any(|word| word == "Self");
                itself || words.iter().any(|word| word == "Vault")
            };
            let taken = of_vault && sig.receiver().is_some() || names(&words(&sig.inputs));
            if (public || self.of_trait) && !taken && names(&words(&sig.output)) {
                self.found.insert(sig.ident.to_string());
            }
        }
    }

    impl syn::visit::Visit<'_> for Makers {
        fn visit_item_impl(&mut self, block: &syn::ItemImpl) {
            use quote::ToTokens;
            self.of = block.self_ty.to_token_stream().to_string();
            self.of_trait = block.trait_.is_some();
            syn::visit::visit_item_impl(self, block);
            (self.of, self.of_trait) = (String::new(), false);
        }

        fn visit_item_trait(&mut self, item: &syn::ItemTrait) {
            self.of_trait = true;
            syn::visit::visit_item_trait(self, item);
            self.of_trait = false;
        }

        fn visit_item_mod(&mut self, module: &syn::ItemMod) {
            if module.ident != "tests" {
                syn::visit::visit_item_mod(self, module);
            }
        }

        fn visit_item_fn(&mut self, item: &syn::ItemFn) {
            self.look(matches!(item.vis, syn::Visibility::Public(_)), &item.sig);
        }

        fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
            self.look(matches!(item.vis, syn::Visibility::Public(_)), &item.sig);
        }

        fn visit_trait_item_fn(&mut self, item: &syn::TraitItemFn) {
            self.look(true, &item.sig);
        }
    }
}
