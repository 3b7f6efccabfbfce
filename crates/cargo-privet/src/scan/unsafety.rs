//! `unsafe` in any form, and among it the promises that privet's derives make otherwise.

use std::collections::BTreeSet;

use proc_macro2::{Spacing, TokenTree};

use super::names::Written;
use super::tokens::{Here, is_sign, plain};

/// privet's `unsafe` traits.
const TRAITS: [&str; 7] = [
    "Record",
    "Category",
    "Field",
    "HasPerson",
    "Store",
    "ColumnSource",
    "RemoteEngine",
];

/// privet's `unsafe` traits, each with its names in a package.
pub fn traits(written: &Written) -> Vec<(&'static str, BTreeSet<String>)> {
    let names = TRAITS.iter().map(|name| (*name, written.names_of(name)));
    names.collect()
}

/// Lines, and for `impl`s the trait.
pub struct Unsafety<'a> {
    traits: &'a [(&'static str, BTreeSet<String>)],
    pub code: Vec<usize>,
    pub impls: Vec<(usize, String)>,
}

impl<'a> Unsafety<'a> {
    pub fn new(traits: &'a [(&'static str, BTreeSet<String>)]) -> Self {
        Unsafety {
            traits,
            code: Vec::new(),
            impls: Vec::new(),
        }
    }

    pub fn look(&mut self, here: Here<'_>) {
        if here.word(0) != "unsafe" {
            return;
        }
        self.code.push(here.line());
        if here.word(1) == "impl" {
            let name = name_of_trait(&here.rest()[2..]);
            let known = self.traits.iter().find(|(_, names)| names.contains(&name));
            // In a macro's body, `unsafe impl $t` may be of any trait.
            let any = name.starts_with('$').then_some(name.as_str());
            if let Some(name) = known.map(|(name, _)| *name).or(any) {
                self.impls.push((here.line(), name.to_string()));
            }
        }
    }
}

/// `unsafe impl … Record … for`: the trait's name is the last word before generics and `for`.
fn name_of_trait(rest: &[TokenTree]) -> String {
    let mut depth = 0_i32;
    let mut last = String::new();
    for (at, token) in rest.iter().enumerate() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '<' => depth += 1,
            TokenTree::Punct(p) if p.as_char() == '>' => {
                let arrow = at > 0
                    && matches!(&rest[at - 1], TokenTree::Punct(before)
                        if before.as_char() == '-' && before.spacing() == Spacing::Joint);
                depth -= i32::from(!arrow);
            }
            TokenTree::Ident(ident) if ident == "for" && depth == 0 => break,
            TokenTree::Ident(ident) if depth == 0 => {
                let sign = at > 0 && is_sign(&rest[at - 1], '$');
                last = format!("{}{}", if sign { "$" } else { "" }, plain(ident));
            }
            TokenTree::Group(_) if depth == 0 => break,
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::walk::walk;
    use proc_macro2::TokenStream;

    /// The lines of all `unsafe`, and the traits that are promised by hand.
    fn read(text: &str) -> (Vec<usize>, Vec<String>) {
        let tokens: TokenStream = text.parse().expect("tokens");
        let traits = traits(&Written::read(core::iter::once(&tokens)));
        let mut found = Unsafety::new(&traits);
        walk(tokens.clone(), &mut |here, _| found.look(here));
        (found.code, found.impls.into_iter().map(|i| i.1).collect())
    }

    #[test]
    fn unsafe_is_found_in_the_bodies_of_macros() {
        let text = "macro_rules! m { () => { \n unsafe { f() } } }\n#[unsafe(no_mangle)] fn g() {}";
        assert_eq!(read(text).0, [2, 3]);
        let text = "// unsafe\n/// unsafe\nfn f() { let s = \"unsafe\"; }";
        assert!(read(text).0.is_empty());
    }

    #[test]
    fn hand_written_promises_are_told_from_other_unsafe_impls() {
        let (code, impls) = read(
            "unsafe impl<T: Fn() -> u8> privet::Record for Row<T> {}\nunsafe impl Send for X {}",
        );
        assert_eq!((code, impls), (vec![1, 2], vec!["Record".to_string()]));
    }

    /// One that is not in the list would be promised by hand and told as any `unsafe` is.
    #[test]
    fn every_promise_of_the_library_is_known() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut found = BTreeSet::new();
        let mut folders = vec![root.join("src"), root.join("crates")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the sources") {
                let path = entry.expect("an entry").path();
                let own = path.ends_with("cargo-privet") || path.ends_with("target");
                if path.is_dir() && !own {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).expect("text");
                    let words = super::super::tokens::words(text.parse().expect("Rust"));
                    let traits = words
                        .windows(4)
                        .filter(|w| w[..3] == ["pub", "unsafe", "trait"]);
                    found.extend(traits.map(|w| w[3].clone()));
                }
            }
        }
        assert!(
            found.contains("Record") && found.contains("Store"),
            "{found:?}"
        );
        for name in found {
            assert!(
                TRAITS.contains(&name.as_str()),
                "`{name}` is not in the list"
            );
        }
    }

    #[test]
    fn promises_are_known_by_other_names() {
        for (text, name) in [
            ("use privet::Record as R; unsafe impl R for X {}", "Record"),
            ("unsafe impl privet::r#Field for X {}", "Field"),
            (
                "macro_rules! m { ($t:path) => { unsafe impl $t for X {} } }",
                "$t",
            ),
        ] {
            assert_eq!(read(text).1, [name], "{text}");
        }
    }
}
