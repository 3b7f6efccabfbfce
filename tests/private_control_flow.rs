//! A custom lint: no error, early end or panic may depend on private data before the noise.
//!
//! In the files that see private data, each loop and each closure that may run once per row, text or
//! cell is searched for `?`, `return`, `break` with a value, `try_…` and panics; code that runs once
//! per row by itself (expressions, exact queries) is searched from end to end, and for arithmetic
//! that overflows. The test fails on anything that [`EXCEPTIONS`] does not list with an argument why it
//! reveals nothing, and on an exception that is no longer found. A `collect` into a `Result` is seen
//! where it names its type. Files are found by what they mention and named by their stem, so moving a
//! file changes nothing here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file that mentions one of these sees private data.
const PRIVATE: &[&str] = &[
    "Run",
    "Chunk",
    "TableData",
    "TableQuery",
    "Dictionary",
    "PersonQuery",
    "PersonData",
    "Eval",
    "QueryKind",
    "Summand",
    "Hashed",
    "mint",
    "exact_cells",
    "Lane",
    "Cells",
    "Counting",
    "civil",
    "tame",
];

/// Everything in an implementation of these runs once per row, or once per value.
const PER_ROW: &[&str] = &[
    "Eval",
    "TableQuery",
    "Texts",
    "Summand",
    "Stored",
    "Hashed",
    "Kind",
];

/// Functions that call a closure at most once, whatever the data. All others are taken for loops.
const ONCE: &[&str] = &[
    "mint",
    "of_query",
    "new",
    "finish",
    "within",
    "release",
    "map_err",
    "ok_or_else",
    "get_or_init",
    "unwrap_or_else",
    "deeper",
    "is_none_or",
    "is_some_and",
    "map_or",
    "then",
    "fold_once",
];

