//! The names that a package gives to a type of privet's.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::tokens::{Here, is_body, is_sign, words};
use super::walk::{Within, walk};

/// The words of some files, read once for all the names that are looked for.
#[derive(Default)]
pub struct Written {
    words: Vec<String>,
    /// The macros, each as `name!`, and the words of their bodies.
    macros: Vec<(String, Vec<String>)>,
}

impl Written {
    pub fn read<'a>(files: impl Iterator<Item = &'a TokenStream>) -> Self {
        let mut written = Written::default();
        for tokens in files {
            written.words.extend(words(tokens.clone()));
            collect_macros(tokens.clone(), &mut written.macros);
        }
        written
    }

    /// A type and all of its other names: `use … as`, `type`, and such of these again. A macro whose
    /// body names it is one of them, with its sign: `ty!`.
    pub fn names_of(&self, name: &str) -> BTreeSet<String> {
        let (all, macros) = (&self.words, &self.macros);
        let mut names = BTreeSet::from([name.to_string()]);
        loop {
            let more = (0..all.len()).filter_map(|at| named(&all[at..], &names).cloned());
            let written = macros.iter().filter(|(_, body)| is_among(body, &names));
            let more = more.chain(written.map(|(name, _)| name.clone()));
            let more: Vec<String> = more.filter(|name| !names.contains(name)).collect();
            if more.is_empty() {
                return names;
            }
            names.extend(more);
        }
    }
}

/// The names that the sources give to types and traits of their own.
#[derive(Debug, Default)]
pub struct Declared {
    /// All of them; `$` where a macro is given one.
    pub all: BTreeSet<String>,
    /// Types and traits that other packages may use.
    pub public: BTreeSet<String>,
    pub traits: BTreeSet<String>,
}

impl Declared {
    pub fn read<'a>(files: impl Iterator<Item = &'a TokenStream>) -> Self {
        let mut declared = Declared::default();
        for tokens in files {
            walk(tokens.clone(), &mut |here, within| {
                declared.look(here, within)
            });
        }
        declared
    }

    fn look(&mut self, here: Here<'_>, within: &Within) {
        let keyword = here.word(0);
        let renamed = within.import && keyword == "as";
        let kinds = ["enum", "struct", "trait", "type", "union"];
        if !renamed && !kinds.contains(&keyword.as_str()) {
            return;
        }
        let name = match here.word(1) {
            name if name.is_empty() && here.sign(1, '$') => "$".to_string(),
            name => name,
        };
        if name.is_empty() {
            return;
        }
        let before = if here.word(-1) == "unsafe" { -2 } else { -1 };
        // In a macro, `$visibility struct` may be public.
        if here.word(before) == "pub" || here.sign(before - 1, '$') {
            self.public.insert(name.clone());
        }
        if keyword == "trait" {
            self.traits.insert(name.clone());
        }
        self.all.insert(name);
    }
}

#[cfg(test)]
pub fn names_of<'a>(name: &str, files: impl Iterator<Item = &'a TokenStream>) -> BTreeSet<String> {
    Written::read(files).names_of(name)
}

/// Whether one of the names is among some words; a macro's, where it is called.
pub fn is_among(words: &[String], names: &BTreeSet<String>) -> bool {
    (0..words.len()).any(|at| begins(&words[at..], names))
}

/// Whether some words begin with one of the names.
fn begins(words: &[String], names: &BTreeSet<String>) -> bool {
    match words {
        [name, sign, ..] if sign == "!" => names.contains(&format!("{name}!")),
        [name, ..] => names.contains(name),
        [] => false,
    }
}

/// The macros that are written here, each as `name!`, and the words of their bodies.
fn collect_macros(tokens: TokenStream, macros: &mut Vec<(String, Vec<String>)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let here = Here::new(&tokens, at);
        if here.word(-3) == "macro_rules" {
            macros.push((here.word(-1) + "!", words(group.stream())));
        }
        collect_macros(group.stream(), macros);
    }
}

