//! Whether an opener returns its vault as it is opened.
//!
//! The budget on the list is what the opener's type returns. One that spends of its vault first, or
//! hands it to a function that does, opens more than the list says.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, Stmt, Token};

use super::tokens::plain;
use super::vaults::OPENERS;
use super::walk::ONCE;

/// Methods that answer with the same budget, or what holds the vault.
const KEEP: [&str; 10] = [
    "concentrated",
    "context",
    "expect",
    "in_constant_time",
    "map_err",
    "ok",
    "ok_or",
    "ok_or_else",
    "unwrap",
    "with_receipts",
];
/// Methods that look at it.
const LOOK: [&str; 3] = ["is_ok", "is_some", "remaining"];
/// Functions that wrap what they are given.
const WRAP: [&str; 2] = ["Ok", "Some"];

/// What the body of an opener does with its vault, beside returning it: lines and words. `vaults` are
/// the names of `Vault`.
pub fn misused(body: &Block, vaults: &BTreeSet<String>) -> Vec<(usize, String)> {
    let mut uses = Uses {
        vaults,
        names: BTreeSet::new(),
        found: Vec::new(),
    };
    uses.block(body);
    uses.found
}

struct Uses<'a> {
    vaults: &'a BTreeSet<String>,
    /// Variables that are or hold the vault.
    names: BTreeSet<String>,
    found: Vec<(usize, String)>,
}

