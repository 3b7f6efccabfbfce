//! The names that a package gives to a type of privet's.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use super::tokens::words;

/// A type and all of its other names: `use … as`, `type`, and such of these again.
pub fn names_of<'a>(name: &str, files: impl Iterator<Item = &'a TokenStream>) -> BTreeSet<String> {
    let words: Vec<String> = files.flat_map(|tokens| words(tokens.clone())).collect();
    let mut names = BTreeSet::from([name.to_string()]);
    loop {
        let known = names.len();
        for (at, word) in words.iter().enumerate() {
            let next = |n: usize| words.get(at + n).map(String::as_str).unwrap_or_default();
            if names.contains(word) && next(1) == "as" {
                names.insert(next(2).to_string());
            }
            if word == "type" {
                let end = words[at..].iter().position(|w| w == ";").unwrap_or(0);
                if words[at..at + end].iter().any(|w| names.contains(w)) {
                    names.insert(next(1).to_string());
                }
            }
        }
        names.remove("_");
        if names.len() == known {
            return names;
        }
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
}
