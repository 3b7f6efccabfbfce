//! Which functions there are, and where each is named: enough to say how often an opener runs.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{Here, is_sign};
use super::walk::{Arm, Function, KNOWN, Within};

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
    /// What stands before it in the path: `hospital` of `hospital::vault`; `<>` for a type with arguments,
    /// as in `Vault::<T, B>::open`.
    pub qualifier: String,
    /// The arms of `match`es that it stands in.
    pub arms: Rc<Vec<Arm>>,
    /// `vault()` and not `vault`.
    pub called: bool,
    /// `x.vault()`.
    pub method: bool,
    /// The instance that is named: `::<Eps<1, 2>>`.
    pub instance: String,
    /// The function that it stands in.
    pub inside: Option<Rc<Function>>,
    /// The modules in braces around it.
    pub modules: Vec<String>,
    /// What may run it more than once, within that function.
    pub again: Option<&'static str>,
}

/// What was found in one file.
#[derive(Default)]
pub struct Graph {
    pub functions: BTreeSet<Function>,
    pub mentions: Vec<Mention>,
    /// Names that a `use` brings in, also as `module::name` where a module in braces has it, and
    /// `use name` where it ends a path. Beside these, `mod name` and `type name` of what is declared,
    /// and `include!` where a file is.
    pub imported: BTreeSet<String>,
    /// `use a as b`: the new name and the old one.
    pub renamed: BTreeSet<(String, String)>,
}

impl Graph {
    pub fn look(&mut self, here: Here<'_>, within: &Within) {
        if within.test {
            return;
        }
        if let Some(function) = within.body_of(here) {
            self.functions.insert(function.clone());
        }
        if within.import && here.sign(0, '*') && !is_of_privet(here) {
            // What comes by it has no name here. In a body, it comes before what is around.
            let inside = within.inside.is_some();
            self.imported
                .insert(if inside { "*inside" } else { "*" }.into());
            self.imported.extend(in_module(within, "*"));
        }
        self.declared(here, within);
        if let Some(attribute) = &within.attribute
            && !KNOWN.contains(&attribute.as_str())
        {
            self.mentions_in_attribute(here, within);
            if !within.loose {
                return;
            }
        }
        let Some(TokenTree::Ident(_)) = here.token(0) else {
            return;
        };
        let name = here.word(0);
        if within.import {
            if here.word(1) == "as" {
                self.renamed.insert((here.word(2), name.clone()));
            }
            if !here.separator(1) && here.word(-1) != "use" {
                self.imported.insert(format!("use {name}"));
            }
            // A module may hand it on by its new name, too.
            self.imported.extend(in_module(within, &name));
            if name != "as" && here.word(-1) != "as" {
                self.imported.insert(name.clone());
            }
            if !within.loose {
                return;
            }
        }
        let declared = [
            "fn", "mod", "struct", "enum", "trait", "type", "let", "as", "use",
        ];
        let before = here.word(-1);
        // A variable of a pattern, and not `&mut f`.
        let variable = before == "mut" && !here.sign(-2, '&') && here.word(-2) != "raw";
        let declared = variable || declared.contains(&before.as_str());
        // A macro may make a call of any of these.
        if !within.loose && (within.attribute.is_some() || declared) {
            return;
        }
        // A step of a path, a field's name, or a label.
        let label = here.sign(1, ':') && !here.separator(1) || here.sign(-1, '\'');
        let (instance, after) = instance(here);
        if !within.loose && (label || here.separator(1) && instance.is_empty()) {
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
        let qualifier = if here.separator(-2) && here.sign(-3, '>') {
            "<>".to_string()
        } else if here.separator(-2) {
            here.word(-3)
        } else {
            String::new()
        };
        self.mentions.push(Mention {
            package: String::new(),
            file: String::new(),
            line: here.line(),
            arms: within.arms.clone(),
            name,
            qualifier,
            called,
            method,
            instance,
            inside: within.inside.clone(),
            modules: within.modules.clone(),
            again: within.again,
        });
    }

    /// What may stand before a function's name in its path.
    fn declared(&mut self, here: Here<'_>, within: &Within) {
        match here.keyword(0).as_str() {
            "crate" if here.word(-1) == "extern" && here.word(2) == "as" => {
                self.renamed.insert((here.word(3), here.word(1)));
            }
            "mod" => {
                let name = here.word(1);
                // Its file may be any.
                if here.sign(2, ';') && within.is_moved() {
                    self.imported.insert(format!("{name}::*"));
                }
                self.imported.insert(format!("mod {name}"));
            }
            "enum" | "struct" | "trait" | "type" => {
                self.imported.insert(format!("type {}", here.word(1)));
            }
            "include" if here.sign(1, '!') => {
                self.imported.insert("include!".into());
            }
            _ => {}
        }
    }

    /// An attribute may have any function called that it names, as a path or in a text:
    /// `#[serde(default = "vault")]`.
    fn mentions_in_attribute(&mut self, here: Here<'_>, within: &Within) {
        let names = match here.token(0) {
            Some(TokenTree::Ident(_)) if !here.separator(1) && !is_its_name(here, within) => {
                vec![here.word(0)]
            }
            Some(TokenTree::Literal(text)) => {
                let text = text.to_string();
                let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let words = words.filter(|word| word.starts_with(|c: char| !c.is_numeric()));
                words.map(str::to_string).collect()
            }
            _ => Vec::new(),
        };
        self.mentions.extend(names.into_iter().map(|name| Mention {
            package: String::new(),
            file: String::new(),
            line: here.line(),
            name,
            arms: Rc::default(),
            qualifier: String::new(),
            called: true,
            method: false,
            instance: String::new(),
            inside: within.inside.clone(),
            modules: within.modules.clone(),
            again: Some("in an attribute"),
        }));
    }
}

/// A name as that of the innermost module in braces; of any (`$`), where a macro may name it.
fn in_module(within: &Within, name: &str) -> Option<String> {
    let module = if within.unsure {
        Some("$")
    } else {
        within.modules.last().map(String::as_str)
    };
    module.map(|module| format!("{module}::{name}"))
}

/// Whether the word here ends the path of the attribute around: `main` of `#[tokio::main]`.
fn is_its_name(here: Here<'_>, within: &Within) -> bool {
    let path = |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || is_sign(token, ':');
    let first = Here::new(here.before(), 0);
    let first = if first.token(0).is_some() {
        first
    } else {
        here
    };
    here.before().iter().all(path) && within.attribute.as_ref() == Some(&first.word(0))
}

/// Whether the `*` here is that of `use privet::prelude::*` or `use privet::*`.
fn is_of_privet(here: Here<'_>) -> bool {
    let before = here.before().iter().rev();
    let path: Vec<&TokenTree> = before
        .take_while(|token| !matches!(token, TokenTree::Ident(word) if word == "use"))
        .collect();
    let path: String = path.iter().rev().map(|token| token.to_string()).collect();
    matches!(
        path.trim_start_matches("::"),
        "privet::" | "privet::prelude::"
    )
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