/// File stem, function, what is found there, and why it reveals nothing about the data.
const EXCEPTIONS: &[(&str, &str, &str, &str)] = &[
    (
        "keep",
        "of",
        "return",
        "when the mask of the selection that asks is found among those of the pass, by type and address",
    ),
    (
        "keep",
        "kept",
        "return",
        "for every chunk of a batch, whatever is in it: which tables are read by batches is public",
    ),
    (
        "quantile",
        "quantiles",
        "exponential()?",
        "one for each quantile, whose number is public; fails only if the operating system gives no random bytes; the scales were checked before",
    ),
    (
        "top",
        "top",
        "exponential()?",
        "one for each of K keys; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "above",
        "places",
        "search()?",
        "one per place found so far, which is released; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "above",
        "places",
        "break",
        "after a search that found nothing, which is the released answer",
    ),
    (
        "above",
        "search",
        "noisy()?",
        "draws go on to the first noisy answer above, which is released; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "above",
        "search",
        "return",
        "at the first noisy answer above the noisy threshold, which is released",
    ),
    (
        "accuracy",
        "epsilon_for",
        "laplace()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "accuracy",
        "epsilon_for",
        "new()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "accuracy",
        "epsilon_for",
        "reach()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "accuracy",
        "rho_for",
        "gaussian()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "accuracy",
        "rho_for",
        "new()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "accuracy",
        "rho_for",
        "reach()?",
        "searches for a price from public numbers; sees no data",
    ),
    (
        "additive",
        "add_draws",
        "one()?",
        "one draw per cell, whose number the plan says; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "bundle",
        "join",
        "collect a result",
        "over the parts of a plan, which are public; each part's error is data-independent",
    ),
    (
        "choose",
        "exponential",
        "bernoulli_exp()?",
        "draws go on to the place chosen, which is released; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "choose",
        "exponential",
        "uniform_below()?",
        "draws go on to the place chosen, which is released; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "choose",
        "exponential",
        "return",
        "at the place chosen, by coins of the exponential mechanism",
    ),
    (
        "coin_flips",
        "many",
        "one()?",
        "one draw per cell, whose number the plan says; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "coin_flips",
        "one",
        "heads()?",
        "tosses go on to the first head; no data is seen; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "compose",
        "iterate",
        "try",
        "over rounds, whose number the type says; a round's error is data-independent",
    ),
    (
        "compose",
        "repeat",
        "make()?",
        "over rounds, whose number the type says; a round's error is data-independent",
    ),
    (
        "count",
        "add",
        "arithmetic",
        "at most 2^10 rows a chunk, below 2^63 rows a table, in 128 bits",
    ),
    (
        "frequent_keys",
        "chunk",
        "arithmetic",
        "one per row, below 2^63 rows a table, in 128 bits",
    ),
    (
        "frequent_keys",
        "frequent_keys",
        "laplace()?",
        "the generator and the scale are there before the first text; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "histogram",
        "add",
        "arithmetic",
        "counts of at most 2^10 rows in 32 bits, of all rows in 128 bits",
    ),
    (
        "linear",
        "at",
        "arithmetic",
        "of reals, which does not overflow",
    ),
    (
        "person",
        "words",
        "arithmetic",
        "shifts by 8 bits, for at most 8 bytes: what leaves the word is dropped",
    ),
    (
        "mean",
        "chunk",
        "arithmetic",
        "chunks of at most 2^10 values within 2^51, summed in 128 bits",
    ),
    (
        "noisy_max",
        "noisy_max",
        "laplace()?",
        "one draw per key, whose number the type says; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "per_block",
        "fold",
        "try",
        "over blocks, whose number the type says; a block's error is data-independent",
    ),
    (
        "per_block",
        "run_each",
        "collect a result",
        "over blocks, whose number the type says; a block's error is data-independent",
    ),
    (
        "respond",
        "respond",
        "bernoulli_exp()?",
        "a coin is tossed whatever the value; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "respond",
        "respond",
        "uniform_below()?",
        "a coin is tossed whatever the value; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "respond",
        "respond",
        "return",
        "at the place reported, which is released; how many are tried tells nothing of the value",
    ),
    (
        "record",
        "same",
        "return",
        "compares names of fields, at compile time",
    ),
    (
        "run",
        "execute_many",
        "try",
        "over runs on data declared public",
    ),
    (
        "sketch",
        "sketch",
        "bernoulli_logistic()?",
        "one coin per bucket, whose number the type says; fails only if the operating system gives no random bytes; the scale was checked before",
    ),
    (
        "sum",
        "add",
        "arithmetic",
        "at most 2^10 values within 2^51 a chunk, summed in 128 bits",
    ),
    ("sum", "total", "arithmetic", "of reals, after the noise"),
    (
        "value",
        "parse",
        "next()?",
        "loading: a cell that is no point is the data owner's error, before there is a vault",
    ),
    (
        "value",
        "parse",
        "ok()?",
        "loading: a cell that is no point is the data owner's error, before there is a vault",
    ),
    (
        "vector",
        "add",
        "arithmetic",
        "at most 2^10 values within 2^26 a chunk, summed in 128 bits",
    ),
    (
        "vector_by",
        "add",
        "arithmetic",
        "places below 2^20; values within 2^26, summed in 128 bits",
    ),
    (
        "vector_by",
        "cells",
        "arithmetic",
        "of constants: at most 2^20 cells",
    ),
    (
        "calendar",
        "digits",
        "return",
        "loading: a cell that is no date is the data owner's error, before there is a vault",
    ),
    (
        "cells",
        "read",
        "checked_mul()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "read",
        "ok()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "read",
        "split_first_chunk()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "read",
        "take()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "read",
        "then()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "read",
        "word()?",
        "over what an engine sent: whether it is the spelling of cells, which a worker's always are, whatever the rows",
    ),
    (
        "cells",
        "add_texts",
        "checked_add()?",
        "a count is at most 1 for each of fewer than 2^64 rows, so no sum of a worker's counts leaves 128 bits",
    ),
    (
        "cells",
        "merge",
        "ok_or_else()?",
        "a cell is at most 2^51 for each of fewer than 2^64 rows, so no sum of a worker's cells leaves 128 bits",
    ),
    (
        "batch",
        "ordinals",
        "position()?",
        "when the vault opens, a text that is no key is the owner's error; later passes see values that were checked, or say that the data changed",
    ),
    (
        "dictionary",
        "of",
        "return",
        "when the list that asks is found among those that were asked about, by its number",
    ),
    (
        "look_up",
        "at",
        "arithmetic",
        "of the length of a public list, which has its absent entry at least",
    ),
    (
        "look_up",
        "new",
        "return",
        "over the entries of a public table, before there is any data",
    ),
    (
        "moments",
        "add",
        "arithmetic",
        "counts columns and adds 0 or 1; values wrap on purpose and stay within 2^51 times 2^10 rows",
    ),
    (
        "moments",
        "new",
        "panic",
        "of constants: the layout of a type",
    ),
    (
        "stream",
        "each_partition",
        "run()?",
        "over the parts of an engine's data, which are public; an error says that the data changed, never which value",
    ),
    (
        "stream",
        "each_partition",
        "try",
        "over the parts of an engine's data, which are public; an error says that the data changed, never which value",
    ),
    (
        "stream",
        "appended",
        "read()?",
        "loading: what does not fit is the data owner's error, before there is a vault",
    ),
    (
        "stream",
        "appended",
        "return",
        "loading: a wrong number of rows is the data owner's error, before there is a vault",
    ),
    (
        "stream",
        "in_memory",
        "()?",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "stream",
        "in_memory",
        "try",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "stream",
        "in_memory",
        "filter()?",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "stream",
        "in_memory",
        "checked_next_multiple_of()?",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "stream",
        "in_memory",
        "with_room()?",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "column",
        "with_room",
        "try",
        "loading, over the parts of an engine's data: without memory for all rows they are loaded one by one, before there is a vault",
    ),
    (
        "dictionary",
        "search",
        "break",
        "a hash table, as the standard library's: a release looks up public texts, and goes on whether or not they are there",
    ),
    (
        "dictionary",
        "search",
        "return",
        "a hash table, as the standard library's: a release looks up public texts, and goes on whether or not they are there",
    ),
    (
        "stream",
        "rank",
        "map_err()?",
        "over the parts of an engine's data, which are public; an error says that the data changed, never which value",
    ),
    (
        "stream",
        "rank",
        "return",
        "when the vault opens and its data changed since the first pass over it; an error is the owner's",
    ),
    (
        "table",
        "add",
        "append()?",
        "when the vault opens, a value that does not fit is the owner's error; later passes see values that were checked, or say that the data changed",
    ),
    (
        "table",
        "add",
        "return",
        "a batch without a column that the plan names, whatever its values",
    ),
    (
        "sweep",
        "add",
        "map_err()?",
        "values were checked when the vault opened; an error says that the data changed, or is sealed to the driver",
    ),
    (
        "task",
        "add",
        "map_err()?",
        "values were checked when the vault opened; an error is sealed to the driver, which says that the data changed",
    ),
    (
        "task",
        "add",
        "ok_or_else()?",
        "a batch without a column that the task names, whatever its values",
    ),
    (
        "stream",
        "task",
        "collect a result",
        "over the queries, which are public",
    ),
    (
        "task",
        "column",
        "text()?",
        "reads a task, which is public, before any row",
    ),
    (
        "task",
        "decode",
        "column()?",
        "reads a task, which is public, before any row",
    ),
];

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    stem: String,
    function: String,
    what: String,
}

