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
pub const KEEP: [&str; 10] = [
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
pub const LOOK: [&str; 3] = ["is_ok", "is_some", "remaining"];
/// Functions that wrap what they are given, without a path: `bank::Some` is anything.
pub const WRAP: [&str; 2] = ["Ok", "Some"];

/// Functions that answer with a vault and a report.
const REPORT: [&str; 2] = ["load_on_with_report", "load_with_report"];

/// What the body of an opener does with its vault, beside returning it: lines and words. `vaults` are
/// the names of `Vault`, and `redefined` those of other functions and macros that the sources give to
/// something else.
pub fn misused(
    body: &Block,
    vaults: &BTreeSet<String>,
    redefined: &BTreeSet<String>,
) -> Vec<(usize, String)> {
    let mut uses = Uses {
        vaults,
        redefined,
        names: BTreeSet::new(),
        found: Vec::new(),
    };
    uses.block(body);
    uses.found
}

struct Uses<'a> {
    vaults: &'a BTreeSet<String>,
    redefined: &'a BTreeSet<String>,
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
                        match unwrapped(&local.pat) {
                            // The report holds no vault.
                            Pat::Tuple(pair)
                                if pair.elems.len() == 2 && self.reports(&init.expr) =>
                            {
                                self.bind(&pair.elems[0], vault);
                            }
                            pattern => self.bind(pattern, vault),
                        }
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
                    // `Self` may be another type, with an `open` of its own.
                    if given {
                        self.tell(expr, format!("hands it to `{name}`"));
                    }
                    return true;
                }
                let wraps = matches!(&*call.func, Expr::Path(path)
                    if path.qself.is_none() && path.path.get_ident().is_some())
                    && self.is(&name, &WRAP);
                if given && !wraps || function {
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
                if vault && !self.is(&name, &KEEP) && !self.is(&name, &LOOK) {
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
        let first = call.path.segments.first().map(|s| plain(&s.ident));
        let std = call.path.get_ident().is_some()
            || first.is_some_and(|first| ["alloc", "core", "std"].contains(&first.as_str()));
        let known = std && self.is(&name, &ONCE);
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

    /// Whether a name is on a list, and means what it means there.
    fn is(&self, name: &str, list: &[&str]) -> bool {
        list.contains(&name) && !self.redefined.contains(name)
    }

    /// Whether an expression is `Vault::load_with_report(…)?`, a pair of a vault and its report.
    fn reports(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Try(e) => self.reports(&e.expr),
            Expr::MethodCall(e) => self.is(&plain(&e.method), &KEEP) && self.reports(&e.receiver),
            Expr::Call(e) => {
                REPORT.contains(&last_word(&e.func).as_str()) && self.is_of_vault(&e.func)
            }
            _ => false,
        }
    }

    /// Follows all names in a pattern.
    fn bind(&mut self, pattern: &Pat, vault: bool) {
        if vault {
            let mut names = Vec::new();
            named(pattern, &mut names);
            self.names.extend(names);
        }
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

/// A pattern without its type.
fn unwrapped(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Type(typed) => unwrapped(&typed.pat),
        Pat::Paren(inner) => unwrapped(&inner.pat),
        other => other,
    }
}

/// The variables of a pattern.
fn named(pattern: &Pat, into: &mut Vec<String>) {
    match pattern {
        Pat::Ident(name) => {
            if name.ident != "None" {
                into.push(plain(&name.ident));
            }
            if let Some((_, inner)) = &name.subpat {
                named(inner, into);
            }
        }
        // An error holds none.
        Pat::TupleStruct(pattern) if pattern.path.is_ident("Err") => {}
        Pat::TupleStruct(pattern) => pattern.elems.iter().for_each(|p| named(p, into)),
        Pat::Tuple(pattern) => pattern.elems.iter().for_each(|p| named(p, into)),
        Pat::Slice(pattern) => pattern.elems.iter().for_each(|p| named(p, into)),
        Pat::Or(pattern) => pattern.cases.iter().for_each(|p| named(p, into)),
        Pat::Struct(pattern) => pattern.fields.iter().for_each(|f| named(&f.pat, into)),
        Pat::Reference(pattern) => named(&pattern.pat, into),
        Pat::Paren(pattern) => named(&pattern.pat, into),
        Pat::Type(pattern) => named(&pattern.pat, into),
        Pat::Guard(pattern) => named(&pattern.pat, into),
        Pat::Wild(_) | Pat::Rest(_) | Pat::Path(_) | Pat::Lit(_) | Pat::Range(_) => {}
        // A macro, or what is newer than this tool.
        other => words(other.to_token_stream(), into),
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
        told_beside(body, &[])
    }

    /// The same where the sources declare functions or macros of these names.
    fn told_beside(body: &str, redefined: &[&str]) -> Vec<String> {
        let redefined = redefined.iter().map(ToString::to_string).collect();
        let block = syn::parse_str(&format!("{{ {body} }}")).expect("a body");
        let vaults = BTreeSet::from(["Vault".to_string()]);
        misused(&block, &vaults, &redefined)
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
            "let (v, report): (V, R) = Vault::load_with_report(csv).map_err(own)?; log(report); Ok(v)",
            "let v = match Vault::load(csv).ok() { Some(v) => v, None => panic(None) }; Some(v)",
            "let v = Vault::open([]); std::println!(\"{}\", v.remaining()); v",
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
            (
                "let ((), all) = ((), Vault::open([])); spend(all)",
                "hands it to `spend`",
            ),
            (
                "let (_, all) = halves(Vault::load_with_report(c)); all",
                "hands it to `halves`",
            ),
            (
                "let All = Vault::open([]); spend(All)",
                "hands it to `spend`",
            ),
            (
                "let (Held { v: X, .. } | X) = Vault::open([]); spend(X)",
                "hands it to `spend`",
            ),
            (
                "let x @ [全, ..] = Vault::open([]); spend(全)",
                "hands it to `spend`",
            ),
            ("bank::Some(Vault::open([]))", "hands it to `Some`"),
            ("<Bank>::Ok(Vault::open([]))", "hands it to `Ok`"),
            (
                "let all = Vault::open([]); Self::open(all)",
                "hands it to `open`",
            ),
            ("Vault::open(Vault::open([]))", "hands it to `open`"),
            (
                "let v = Vault::open([]); own::println!(v); other()",
                "hands it to the macro `println`",
            ),
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

    #[test]
    fn what_the_sources_call_by_a_known_name_is_told() {
        for (text, name, what) in [
            (
                "Vault::open([]).context(spend)",
                "context",
                "calls `context` of it",
            ),
            (
                "let v = Vault::open([]); v.is_ok(); v",
                "is_ok",
                "calls `is_ok` of it",
            ),
            ("Some(Vault::open([]))", "Some", "hands it to `Some`"),
            (
                "let v = Vault::open([]); println!(\"{v}\", v); w",
                "println",
                "hands it to the macro `println`",
            ),
        ] {
            assert_eq!(told_beside(text, &[name]), [what], "{text}");
            assert_eq!(told(text), [""; 0], "{text}");
        }
    }
}
