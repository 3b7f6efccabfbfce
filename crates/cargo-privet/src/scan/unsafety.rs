//! `unsafe` in any form, and among it the promises that privet's derives make otherwise.

use proc_macro2::{Spacing, TokenTree};

use super::tokens::Here;

/// privet's `unsafe` traits.
const TRAITS: [&str; 4] = ["Record", "Category", "Field", "HasPerson"];

/// Lines, and for `impl`s the trait.
#[derive(Default)]
pub struct Unsafety {
    pub code: Vec<usize>,
    pub impls: Vec<(usize, String)>,
}

impl Unsafety {
    pub fn look(&mut self, here: Here<'_>) {
        if here.word(0) != "unsafe" {
            return;
        }
        self.code.push(here.line());
        if here.word(1) == "impl" {
            let name = name_of_trait(&here.rest()[2..]);
            if TRAITS.contains(&name.as_str()) {
                self.impls.push((here.line(), name));
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
            TokenTree::Ident(ident) if depth == 0 => last = ident.to_string(),
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

    fn read(text: &str) -> Unsafety {
        let mut found = Unsafety::default();
        walk(text.parse().expect("tokens"), &mut |here, _| {
            found.look(here)
        });
        found
    }

    #[test]
    fn unsafe_is_found_in_the_bodies_of_macros() {
        let text = "macro_rules! m { () => { \n unsafe { f() } } }\n#[unsafe(no_mangle)] fn g() {}";
        assert_eq!(read(text).code, [2, 3]);
        let text = "// unsafe\n/// unsafe\nfn f() { let s = \"unsafe\"; }";
        assert!(read(text).code.is_empty());
    }

    #[test]
    fn hand_written_promises_are_told_from_other_unsafe_impls() {
        let found = read(
            "unsafe impl<T: Fn() -> u8> privet::Record for Row<T> {}\nunsafe impl Send for X {}",
        );
        assert_eq!(found.impls, [(1, "Record".to_string())]);
        assert_eq!(found.code.len(), 2);
    }
}