impl Uses<'_> {
    fn block(&mut self, block: &Block) -> bool {
        let mut last = false;
        for statement in &block.stmts {
            last = match statement {
                Stmt::Local(local) => {
                    if let Some(init) = &local.init {
                        let vault = self.value(&init.expr);
                        self.bind(&local.pat, vault);
                        if let Some((_, other)) = &init.diverge {
                            self.value(other);
                        }
                    }
                    false
                }
                Stmt::Expr(expr, end) => self.value(expr) && end.is_none(),
                Stmt::Macro(call) => self.call(&call.mac) && call.semi_token.is_none(),
                // A function inside has variables of its own.
                Stmt::Item(_) => false,
            };
        }
        last
    }

    /// Whether an expression is or holds the vault.
    fn value(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.names.contains(&plain(name))),
            Expr::Call(call) => {
                let name = last_word(&call.func);
                let function = self.value(&call.func);
                let given = self.any(&call.args);
                if OPENERS.contains(&name.as_str()) && self.is_of_vault(&call.func) {
                    return true;
                }
                if given && !WRAP.contains(&name.as_str()) || function {
                    self.tell(expr, format!("hands it to `{name}`"));
                    return false;
                }
                given
            }
            Expr::MethodCall(call) => {
                let name = plain(&call.method);
                let vault = self.value(&call.receiver);
                if self.any(&call.args) {
                    self.tell(expr, format!("hands it to `{name}`"));
                }
                if vault && !KEEP.contains(&name.as_str()) && !LOOK.contains(&name.as_str()) {
                    self.tell(expr, format!("calls `{name}` of it"));
                }
                vault && KEEP.contains(&name.as_str())
            }
            Expr::Macro(call) => self.call(&call.mac),
            Expr::Try(e) => self.value(&e.expr),
            Expr::Await(e) => self.value(&e.base),
            Expr::Paren(e) => self.value(&e.expr),
            Expr::Group(e) => self.value(&e.expr),
            // Of the vault and its report, one of them.
            Expr::Field(e) => self.value(&e.base),
            Expr::Closure(e) => self.value(&e.body),
            Expr::Tuple(e) => self.any(&e.elems),
            Expr::Block(e) => self.block(&e.block),
            Expr::Unsafe(e) => self.block(&e.block),
            Expr::Async(e) => self.block(&e.block),
            Expr::Return(e) => {
                if let Some(e) = &e.expr {
                    self.value(e);
                }
                false
            }
            Expr::Break(e) => e.expr.as_ref().is_some_and(|e| self.value(e)),
            Expr::Loop(e) => self.block(&e.body),
            Expr::While(e) => {
                self.value(&e.cond);
                self.block(&e.body)
            }
            Expr::ForLoop(e) => {
                let vault = self.value(&e.expr);
                self.bind(&e.pat, vault);
                self.block(&e.body)
            }
            Expr::If(e) => {
                self.value(&e.cond);
                let then = self.block(&e.then_branch);
                let other = e.else_branch.as_ref();
                other.is_some_and(|(_, other)| self.value(other)) | then
            }
            Expr::Match(e) => {
                let vault = self.value(&e.expr);
                let mut any = false;
                for arm in &e.arms {
                    match &arm.pat {
                        Pat::Guard(pattern) => {
                            self.bind(&pattern.pat, vault);
                            self.value(&pattern.guard);
                        }
                        pattern => self.bind(pattern, vault),
                    }
                    any |= self.value(&arm.body);
                }
                any
            }
            Expr::Let(e) => {
                let vault = self.value(&e.expr);
                self.bind(&e.pat, vault);
                false
            }
            Expr::Reference(e) => {
                if self.value(&e.expr) && e.mutability.is_some() {
                    self.tell(expr, "hands it on by `&mut`".into());
                }
                false
            }
            Expr::Assign(e) => {
                let vault = self.value(&e.right);
                match &*e.left {
                    Expr::Path(path) if path.path.get_ident().is_some() => {
                        self.names
                            .extend(path.path.get_ident().filter(|_| vault).map(plain));
                    }
                    _ if vault => self.tell(expr, "puts it elsewhere".into()),
                    _ => {}
                }
                false
            }
            Expr::Binary(e) => {
                self.value(&e.left);
                self.value(&e.right);
                false
            }
            Expr::Unary(e) => {
                self.value(&e.expr);
                false
            }
            Expr::Cast(e) => {
                self.value(&e.expr);
                false
            }
            Expr::Lit(_) | Expr::Continue(_) | Expr::Infer(_) => false,
            // A structure, a list, or what is newer than this tool.
            other => {
                if self.is_named_in(other.to_token_stream()) {
                    self.tell(expr, "puts it into something else".into());
                }
                false
            }
        }
    }

    fn any(&mut self, list: &Punctuated<Expr, Token![,]>) -> bool {
        // Each is looked at.
        list.iter().filter(|e| self.value(e)).count() > 0
    }

    fn call(&mut self, call: &syn::Macro) -> bool {
        let name = call
            .path
            .segments
            .last()
            .map_or(String::new(), |s| plain(&s.ident));
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let known = ONCE.contains(&name.as_str());
        match call.parse_body_with(list) {
            Ok(list) if known => {
                self.any(&list);
                false
            }
            _ if self.is_named_in(call.tokens.clone()) => {
                self.tell(call, format!("hands it to the macro `{name}`"));
                false
            }
            _ => false,
        }
    }

    /// Names in a pattern; of a pair, the vault is the first.
    fn bind(&mut self, pattern: &Pat, vault: bool) {
        let pattern = match pattern {
            Pat::Tuple(pair) => pair.elems.first(),
            // An error holds none.
            Pat::TupleStruct(pattern) if pattern.path.is_ident("Err") => None,
            other => Some(other),
        };
        let Some(pattern) = pattern.filter(|_| vault) else {
            return;
        };
        let mut names = Vec::new();
        words(pattern.to_token_stream(), &mut names);
        let variable = |name: &String| name.starts_with(|c: char| c == '_' || c.is_lowercase());
        self.names.extend(names.into_iter().filter(variable));
    }

    /// Whether a path may begin with a vault: `Vault::open`, `<Self>::open`, `<ty!()>::open`.
    fn is_of_vault(&self, path: &Expr) -> bool {
        let mut all = Vec::new();
        words(path.to_token_stream(), &mut all);
        let known = |word: &String| word == "Self" || self.vaults.contains(word);
        all.iter().any(known) || path.to_token_stream().to_string().contains('!')
    }

    /// Whether some tokens name the vault, or may open one.
    fn is_named_in(&self, tokens: TokenStream) -> bool {
        let mut all = Vec::new();
        words(tokens, &mut all);
        all.iter()
            .any(|word| self.names.contains(word) || self.vaults.contains(word))
    }

    fn tell(&mut self, place: &impl Spanned, what: String) {
        self.found.push((place.span().start().line, what));
    }
}