/// The new name that these words begin to give to one of the names.
fn named<'a>(words: &'a [String], names: &BTreeSet<String>) -> Option<&'a String> {
    let known = |word: &String| names.contains(word);
    let name = match words {
        [sign, _, by, ..] if sign == "<" && by == "as" => return None,
        [_, name, by, new, ..] if known(name) && by == "as" => new,
        // Up to the end, where a macro is to write the semicolon.
        [by, new, rest @ ..] if by == "type" => {
            let end = rest.iter().position(|word| word == ";");
            is_among(&rest[..end.unwrap_or(rest.len())], names).then_some(new)?
        }
        // `alias!(V = privet::Vault)`: a macro may make it a type.
        [new, sign, rest @ ..] if sign == "=" => {
            let mut path = rest.iter().take_while(|word| is_word(word) || *word == ":");
            path.any(known).then_some(new)?
        }
        _ => return None,
    };
    Some(name).filter(|name| is_word(name) && *name != "_")
}

/// The name of an item that can hold a value, the words of what it holds, and whether it is an alias.
pub type Item = (String, Vec<String>, bool);

/// The items of some files that can hold a value.
pub fn items<'a>(files: impl Iterator<Item = &'a TokenStream>) -> Vec<Item> {
    let mut items = Vec::new();
    for tokens in files {
        collect_items(tokens.clone(), &mut items);
    }
    items
}

/// Structures, enumerations and statics that hold a value of one of the names, by their own names,
/// and such as hold these again.
pub fn holders_of(names: &BTreeSet<String>, items: &[Item]) -> BTreeSet<String> {
    let mut holders: BTreeSet<String> = BTreeSet::new();
    loop {
        let holds = |words: &[String]| is_among(words, names) || is_among(words, &holders);
        // An alias is a vault itself; a structure of the same name elsewhere holds one.
        let is_vault = |name: &String, alias: bool| alias && names.contains(name);
        let more = items.iter().filter(|(_, words, _)| holds(words));
        let more: Vec<String> = more
            .filter(|(name, _, alias)| !holders.contains(name) && !is_vault(name, *alias))
            .map(|(name, ..)| name.clone())
            .collect();
        if more.is_empty() {
            return holders;
        }
        holders.extend(more);
    }
}

/// Structures, enumerations and other names of types that hold a function or a channel that takes a value
/// of one of the names.
pub fn takers_of(names: &BTreeSet<String>, items: &[Item]) -> BTreeSet<String> {
    let called = ["Fn", "FnMut", "FnOnce", "Sender", "SyncSender", "fn"];
    let takes = |words: &Vec<String>| {
        words.iter().any(|word| called.contains(&word.as_str())) && is_among(words, names)
    };
    let takers = items.iter().filter(|(_, words, _)| takes(words));
    takers.map(|(name, ..)| name.clone()).collect()
}

/// Traits that a type of one of the names has: by its name, or since every type has them.
pub fn traits_of<'a>(
    names: &BTreeSet<String>,
    files: impl Iterator<Item = &'a TokenStream>,
) -> BTreeSet<String> {
    let mut traits = BTreeSet::new();
    for tokens in files {
        collect_traits(tokens.clone(), names, &mut traits);
    }
    traits
}

fn collect_traits(tokens: TokenStream, names: &BTreeSet<String>, traits: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            collect_traits(group.stream(), names, traits);
        }
        let here = Here::new(&tokens, at);
        if here.word(0) != "impl" {
            continue;
        }
        let (mut depth, mut name) = (0_i32, String::new());
        // Its own parameters, what it is of, and whether that is still to come.
        let (mut own, mut of, mut found) = (BTreeSet::new(), Vec::new(), false);
        for (at, token) in here.rest().iter().enumerate().skip(1) {
            let arrow = is_sign(&here.rest()[at - 1], '-');
            depth += i32::from(is_sign(token, '<')) - i32::from(is_sign(token, '>') && !arrow);
            if is_body(token) || is_sign(token, ';') {
                break;
            }
            // No lifetimes.
            if is_sign(&here.rest()[at - 1], '\'') {
                continue;
            }
            let found_words = words(token.clone().into());
            let word = found_words.first().cloned().unwrap_or_default();
            match (word.as_str(), depth) {
                ("where", 0) => break,
                ("for", 0) => found = true,
                _ if found => of.extend(found_words),
                (_, 0) if matches!(token, TokenTree::Ident(_)) => name = word,
                _ if name.is_empty() => own.extend(found_words),
                _ => {}
            }
        }
        // `T`, `&T`, `Box<T>` for a `T` of its own.
        let any = of.iter().any(|word| own.contains(word) && is_word(word));
        if found && !name.is_empty() && (is_among(&of, names) || any) {
            traits.insert(name);
        }
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