struct Lint {
    stem: String,
    function: String,
    /// How many loops over what may be private are around.
    inside: usize,
    /// Whether this runs once per row, so that overflow counts.
    per_row: bool,
    found: BTreeMap<Found, usize>,
}

impl Lint {
    fn see(&mut self, what: &str, at: proc_macro2::Span) {
        if self.inside > 0 {
            let found = Found {
                stem: self.stem.clone(),
                function: self.function.clone(),
                what: what.into(),
            };
            self.found.entry(found).or_insert(at.start().line);
        }
    }

    fn within(&mut self, more: usize, go: impl FnOnce(&mut Self)) {
        self.inside += more;
        go(self);
        self.inside -= more;
    }

    fn function(&mut self, name: &syn::Ident, go: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.function, name.to_string());
        go(self);
        self.function = outer;
    }
}

/// The name of a function that is called by it.
fn called(call: &syn::ExprCall) -> Option<String> {
    match &*call.func {
        syn::Expr::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Path>()
                    .is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'a> Visit<'a> for Lint {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if is_test(&item.attrs) {
            return;
        }
        let of = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        let per_row = of.is_some_and(|name| PER_ROW.iter().any(|each| name.ident == each));
        self.per_row = per_row;
        self.within(usize::from(per_row), |lint| {
            visit::visit_item_impl(lint, item)
        });
        self.per_row = false;
    }
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig.ident, |lint| visit::visit_item_fn(lint, item));
        }
    }
    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        // Descriptions are made of types and of public numbers.
        if item.sig.ident == "term" || is_test(&item.attrs) {
            return;
        }
        // What is given a chunk of rows runs on each of them, in an implementation or not.
        let mut given = Idents(BTreeSet::new());
        item.sig
            .inputs
            .iter()
            .for_each(|input| given.visit_fn_arg(input));
        let outer = self.per_row;
        let chunk = given.0.contains("Chunk") && item.sig.ident != "bind";
        self.per_row |= chunk;
        self.within(usize::from(chunk), |lint| {
            lint.function(&item.sig.ident, |lint| {
                visit::visit_impl_item_fn(lint, item);
            });
        });
        self.per_row = outer;
    }
    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        self.function(&item.sig.ident, |lint| {
            visit::visit_trait_item_fn(lint, item)
        });
    }
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}

    fn visit_expr_for_loop(&mut self, item: &'a syn::ExprForLoop) {
        self.visit_expr(&item.expr);
        self.within(1, |lint| lint.visit_block(&item.body));
    }
    fn visit_expr_while(&mut self, item: &'a syn::ExprWhile) {
        self.within(1, |lint| visit::visit_expr_while(lint, item));
    }
    fn visit_expr_loop(&mut self, item: &'a syn::ExprLoop) {
        self.within(1, |lint| visit::visit_expr_loop(lint, item));
    }
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        let name = called(call);
        self.visit_expr(&call.func);
        self.arguments(name.as_deref().unwrap_or(""), call.args.iter());
    }
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.to_string();
        if matches!(&*name, "unwrap" | "expect") {
            self.see("unwrap", call.method.span());
        }
        // These end early by themselves; so does collecting into a `Result`.
        let short = name.starts_with("try_") && name != "try_into" && name != "try_from";
        if short {
            self.within(1, |lint| lint.see("try", call.method.span()));
        }
        if name == "collect" {
            let text = call
                .turbofish
                .as_ref()
                .map(|turbofish| format!("{turbofish:?}"));
            if text.is_some_and(|text| text.contains("Result") || text.contains("Option")) {
                self.within(1, |lint| lint.see("collect a result", call.method.span()));
            }
        }
        self.visit_expr(&call.receiver);
        self.arguments(&name, call.args.iter());
    }
    fn visit_expr_try(&mut self, item: &'a syn::ExprTry) {
        // By the name of what may fail, so that an exception is for that and nothing else.
        let name = match &*item.expr {
            syn::Expr::MethodCall(call) => call.method.to_string(),
            syn::Expr::Call(call) => called(call).unwrap_or_default(),
            _ => String::new(),
        };
        self.see(&format!("{name}()?"), item.question_token.span());
        visit::visit_expr_try(self, item);
    }
    fn visit_expr_return(&mut self, item: &'a syn::ExprReturn) {
        self.see("return", item.return_token.span());
        visit::visit_expr_return(self, item);
    }
    fn visit_expr_break(&mut self, item: &'a syn::ExprBreak) {
        if item.expr.is_some() || item.label.is_some() {
            self.see("break with a value", item.break_token.span());
        } else {
            self.see("break", item.break_token.span());
        }
        visit::visit_expr_break(self, item);
    }
    fn visit_expr_binary(&mut self, item: &'a syn::ExprBinary) {
        use syn::BinOp::*;
        let overflows = matches!(
            item.op,
            Add(_)
                | Sub(_)
                | Mul(_)
                | Div(_)
                | Rem(_)
                | Shl(_)
                | Shr(_)
                | AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | RemAssign(_)
                | ShlAssign(_)
                | ShrAssign(_)
        );
        if self.per_row && overflows {
            self.see("arithmetic", item.op.span());
        }
        visit::visit_expr_binary(self, item);
    }
    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        // The body of a macro is not code yet; what ends early is found by its name.
        let name = item
            .ident
            .as_ref()
            .map_or(String::new(), ToString::to_string);
        let outer = std::mem::replace(&mut self.function, name);
        let mut words = BTreeSet::new();
        tokens(item.mac.tokens.clone(), &mut words);
        for word in ["unwrap", "expect", "panic", "unreachable", "todo", "return"] {
            if words.contains(word) {
                self.within(1, |lint| lint.see(word, item.mac.path.span()));
            }
        }
        self.function = outer;
    }
    fn visit_macro(&mut self, item: &'a syn::Macro) {
        let name = item
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        let panics = ["panic", "unreachable", "todo", "unimplemented"].contains(&&*name)
            || name.contains("assert");
        if panics {
            self.see("panic", item.path.span());
        }
        // What a macro is given is also code, where it parses as such.
        if let Ok(arguments) = item.parse_body_with(
            syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
        ) {
            let arguments = Vec::leak(arguments.into_iter().collect());
            for argument in arguments {
                self.visit_expr(argument);
            }
        }
    }
}