fn words(tokens: TokenStream, into: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words(group.stream(), into),
            TokenTree::Ident(ident) => into.push(plain(&ident)),
            _ => {}
        }
    }
}

/// The last word of a path: `spend` of `hospital::spend`.
fn last_word(function: &Expr) -> String {
    match function {
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .map_or(String::new(), |s| plain(&s.ident)),
        _ => "a function".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &str) -> Vec<String> {
        let block = syn::parse_str(&format!("{{ {body} }}")).expect("a body");
        let vaults = BTreeSet::from(["Vault".to_string()]);
        misused(&block, &vaults)
            .into_iter()
            .map(|found| found.1)
            .collect()
    }

    #[test]
    fn a_vault_that_is_returned_as_it_is_opened_is_fine() {
        for fine in [
            "Vault::open(rows())",
            "Ok(Vault::load(csv)?)",
            "Vault::<T, B>::open(load(&rows).map(|r| r.into())).in_constant_time()",
            "let v = Vault::open([]); println!(\"{}\", v.remaining()); v",
            "let (v, report) = Vault::load_with_report(csv)?; note(&report); log(report); Ok((1, v))",
            "let v = match Vault::load(csv) { Ok(v) => v, Err(e) => return Err(e.into()) }; Ok(v)",
            "if quick { Vault::open(few()) } else { Vault::open(all()) }",
            "Vault::open_on(account, rows).map_err(|e| Failed::new(e)).expect(\"an account\")",
            "let rows: Vec<Row> = read(); assert!(!rows.is_empty()); Vault::open(rows)",
        ] {
            assert_eq!(told(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn what_else_is_done_with_it_is_told() {
        for (text, what) in [
            ("spend(Vault::open([]))", "hands it to `spend`"),
            ("let v = Vault::open([]); spend(v)", "hands it to `spend`"),
            (
                "let v = Vault::open([]); let w = v; bank::spend(w)",
                "hands it to `spend`",
            ),
            (
                "let v; v = Vault::open([]); spend(v)",
                "hands it to `spend`",
            ),
            ("Vault::open([]).release(m())?.1", "calls `release` of it"),
            ("Vault::open([]).split().0", "calls `split` of it"),
            ("Some(Vault::open([])).map(spend)", "calls `map` of it"),
            ("true.then(|| Vault::open([]))", "hands it to `then`"),
            (
                "let v = Vault::open([]); again!(v)",
                "hands it to the macro `again`",
            ),
            ("again!(Vault::open([]))", "hands it to the macro `again`"),
            (
                "let mut v = Vault::open([]); take(&mut v); v",
                "hands it on by `&mut`",
            ),
            ("*slot = Vault::open([]); other()", "puts it elsewhere"),
            (
                "Held { v: Vault::open([]) }.rest()",
                "puts it into something else",
            ),
            (
                "[Vault::open([])].map(spend)",
                "puts it into something else",
            ),
            (
                "match Vault::open([]) { v => spend(v) }",
                "hands it to `spend`",
            ),
            (
                "if let Ok(v) = Vault::load(c) { spend(v) } else { none() }",
                "hands it to `spend`",
            ),
            (
                "let v = Vault::open([]); (|| spend(v))()",
                "hands it to `spend`",
            ),
            (
                "let v = Vault::open([]); println!(\"{}\", spend(v)); rest()",
                "hands it to `spend`",
            ),
        ] {
            assert_eq!(told(text), [what], "{text}");
        }
    }
}
