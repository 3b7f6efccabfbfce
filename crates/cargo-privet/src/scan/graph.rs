//! Which functions there are, and where each is named: enough to say how often an opener runs.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::Here;
use super::walk::{Function, Within};

/// A function, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defined {
    pub package: String,
    pub file: String,
    pub function: Function,
}

/// A place that names something which may be a function.
#[derive(Clone, Debug)]
pub struct Mention {
    pub package: String,
    pub file: String,
    pub line: usize,
    pub name: String,
    /// What stands before it in the path: `hospital` of `hospital::vault`.
    pub qualifier: String,
    /// `vault()` and not `vault`.
    pub called: bool,
    /// `x.vault()`.
    pub method: bool,
    /// The instance that is named: `::<Eps<1, 2>>`.
    pub instance: String,
    /// The function that it stands in.
    pub inside: Option<Rc<Function>>,
    /// What may run it more than once, within that function.
    pub again: Option<&'static str>,
}

/// What was found in one file.
#[derive(Default)]
pub struct Graph {
    pub functions: BTreeSet<Function>,
    pub mentions: Vec<Mention>,
    /// Names that a `use` brings in.
    pub imported: BTreeSet<String>,
    /// `use a as b`: the new name and the old one.
    pub renamed: BTreeSet<(String, String)>,
}

impl Graph {
    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        if within.test {
            return;
        }
        if let Some(function) = &within.inside
            && !self.functions.contains(&**function)
        {
            self.functions.insert((**function).clone());
        }
        let Some(TokenTree::Ident(_)) = here.token(0) else {
            return;
        };
        let name = here.word(0);
        if within.import {
            if here.word(1) == "as" {
                self.renamed.insert((here.word(2), name.clone()));
            }
            if name != "as" && here.word(-1) != "as" {
                self.imported.insert(name);
            }
            return;
        }
        let declared = [
            "fn", "mod", "struct", "enum", "trait", "type", "let", "mut", "as", "use",
        ];
        if within.attribute.is_some() || declared.contains(&here.word(-1).as_str()) {
            return;
        }
        // A step of a path, a field's name, or a label.
        let label = here.sign(1, ':') && !here.separator(1) || here.sign(-1, '\'');
        let (instance, after) = instance(here);
        if label || here.separator(1) && instance.is_empty() {
            return;
        }
        let method = here.sign(-1, '.') && !here.sign(-2, '.');
        let called = here.group(after, Delimiter::Parenthesis).is_some();
        if method && !called {
            return;
        }
        // A local variable of a function's name.
        if !called && !here.separator(-2) && within.bound.contains(&name) {
            return;
        }
        let qualifier = if here.separator(-2) {
            here.word(-3)
        } else {
            String::new()
        };
        self.mentions.push(Mention {
            package: String::new(),
            file: String::new(),
            line: here.line(),
            name,
            qualifier,
            called,
            method,
            instance,
            inside: within.inside.clone(),
            again: within.again,
        });
    }
}

/// The instance behind a name, and where it ends.
fn instance(here: Here<'_>) -> (String, isize) {
    if !here.separator(1) || !here.sign(3, '<') {
        return (String::new(), 1);
    }
    let (mut depth, mut at, mut text) = (0_i32, 3, String::new());
    while let Some(token) = here.token(at) {
        depth += i32::from(here.sign(at, '<'))
            - i32::from(here.sign(at, '>') && !here.sign(at - 1, '-'));
        text += &token.to_string();
        at += 1;
        if depth == 0 {
            break;
        }
    }
    (text, at)
}