impl Lint {
    fn arguments<'a>(&mut self, of: &str, arguments: impl Iterator<Item = &'a syn::Expr>) {
        for argument in arguments {
            let looped = matches!(argument, syn::Expr::Closure(_)) && !ONCE.contains(&of);
            self.within(usize::from(looped), |lint| lint.visit_expr(argument));
        }
    }
}

fn tokens(stream: proc_macro2::TokenStream, words: &mut BTreeSet<String>) {
    for token in stream {
        match token {
            proc_macro2::TokenTree::Group(group) => tokens(group.stream(), words),
            proc_macro2::TokenTree::Ident(word) => _ = words.insert(word.to_string()),
            _ => {}
        }
    }
}

struct Idents(BTreeSet<String>);
impl<'a> Visit<'a> for Idents {
    fn visit_ident(&mut self, ident: &'a proc_macro2::Ident) {
        self.0.insert(ident.to_string());
    }
}

/// What is found in a source text, with the first line of each; none if it sees nothing private.
fn lint(stem: &str, text: &str) -> Option<BTreeMap<Found, usize>> {
    let file = syn::parse_file(text).expect("source is Rust");
    let mut idents = Idents(BTreeSet::new());
    idents.visit_file(&file);
    PRIVATE.iter().find(|name| idents.0.contains(**name))?;
    let mut lint = Lint {
        stem: stem.into(),
        function: String::new(),
        inside: 0,
        per_row: false,
        found: BTreeMap::new(),
    };
    lint.visit_file(&file);
    Some(lint.found)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn no_control_flow_depends_on_private_data() {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        // Loading is the data owner's act, before there is a vault; its errors are the owner's.
        if file.iter().any(|part| part == "load" || part == "load.rs") {
            continue;
        }
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&file).expect("source is readable");
        if let Some(more) = lint(&stem, &text) {
            seen.insert(stem);
            found.extend(more);
        }
    }
    for stem in [
        "frequent_keys",
        "additive",
        "above",
        "table",
        "arith",
        "per_block",
        "run",
    ] {
        assert!(seen.contains(stem), "the lint is blind: {seen:?}");
    }
    let excepted: BTreeMap<Found, &str> = EXCEPTIONS
        .iter()
        .map(|(stem, function, what, why)| {
            let [stem, function, what] = [stem, function, what].map(|text| (*text).to_owned());
            (
                Found {
                    stem,
                    function,
                    what,
                },
                *why,
            )
        })
        .collect();
    assert_eq!(
        excepted.len(),
        EXCEPTIONS.len(),
        "an exception is listed twice"
    );
    assert!(
        excepted.values().all(|why| why.len() > 20),
        "an exception has no argument"
    );
    let missing: Vec<_> = found
        .iter()
        .filter(|(found, _)| !excepted.contains_key(found))
        .collect();
    assert!(
        missing.is_empty(),
        "may depend on private data; decide it before the loop, or argue in `EXCEPTIONS`:\n{}",
        missing
            .iter()
            .map(|(f, line)| format!("{}.rs:{line}: `{}` in `{}`", f.stem, f.what, f.function))
            .collect::<Vec<_>>()
            .join("\n")
    );
    let stale: Vec<_> = excepted
        .keys()
        .filter(|listed| !found.contains_key(listed))
        .collect();
    assert!(stale.is_empty(), "exceptions that are no more: {stale:#?}");
}