fn collect_items(tokens: TokenStream, items: &mut Vec<Item>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            collect_items(group.stream(), items);
        }
        let here = Here::new(&tokens, at);
        let name = match here.word(0).as_str() {
            "static" if here.word(1) == "mut" => here.word(2),
            "struct" | "enum" | "union" | "static" | "type" => here.word(1),
            // `thread_local! { static … }` is a group; a constant of a lazy value is rare.
            _ => continue,
        };
        if name.is_empty() {
            continue;
        }
        let mut held = Vec::new();
        for token in &here.rest()[1..] {
            held.extend(words(token.clone().into()));
            if is_sign(token, ';') || is_body(token) {
                break;
            }
        }
        items.push((name, held, here.word(0) == "type"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let tokens: TokenStream = text.parse().expect("tokens");
        let names = names_of("Vault", core::iter::once(&tokens));
        names.into_iter().collect()
    }

    #[test]
    fn names_of_names_are_followed_in_any_order() {
        assert_eq!(
            names("type B = A<u8>; use privet::{Vault as A}; type C = u8;"),
            ["A", "B", "Vault"]
        );
        assert_eq!(names("use privet::Vault as _;"), ["Vault"]);
    }

    #[test]
    fn what_holds_a_vault_is_known_by_its_own_name() {
        let text = "pub struct Hidden(Vault<T, E>); enum Deep { A { h: Option<Hidden> }, B }
                    static ONE: Mutex<Deep> = new(); struct Other { n: u8 } struct Unit;
                    mod m { type Hidden = Vault<T, E>; type Alias = Vault<T, E>; }";
        let tokens: TokenStream = text.parse().expect("tokens");
        let vaults = names_of("Vault", core::iter::once(&tokens));
        let holders = holders_of(&vaults, &items(core::iter::once(&tokens)));
        assert_eq!(Vec::from_iter(holders), ["Deep", "Hidden", "ONE"]);
    }

    #[test]
    fn traits_that_a_type_has_are_known() {
        let text = "impl A for Vault<T, E> {} impl<T: Debug> B for T {} impl<T> C<T> for u8 {}
                    impl<'a, T> D for &'a T {} impl E for Other {} impl Vault<T, E> {}
                    fn f() -> impl F { for x in y {} } impl<T> G for Vec<T> where T: H {}";
        let tokens: TokenStream = text.parse().expect("tokens");
        let vaults = BTreeSet::from(["Vault".to_string()]);
        let traits = traits_of(&vaults, core::iter::once(&tokens));
        assert_eq!(Vec::from_iter(traits), ["A", "B", "D", "G"]);
        let text = "struct P { run: fn(Vault<T, E>) -> u8 } type Q = Box<dyn FnOnce(V)>; struct R(fn(u8));";
        let tokens: TokenStream = text.parse().expect("tokens");
        let takers = takers_of(&vaults, &items(core::iter::once(&tokens)));
        assert_eq!(Vec::from_iter(takers), ["P"]);
    }

    #[test]
    fn a_macro_may_stand_for_a_type() {
        let text = "macro_rules! ty { () => { Vault<T, E> } } macro_rules! u { () => { ty!() } }
                    type A = u!(); struct S { ty: u8 } struct H(u!());";
        assert_eq!(names(text), ["A", "Vault", "ty!", "u!"]);
        let tokens: TokenStream = text.parse().expect("tokens");
        let vaults = names_of("Vault", core::iter::once(&tokens));
        let holders = holders_of(&vaults, &items(core::iter::once(&tokens)));
        assert_eq!(Vec::from_iter(holders), ["H"]);
    }

    #[test]
    fn macros_may_make_a_name() {
        assert_eq!(
            names("alias!(A = privet::Vault<T, E>); let n = u8;"),
            ["A", "Vault"]
        );
        assert_eq!(names("alias!(type A = Vault)"), ["A", "Vault"]);
        assert_eq!(
            names("type A = Vault; <A as Into<u8>>::into(a)"),
            ["A", "Vault"]
        );
    }
}