#[test]
fn the_lint_sees_what_it_should() {
    let of = |body: &str| -> Vec<String> {
        let text = format!("fn f(run: &mut Run) -> Result<i64> {{ {body} }}");
        let found = lint("some", &text).expect("a file that sees private data");
        found.into_keys().map(|found| found.what).collect()
    };
    // The hole of this class that was there: asking for the generator text by text.
    assert_eq!(
        of("for t in texts { n += laplace(run.entropy()?, scale); }"),
        ["entropy()?"]
    );
    assert_eq!(
        of("let e = run.entropy()?; for t in texts { n += 1; } Ok(n)"),
        [""; 0]
    );
    assert_eq!(
        of("cells.iter().map(|c| { if *c > 0 { return None } Some(c) }).sum()"),
        ["return"]
    );
    assert_eq!(
        of("chunk.each(|row| { key.at(row).unwrap(); })"),
        ["unwrap"]
    );
    assert_eq!(of("chunk.each(|row| assert!(row > 0))"), ["panic"]);
    assert_eq!(of("loop { break 3 }"), ["break with a value"]);
    assert_eq!(
        of("while let Some(x) = it.next() { if x { break } }"),
        ["break"]
    );
    assert_eq!(of("cells.iter().try_fold(0, |a, b| add(a, b))"), ["try"]);
    assert_eq!(
        of("cells.iter().map(f).collect::<Result<Vec<_>>>()"),
        ["collect a result"]
    );
    assert_eq!(
        of("Mechanism::of_query(a, b, |run, cells| { run.entropy()?; Ok(1) })"),
        [""; 0]
    );
    assert_eq!(of("const { assert!(N > 0) }"), [""; 0]);
    let eval = "impl Eval for X { fn at(&self, row: usize) -> i64 { self.0.at(row) + 1 } }";
    let found = lint("some", eval).expect("private");
    assert_eq!(
        found.into_keys().map(|f| f.what).collect::<Vec<_>>(),
        ["arithmetic"]
    );
    let add = "impl X { fn add(&self, chunk: &Chunk<'_, R>) { self.total += 1; } }";
    let found = lint("some", add).expect("private");
    assert_eq!(
        found.into_keys().map(|f| f.what).collect::<Vec<_>>(),
        ["arithmetic"]
    );
    let hidden = "use Run; macro_rules! m { () => { (|| x.unwrap())() } }";
    let found = lint("some", hidden).expect("private");
    assert_eq!(
        found.into_keys().map(|f| f.what).collect::<Vec<_>>(),
        ["unwrap"]
    );
    assert_eq!(lint("some", "fn f() { for x in y { z()?; } }"), None);
    let tests = "use Run; #[cfg(test)] mod tests { fn f() { for x in y { z()?; } } }";
    assert_eq!(lint("some", tests), Some(BTreeMap::new()));
}
