//! Visits every token of a file and knows what it is part of.
//!
//! Works on tokens, so that the bodies of macros are read like everything else.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::opening::{KEEP, LOOK, WRAP};
use super::tokens::{Here, Source, is_body, is_sign, plain, words};

/// What the tokens at hand are part of.
#[derive(Clone, Default)]
pub struct Within {
    /// Code that is compiled for tests only.
    pub test: bool,
    /// A function with the attribute.
    pub audited: bool,
    /// The words in the arguments of the macro around, which may put them together.
    pub invoked: Option<Rc<Vec<String>>>,
    /// The first word of the attribute around.
    pub attribute: Option<String>,
    /// A `use`.
    pub import: bool,
    /// The words in the heads of the `impl`s around: what `Self` is.
    pub heads: Rc<Vec<String>>,
    /// The modules in braces around.
    pub modules: Vec<String>,
    /// The body of a function that is not `const`: what stands there changes no type.
    pub runs: bool,
    /// The function around, innermost.
    pub inside: Option<Rc<Function>>,
    /// What may run the tokens here more than once, or later, within that function.
    pub again: Option<&'static str>,
    /// Names of std's macros, of `test` and of functions that mean something else in these sources.
    pub redefined: Rc<BTreeSet<String>>,
    /// Names of local variables: what they name here is no function.
    pub bound: Rc<BTreeSet<String>>,
    /// The arguments of a macro that is not among those known: it may make anything of them.
    pub loose: bool,
    /// The arms of `match`es around: where each `match` has its braces, and which arm it is.
    pub arms: Rc<Vec<Arm>>,
    /// The braces whose tokens are at hand.
    braces: Option<Braces>,
    /// The tokens at hand are those of parentheses or brackets: no item is among them.
    listed: bool,
    /// What is around may be left out of the build: by an attribute, or as a part of a macro.
    pub unsure: bool,
    /// Those that the next body in braces has, too.
    bound_inside: Vec<String>,
    /// The `impl` around is of a trait, or it is a `trait`.
    pub of_trait: bool,
    /// The type of the `impl` around.
    pub owner: Option<String>,
    /// What the attributes of the item at hand are called.
    attributes: Vec<String>,
    /// The attribute is `#[audited(opens)]`.
    opens: bool,
    public: bool,
    /// What the next body in braces is, if it runs again.
    looping: Option<&'static str>,
    /// The head of a `for` or a `while`, up to its body.
    heading: bool,
    /// A closure that began among these tokens.
    closure: bool,
    /// The arguments of a closure, or the type of its answer: a comma does not end it.
    arguments: bool,
    /// The function whose head this is.
    head: Option<Rc<Function>>,
    /// The head of a function that is not `const`, up to its body.
    function: bool,
    /// A `const` or a `static`, or the head of one that is a function.
    constant: bool,
}

/// Where braces begin: a line and a column.
type Braces = (usize, usize);
/// An arm of the `match` with these braces.
pub type Arm = (Braces, usize);

/// A function that tokens are inside of.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    pub name: String,
    pub line: usize,
    /// The modules in braces around it.
    pub modules: Vec<String>,
    /// The type whose `impl` it is in.
    pub owner: Option<String>,
    pub of_trait: bool,
    /// Takes `self`.
    pub method: bool,
    pub public: bool,
    pub audited: bool,
    pub opens: bool,
    /// Inside of a macro's body.
    pub by_macro: bool,
    /// May be left out of the build: another function of the name may be meant then.
    pub unsure: bool,
    /// Inside of another function.
    pub nested: bool,
    /// An attribute that is neither ours nor the compiler's, and may register it somewhere.
    pub registered: Option<String>,
    /// The names of its arguments.
    pub given: Vec<String>,
}

/// Attributes that register a function nowhere.
pub const KNOWN: [&str; 16] = [
    "allow",
    "audited",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "rustfmt",
    "clippy",
    "track_caller",
    "warn",
    "instrument",
];

/// Macros that evaluate each argument once.
pub const ONCE: [&str; 18] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "todo",
    "unreachable",
    "write",
    "writeln",
    "matches",
];

/// Other macros of std and of everyday packages that make no item, but of those in their arguments.
const NO_ITEM: [&str; 19] = [
    "anyhow",
    "bail",
    "cfg",
    "column",
    "concat",
    "debug",
    "ensure",
    "env",
    "error",
    "file",
    "format_args",
    "info",
    "json",
    "line",
    "log",
    "option_env",
    "trace",
    "vec",
    "warn",
];

/// Whether a macro of this name makes no item, where the sources do not say what it is.
pub fn makes_no_item(name: &str, redefined: &BTreeSet<String>) -> bool {
    (ONCE.contains(&name) || NO_ITEM.contains(&name)) && !redefined.contains(name)
}

/// Names of std's macros, of `test` and of what openers do with a vault that a file gives to something
/// else: `macro_rules! println`, `use other::keep as test`, `fn context`.
pub fn redefined(tokens: &TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // A trait of one's own may have `context` for everything, a vault included.
    let known = [&KEEP[..], &LOOK, &WRAP].concat();
    walk(tokens.clone(), &mut |here, within| {
        let name = here.word(0);
        if name.is_empty() {
            return;
        }
        let imported = within.import && !here.separator(1);
        let made = here.word(-2) == "macro_rules" || imported;
        if made && (name == "test" || ONCE.contains(&name.as_str())) {
            found.insert(name);
            return;
        }
        let renamed = imported && here.word(-1) == "as";
        if (here.word(-2) == "macro_rules" || renamed) && NO_ITEM.contains(&name.as_str()) {
            found.insert(name);
            return;
        }
        let wraps = imported && WRAP.contains(&name.as_str());
        if (here.word(-1) == "fn" || wraps) && known.contains(&name.as_str()) {
            found.insert(name);
        }
    });
    found
}

/// What an item or a statement begins with: a field or an arm with `#[cfg(test)]` ends at a comma,
/// and is taken for code that ships.
pub const ITEMS: [&str; 17] = [
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];

/// Shows all tokens to `look`, each before those inside of it.
pub fn walk(tokens: TokenStream, look: &mut dyn FnMut(Here<'_>, &Within)) {
    walk_within(tokens, &Within::default(), look);
}

/// The same for a file.
pub fn walk_file(source: &Source, look: &mut dyn FnMut(Here<'_>, &Within)) {
    let around = Within {
        test: source.test,
        redefined: source.redefined.clone(),
        ..Within::default()
    };
    walk_within(source.tokens.clone(), &around, look);
}

fn walk_within(tokens: TokenStream, around: &Within, look: &mut dyn FnMut(Here<'_>, &Within)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // An attribute is about what follows, up to its body.
    let mut within = around.clone();
    let mut around = around.clone();
    // What a `let` names, from its end on.
    let mut named: Vec<String> = Vec::new();
    let arms = arms(&tokens);
    // What was bound before the pattern of a `let` or a `for`.
    let mut unbound = None;
    // How many `<` of types are open: a comma there ends no closure.
    let mut angles = 0_u32;
    for (at, token) in tokens.iter().enumerate() {
        let here = Here::new(&tokens, at);
        within.take_in(here, &around);
        if here.is("let") {
            let pattern = here.rest()[1..].iter();
            let pattern =
                pattern.take_while(|t| !is_sign(t, '=') && !is_sign(t, ';') && !is_sign(t, ':'));
            let names = names_in(&pattern.cloned().collect::<Vec<_>>());
            // In the pattern itself, they are no functions either.
            unbound.get_or_insert(within.bound.clone());
            within.bind(names.clone());
            if matches!(here.word(-1).as_str(), "if" | "while") || here.sign(-1, '&') {
                within.bound_inside.extend(names);
            } else {
                named.extend(names);
            }
        } else if here.is("for") && within.heading {
            unbound.get_or_insert(within.bound.clone());
            within.bind(within.bound_inside.clone());
        } else if (['=', ';', ':'].into_iter().any(|sign| is_sign(token, sign)) || here.is("in"))
            && let Some(bound) = unbound.take()
        {
            within.bound = bound;
        }
        // An attribute is looked at before it counts.
        within.arms = around.arms.clone();
        within.enter(arms.get(at).copied().flatten(), &around);
        look(here, &within);
        if let TokenTree::Group(group) = token {
            // A macro may do with an attribute in its arguments what it likes.
            if is_attribute(here) && around.invoked.is_none() {
                let other = within.redefined.contains("test") && name_of(&group.stream()) == "test";
                within.test |= is_test(here) && !other && !around.listed;
                within.audited |= is_audited(&group.stream());
                within.opens |= is_opener(&group.stream());
                within.attributes.push(name_of(&group.stream()));
            }
            let mut deeper = within.deeper(here, group);
            deeper.enter(arms.get(at).copied().flatten(), &around);
            walk_within(group.stream(), &deeper, look);
        }
        if here.sign(0, ';') && !named.is_empty() {
            around.bind(named.drain(..));
        }
        if opens_type(here, angles > 0) {
            angles += 1;
        } else if here.sign(0, '>') && !here.sign(-1, '-') {
            angles = angles.saturating_sub(1);
        }
        let inner = within.arguments || within.heading || angles > 0;
        if here.sign(0, ';') {
            (within, angles) = (around.clone(), 0);
        } else if is_body(token) {
            within.leave(here, &around);
        } else if here.sign(0, ',') && !inner {
            // A closure ends where the next argument begins, and an arm where the next one does.
            within.end(&around);
        }
    }
}

/// Which arm of a `match` each of these tokens is in, if they are what its braces hold. A pattern, its
/// guard, and what may belong to the next arm are in none.
fn arms(tokens: &[TokenTree]) -> Vec<Option<usize>> {
    let arrow = |at: usize| {
        let here = Here::new(tokens, at);
        here.sign(0, '=') && here.sign(1, '>')
    };
    let arrows: Vec<usize> = (0..tokens.len()).filter(|at| arrow(*at)).collect();
    if arrows.is_empty() {
        return Vec::new();
    }
    let mut arms = vec![None; tokens.len()];
    for (arm, at) in arrows.iter().enumerate() {
        let body = at + 2;
        let end = match tokens.get(body) {
            Some(token) if is_body(token) => body + 1,
            _ => {
                let rest = tokens.iter().skip(body);
                let comma = rest.take_while(|token| !is_sign(token, ',')).count();
                body + comma
            }
        };
        // An `if` or a block may end an arm without a comma: then it is not known where.
        if arrows.get(arm + 1).is_none_or(|next| end < *next) {
            arms[body..end].fill(Some(arm));
        }
    }
    arms
}

impl Within {
    /// The function whose body the braces here are.
    pub fn body_of(&self, here: Here<'_>) -> Option<&Function> {
        let body = here.token(0).is_some_and(is_body) && !is_argument(here);
        self.head.as_deref().filter(|_| body)
    }

    /// Whether an attribute of the module at hand may say where its file is.
    pub fn is_moved(&self) -> bool {
        let mut names = self.attributes.iter();
        names.any(|name| !KNOWN.contains(&name.as_str()))
    }

    /// Goes into an arm of the `match` whose braces are around, if it is one.
    fn enter(&mut self, arm: Option<usize>, around: &Within) {
        if let Some((arm, braces)) = arm.zip(around.braces) {
            let mut arms = around.arms.to_vec();
            arms.push((braces, arm));
            self.arms = Rc::new(arms);
        }
    }

    /// What a keyword says of the item that it begins.
    fn take_in(&mut self, here: Here<'_>, around: &Within) {
        if self.arguments && here.sign(0, '|') {
            self.arguments = here.sign(1, '-') && here.sign(2, '>');
        } else if begins_closure(here) && self.inside.is_some() {
            self.again = Some("in a closure");
            (self.closure, self.arguments) = (true, true);
            let given = here.rest()[1..]
                .iter()
                .take_while(|token| !is_sign(token, '|'));
            self.bind(names_in(&given.cloned().collect::<Vec<_>>()));
        }
        if here.sign(0, '=') && here.sign(1, '>') {
            // An arm of a `match`: what seemed to be a closure was a part of its pattern.
            self.end(around);
            let before = here.before().iter().rev();
            let arm = before.take_while(|token| !is_sign(token, ',') && !is_body(token));
            let mut arm: Vec<TokenTree> = arm.cloned().collect();
            arm.reverse();
            self.bind(names_in(&arm));
        }
        let word = here.keyword(0);
        match word.as_str() {
            "pub" => self.public = here.group(1, Delimiter::Parenthesis).is_none(),
            "loop" => self.looping = Some("in a loop"),
            "while" => {
                (self.looping, self.heading) = (Some("in a loop"), true);
                // The condition, too.
                self.again = self.again.or(Some("in a loop"));
            }
            "for" if !here.sign(1, '<') && self.head.is_none() && !self.in_impl_head(here) => {
                (self.looping, self.heading) = (Some("in a loop"), true);
                let pattern = here.rest()[1..].iter();
                let pattern =
                    pattern.take_while(|t| !matches!(t, TokenTree::Ident(w) if w == "in"));
                self.bound_inside
                    .extend(names_in(&pattern.cloned().collect::<Vec<_>>()));
            }
            "async" if here.word(1) != "fn" && here.word(1) != "unsafe" => {
                self.looping = Some("in an `async` block");
                self.again = self.again.or(Some("in an `async` block"));
            }
            _ => {}
        }
        match word.as_str() {
            "const" | "static" => (self.constant, self.runs) = (true, false),
            "fn" if !here.word(1).is_empty() || here.sign(1, '$') => {
                (self.function, self.runs) = (!self.constant, false);
                self.head = Some(Rc::new(self.function_here(here)));
            }
            "trait" => (self.runs, self.of_trait, self.owner) = (false, true, None),
            "enum" | "macro_rules" | "struct" | "type" | "union" => self.runs = false,
            // Not a type: `impl Trait` as an argument or an answer.
            "impl" if self.head.is_none() => {
                self.runs = false;
                (self.of_trait, self.owner) = owner(here);
                // The functions inside have attributes of their own.
                self.audited = around.audited;
                let mut heads = around.heads.to_vec();
                heads.extend(head(here));
                self.heads = Rc::new(heads);
            }
            // Not the bound of a return type: `impl Sized + use<>`.
            "use" if !here.sign(1, '<') => self.import = true,
            _ => {}
        }
    }

    /// The same for what stands inside of the group here.
    fn deeper(&self, here: Here<'_>, group: &Group) -> Within {
        let mut deeper = self.clone();
        let body = group.delimiter() == Delimiter::Brace && !is_argument(here);
        deeper.runs |= body && self.function;
        deeper.unsure |= body && self.may_be_left_out();
        deeper.listed = group.delimiter() != Delimiter::Brace;
        (deeper.function, deeper.constant) = (false, false);
        deeper.braces = (group.delimiter() == Delimiter::Brace).then(|| {
            let start = group.span_open().start();
            (start.line, start.column)
        });
        (deeper.heading, deeper.closure, deeper.arguments) = (false, false, false);
        let bound: Vec<String> = deeper.bound_inside.drain(..).collect();
        if body && let Some(head) = deeper.head.take() {
            // A function sees no variables of the one around.
            deeper.bound = Rc::new(head.given.iter().cloned().collect());
            deeper.inside = Some(head);
            (deeper.again, deeper.looping) = (None, None);
        } else if body && let Some(why) = deeper.looping.take() {
            deeper.again = Some(why);
        }
        // A block in the head of a loop or an `if let` does not see its variables.
        if body && !(continues(here) && (self.heading || here.word(1) != "else")) {
            deeper.bind(bound);
        }
        if body {
            (deeper.attributes, deeper.opens, deeper.public) = (Vec::new(), false, false);
        }
        if deeper.invoked.is_none() && here.sign(-1, '!') && !here.word(-2).is_empty() {
            deeper.invoked = Some(Rc::new(words(group.stream())));
        }
        let name = here.word(-2);
        let std = !here.separator(-4) || ["alloc", "core", "std"].contains(&here.word(-5).as_str());
        let once = std && ONCE.contains(&name.as_str()) && !self.redefined.contains(&name);
        if here.sign(-1, '!') && !name.is_empty() && !once {
            deeper.again = deeper.again.or(Some("in the arguments of a macro"));
            deeper.loose = true;
        }
        if here.word(-3) == "macro_rules" {
            deeper.again = Some("in the body of a macro");
            deeper.inside = None;
            deeper.unsure = true;
        }
        let inner = here.sign(-1, '!') && here.sign(-2, '#');
        if deeper.attribute.is_none() && (is_attribute(here) || inner) {
            let first = words(group.stream()).into_iter().next();
            deeper.attribute = Some(first.unwrap_or_default());
        }
        if here.word(-2) == "mod" {
            deeper.modules.push(here.word(-1));
        }
        deeper
    }
}

impl Within {
    /// What holds behind the braces here.
    fn leave(&mut self, here: Here<'_>, around: &Within) {
        // A constant in the head of a function.
        if self.head.is_some() && is_argument(here) {
            return;
        }
        let before = std::mem::replace(self, around.clone());
        let heading = before.heading && continues(here);
        if heading {
            (self.looping, self.heading) = (Some("in a loop"), true);
            self.bound_inside = before.bound_inside;
        }
        // A closure goes on up to the next comma: `|| if a { b } else { c }`.
        if heading || before.closure {
            (self.again, self.bound) = (before.again, before.bound);
            self.closure = before.closure;
        }
    }

    /// Ends a closure or an arm.
    fn end(&mut self, around: &Within) {
        (self.again, self.bound) = (around.again, around.bound.clone());
        (self.closure, self.arguments) = (false, false);
    }

    /// Takes names for those of local variables.
    fn bind(&mut self, names: impl IntoIterator<Item = String>) {
        let mut names = names.into_iter().peekable();
        if names.peek().is_some() {
            let mut bound = (*self.bound).clone();
            bound.extend(names);
            self.bound = Rc::new(bound);
        }
    }

    /// Whether an attribute of the item at hand may leave it out of the build.
    fn may_be_left_out(&self) -> bool {
        let mut names = self.attributes.iter();
        names.any(|name| name == "cfg" || !KNOWN.contains(&name.as_str()))
    }

    fn function_here(&self, here: Here<'_>) -> Function {
        let known = |name: &&String| !KNOWN.contains(&name.as_str());
        let mut arguments = here.rest().iter().filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        let arguments = arguments.next();
        let given = arguments.map(|group| {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let arguments = tokens.split(|token| is_sign(token, ','));
            let pattern = |argument: &[TokenTree]| {
                let pattern = argument.iter().take_while(|token| !is_sign(token, ':'));
                names_in(&pattern.cloned().collect::<Vec<_>>())
            };
            arguments.flat_map(pattern).collect()
        });
        let first = arguments.map(|group| words(group.stream()));
        let receiver = first.is_some_and(|words| {
            let mut first = words.iter().take_while(|word| *word != ",");
            first.any(|word| word == "self")
        });
        Function {
            name: here.word(1),
            line: here.token(1).map_or(0, |name| name.span().start().line),
            modules: self.modules.clone(),
            owner: self.owner.clone(),
            of_trait: self.of_trait,
            method: receiver,
            public: self.public,
            audited: self.audited,
            opens: self.opens,
            by_macro: self.invoked.is_some(),
            unsure: self.unsure || self.invoked.is_some() || self.may_be_left_out(),
            nested: self.inside.is_some(),
            registered: self.attributes.iter().find(known).cloned(),
            given: given.unwrap_or_default(),
        }
    }

    /// Whether a `for` here is that of `impl Trait for Type`.
    fn in_impl_head(&self, here: Here<'_>) -> bool {
        let before = here.before().iter().rev();
        let mut item = before.take_while(|token| !is_body(token) && !is_sign(token, ';'));
        item.any(|token| matches!(token, TokenTree::Ident(word) if word == "impl"))
    }
}

/// The variables that a pattern names: `vault` of `Some(mut vault)`, not the field of `S { vault: v }`.
fn names_in(pattern: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, token) in pattern.iter().enumerate() {
        let here = Here::new(pattern, at);
        match token {
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                names.extend(names_in(&inside));
            }
            TokenTree::Ident(_) => {
                let name = here.word(0);
                // What is called or followed by a path is a type or a constant; after `if`, a guard
                // begins.
                if name == "if" {
                    break;
                }
                let part = here.sign(1, ':') || here.group(1, Delimiter::Parenthesis).is_some();
                let keyword = ["mut", "ref", "box"].contains(&name.as_str());
                let lower = name.starts_with(|c: char| c == '_' || c.is_lowercase());
                if lower && !part && !keyword && !here.separator(-2) {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    names
}

/// Whether a closure begins here: `|x|`, `||`, where no value stands before.
fn begins_closure(here: Here<'_>) -> bool {
    if !here.sign(0, '|') {
        return false;
    }
    match here.token(-1) {
        None => true,
        Some(TokenTree::Ident(word)) => {
            let word = word.to_string();
            [
                "async", "break", "const", "else", "if", "in", "match", "move", "mut", "return",
                "static", "while", "yield",
            ]
            .contains(&word.as_str())
        }
        // The second of `||` belongs to the first; behind a value, both are an operator.
        Some(TokenTree::Punct(sign)) => {
            !matches!(sign.as_char(), '|' | '?' | '>') || here.sign(-2, '=')
        }
        Some(TokenTree::Literal(_)) => false,
        // A statement before, or the value of a block or a call.
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
    }
}

/// Whether the `impl` here is of a trait, and of which type it is.
fn owner(here: Here<'_>) -> (bool, Option<String>) {
    let mut depth = 0_i32;
    let (mut of_trait, mut name) = (false, None);
    for (at, token) in here.rest().iter().enumerate().skip(1) {
        let arrow = at > 0 && is_sign(&here.rest()[at - 1], '-');
        depth += i32::from(is_sign(token, '<')) - i32::from(is_sign(token, '>') && !arrow);
        match token {
            TokenTree::Ident(word) if depth == 0 && word == "for" => {
                (of_trait, name) = (true, None)
            }
            TokenTree::Ident(word) if depth == 0 && word == "where" => break,
            TokenTree::Ident(word) if depth == 0 => name = Some(plain(word)),
            token if is_body(token) => break,
            _ => {}
        }
    }
    (of_trait, name)
}

/// The last word of an attribute's path: `audited` of `privet::audited(opens)`.
fn name_of(attribute: &TokenStream) -> String {
    let text = squeezed(attribute);
    let path = text.split(['(', '=', '[']).next().unwrap_or_default();
    let last = path.rsplit("::").next().unwrap_or(path);
    // `#[rustfmt::skip]`, `#[clippy::…]`
    match path.split("::").next() {
        Some(tool @ ("rustfmt" | "clippy")) => tool.to_string(),
        _ => last.to_string(),
    }
}

/// Whether an attribute is `#[audited(opens)]`, by any path.
pub fn is_opener(attribute: &TokenStream) -> bool {
    words(attribute.clone()).iter().any(|word| word == "opens") && is_audited(attribute)
}

/// Whether the braces here are part of a type: a constant among its parameters, or of a macro. Not the
/// body behind `-> !` or `where T: A,`.
fn is_argument(here: Here<'_>) -> bool {
    let before = ['<', ',', '='].into_iter().any(|sign| here.sign(-1, sign));
    let behind = ['>', ','].into_iter().any(|sign| here.sign(1, sign));
    before && behind || here.sign(-1, '!') && !here.word(-2).is_empty()
}

/// Whether the expression that the braces here end may go on behind them, so that they need not be the
/// body of the loop around: `for a in { b } { c }`, `while match a { _ => b } && c { d }`.
fn continues(here: Here<'_>) -> bool {
    match here.token(1) {
        Some(TokenTree::Group(_)) => true,
        Some(TokenTree::Punct(sign)) => {
            !matches!(sign.as_char(), ';' | ',' | '#' | '\'') || is_argument(here)
        }
        Some(TokenTree::Ident(word)) => word == "else" || word == "as",
        Some(TokenTree::Literal(_)) | None => false,
    }
}

/// Whether a `<` begins the parameters of a type or a function, and compares nothing.
fn opens_type(here: Here<'_>, inside: bool) -> bool {
    if !here.sign(0, '<') {
        return false;
    }
    let mut at = -1;
    while !here.word(at).is_empty() && here.separator(at - 2) {
        at -= 3;
    }
    let cast = ["as", "const", "dyn", "mut"].contains(&here.word(at - 1).as_str());
    let value = match here.token(-1) {
        Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), '?' | '>' | '<'),
        other => other.is_some(),
    };
    inside || cast || !value
}

/// The words of an `impl`, up to its body.
fn head(here: Here<'_>) -> impl Iterator<Item = String> + '_ {
    let head = here.rest().iter().take_while(|token| !is_body(token));
    head.filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(plain(ident)),
        _ => None,
    })
}

fn is_attribute(here: Here<'_>) -> bool {
    here.sign(-1, '#')
}

/// Whether an attribute makes the whole item behind it a test.
pub fn is_test(here: Here<'_>) -> bool {
    let Some(TokenTree::Group(attribute)) = here.token(0) else {
        return false;
    };
    let first = here.token(-2).is_none()
        || here.sign(-2, ';')
        || here.group(-2, Delimiter::Brace).is_some()
        || here.group(-2, Delimiter::Bracket).is_some();
    let mut next = 1;
    while here.sign(next, '#') {
        next += 2;
    }
    let keyword = match here.token(next) {
        // No field with the name of a keyword: neither `r#type: 1` nor `union: 1`.
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let named = match keyword.as_str() {
        "union" => here.group(next + 2, Delimiter::Brace).is_none() && !here.sign(next + 2, '<'),
        "macro_rules" => !here.sign(next + 1, '!'),
        _ => here.sign(next + 1, ':') || here.sign(next + 1, '='),
    };
    let whole =
        !named && ITEMS.contains(&keyword.as_str()) || here.group(next, Delimiter::Brace).is_some();
    let text = squeezed(&attribute.stream());
    // A module is no test by itself: then `test` is another attribute.
    let test = match text.as_str() {
        "test" => keyword != "mod",
        "cfg(test)" => true,
        other => other.starts_with("cfg(all(test,"),
    };
    first && whole && test
}

/// Whether an attribute is `#[audited]`, by any path.
pub fn is_audited(attribute: &TokenStream) -> bool {
    let text = squeezed(attribute);
    let path = text.split('(').next().unwrap_or_default();
    // `#[rustfmt::audited]` is a note for a tool, and does nothing.
    let tools = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];
    let tool = path
        .split("::")
        .next()
        .is_some_and(|first| tools.contains(&first));
    path.rsplit("::").next() == Some("audited") && !tool
}

/// Tokens without any blanks.
fn squeezed(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contexts in which the word `x` stands.
    fn around_x(text: &str) -> Vec<Within> {
        let mut found = Vec::new();
        walk(text.parse().expect("tokens"), &mut |here, within| {
            if here.word(0) == "x" {
                found.push(within.clone());
            }
        });
        found
    }

    #[test]
    fn an_attribute_is_about_one_item() {
        let found = around_x("#[audited] fn f() { x } fn g() { x } #[test] fn h() { { x } } x");
        let flags: Vec<_> = found.iter().map(|w| (w.audited, w.test)).collect();
        assert_eq!(
            flags,
            [(true, false), (false, false), (false, true), (false, false)]
        );
    }

    #[test]
    fn the_surroundings_are_known() {
        let found = around_x(
            "mod a { mod b { impl V<W> for U { fn f() { m!(x) } } } } use a::{x}; #[y(x)] x",
        );
        assert_eq!(found[0].modules, ["a", "b"]);
        assert_eq!(*found[0].heads, ["impl", "V", "W", "for", "U"]);
        assert!(found[0].invoked.is_some() && !found[0].import);
        assert!(found[1].import && found[1].invoked.is_none());
        assert_eq!(found[2].attribute.as_deref(), Some("y"));
        assert!(found[3].attribute.is_none());
        assert!(!around_x("fn f() -> impl Sized + use<> { x }")[0].import);
    }

    #[test]
    fn local_variables_hide_functions_of_their_names() {
        for (text, bound) in [
            ("fn f() { let x = x; }", &[false][..]),
            ("fn f() { let x = 1; g(x) }", &[true]),
            ("fn f() { { let x = 1; } g(x) }", &[false]),
            (
                "fn f() { if let Some(x) = x() { x } else { x } }",
                &[false, true, false],
            ),
            (
                "fn f() { match y { Some(x) => x, None => x } }",
                &[true, false],
            ),
            ("fn f(x: u8) { x; fn g() { x } }", &[true, false]),
            ("fn f() { g(|x| x, x) }", &[true, false]),
            ("fn f() { for x in x { x } x }", &[false, true, false]),
            ("fn f() { if let Some(x) = { x } { y } }", &[true, false]),
            ("fn f() { for x in y {} }", &[true]),
            ("fn f() { for (x, _) in x.z() {} }", &[true, false]),
            ("fn f() { let S { x: y } = z; x }", &[false]),
        ] {
            let found = around_x(text);
            let found: Vec<bool> = found.iter().map(|w| w.bound.contains("x")).collect();
            // The names in patterns are looked at, too.
            let last = &found[found.len() - bound.len()..];
            assert_eq!(last, bound, "{text}: {found:?}");
        }
    }

    #[test]
    fn arms_are_told_apart_where_their_ends_are_known() {
        for (text, arms) in [
            (
                "fn f() { match y { A => x, B => { x } } }",
                &[Some(0), Some(1)][..],
            ),
            (
                "fn f() { match y { A => g(x), B => match z { C => x, } } }",
                &[Some(0), Some(0)],
            ),
            (
                "fn f() { match y { A => {} B if x => x, C => x } }",
                &[None, Some(1), Some(2)],
            ),
            // It ends without a comma, or seems to end at one.
            (
                "fn f() { match y { A => if z { x } else { x } B => x } }",
                &[None, None, Some(1)],
            ),
            (
                "fn f() { match y { A => g::<B, C>(x), _ => x } }",
                &[None, Some(1)],
            ),
            ("fn f() { if x { x } else { x } }", &[None, None, None]),
        ] {
            let found = around_x(text);
            let found: Vec<_> = found
                .iter()
                .map(|w| w.arms.last().map(|arm| arm.1))
                .collect();
            assert_eq!(found, arms, "{text}");
        }
        let found = around_x("fn f() { match y { A => x, _ => match y { A => x, B => x } } }");
        let found: Vec<usize> = found.iter().map(|w| w.arms.len()).collect();
        assert_eq!(found, [1, 2, 2]);
    }

    #[test]
    fn what_runs_again_is_known() {
        for (text, again) in [
            ("fn f() { x }", None),
            ("fn f() { loop { x } }", Some("in a loop")),
            ("fn f() { while x {} }", Some("in a loop")),
            ("fn f() { for y in x {} }", None),
            ("fn f() { for y in z { x } }", Some("in a loop")),
            ("fn f() { loop {} x }", None),
            ("fn f() { g(|| x) }", Some("in a closure")),
            ("fn f() { g(&mut || x) }", Some("in a closure")),
            ("fn f() { let r#for = 1; x }", None),
            ("fn f() { g(|| y, x) }", None),
            ("fn f() { let g = move |y| { x }; }", Some("in a closure")),
            ("fn f() { if y || x {} }", None),
            ("fn f() { async { x } }", Some("in an `async` block")),
            ("fn f() { for y in {z} { x } }", Some("in a loop")),
            (
                "fn f() { while match y { _ => z } { x } }",
                Some("in a loop"),
            ),
            (
                "fn f() { while if y { z } else { z } && {z} { x } }",
                Some("in a loop"),
            ),
            ("fn f() { while y::<A, B>(x) {} }", Some("in a loop")),
            ("fn f() { while loop { break y } { x } }", Some("in a loop")),
            (
                "fn f() { match y { _ => for y in z { x }, } }",
                Some("in a loop"),
            ),
            ("fn f() { for y in {z} {} x }", None),
            ("fn f() { for y in z {} if y { x } }", None),
            ("fn f() { for y in z {} #[a] 'b: { x } }", None),
            ("fn f() { match y { _ => while y {}, _ => x } }", None),
            ("fn f() { g(|a, b| x) }", Some("in a closure")),
            ("fn f() { g(move |a: u8, _| { x }) }", Some("in a closure")),
            ("fn f() { g(|a| -> A<B, C> { x }) }", Some("in a closure")),
            ("fn f() { g(|| h::<A, B>(x)) }", Some("in a closure")),
            ("fn f() { g(|| a as A<B, C> + x) }", Some("in a closure")),
            (
                "fn f() { g(|| if y { z } else { x }) }",
                Some("in a closure"),
            ),
            ("fn f() { g(|| { y }.h(x)) }", Some("in a closure")),
            ("fn f() { g(|a, b| { y }, x) }", None),
            ("fn f() { g(|a| a < b, x) }", None),
            ("fn f() { g(|a, b| y); x }", None),
            ("fn f() { match y { A {} | B => {} C => { x } } }", None),
            ("fn f() { match y { | A => {} C => x } }", None),
            ("fn f() { vec![x; 3] }", Some("in the arguments of a macro")),
            ("fn f() { println!(x) }", None),
            ("fn f() { std::println!(x) }", None),
            (
                "fn f() { own::println!(x) }",
                Some("in the arguments of a macro"),
            ),
            ("fn f() { loop { fn g() { x } } }", None),
            ("fn f() { impl A for B { fn g() { x } } }", None),
            (
                "macro_rules! m { () => { x } }",
                Some("in the body of a macro"),
            ),
        ] {
            let found = around_x(text);
            assert_eq!(found.last().expect("x").again, again, "{text}");
        }
    }

    #[test]
    fn known_names_of_something_else_are_found() {
        for (text, names) in [
            ("trait T { fn context(self); }", &["context"][..]),
            ("use a::Some; fn ok() {}", &["Some", "ok"]),
            ("macro_rules! println { () => {} }", &["println"]),
            ("use a::{b as test}; fn other() {}", &["test"]),
            ("use a::context; fn f() { x.ok() }", &[]),
        ] {
            let found = redefined(&text.parse().expect("tokens"));
            assert_eq!(found.iter().collect::<Vec<_>>(), names, "{text}");
        }
    }

    #[test]
    fn what_a_function_is_made_of_does_not_end_its_head() {
        for text in [
            "fn f() { fn g() -> A<{1}> { x } }",
            "fn f() { fn g() -> A<{1}, {2}> where A<{3}>: B, { x } }",
            "fn f() { fn g() -> ! { x } }",
            "fn f() { fn g() -> price! { y } { x } }",
            "fn f() { fn g<T>() where T: A, { x } }",
        ] {
            let found = around_x(text);
            let inside = found[0].inside.as_ref().map(|f| f.name.as_str());
            assert_eq!((inside, found[0].runs), (Some("g"), true), "{text}");
        }
        let found = around_x("#[audited] fn f() -> ! {} fn g() -> A<{1}> { y } fn h() { x }");
        assert!(!found[0].audited);
        let inside = found[0].inside.as_ref().expect("a function");
        assert_eq!(inside.name, "h");
    }

    #[test]
    fn a_field_with_the_name_of_a_keyword_is_no_item() {
        for text in [
            "S { #[cfg(test)] r#type: 1, v: x }",
            "S { #[cfg(test)] union: 1, v: x }",
            "match y { #[cfg(test)] union => 1, _ => x }",
            "match y { #[cfg(test)] union if y => 1, _ => x }",
            "match y { #[cfg(test)] macro_rules | S => 1, _ => x }",
        ] {
            assert!(!around_x(text)[0].test, "{text}");
        }
        for text in [
            "#[cfg(all(test, unix))] fn f() { x }",
            "#[cfg(test)] union U { x }",
            "#[cfg(test)] macro_rules! m { x }",
        ] {
            assert!(around_x(text)[0].test, "{text}");
        }
    }

    #[test]
    fn attributes_that_a_macro_is_given_are_not_believed() {
        for text in ["tail!(#[cfg(test)] let x)", "tail!(#[audited] fn x)"] {
            let found = &around_x(text)[0];
            assert!(!found.test && !found.audited, "{text}");
        }
        let found = around_x("#[cfg(test)] mod tests { property! { #[test] fn f() { x } } }");
        assert!(found[0].test);
    }

    #[test]
    fn what_runs_is_told_from_what_types_are_made_of() {
        for (text, runs) in [
            ("pub fn f(a: u8) -> M { if a { x } }", true),
            ("impl T for U { async fn f() { x } }", true),
            ("fn f() { fn g() { x } }", true),
            ("const fn f() { x }", false),
            ("const F: fn() = { x };", false),
            ("fn f() -> Eps<{ x }, 1> {}", false),
            ("fn f() -> M<u8, { x }> {}", false),
            ("fn f() -> [u8; { x }] {}", false),
            ("fn f() -> price! { x } {}", false),
            ("fn f() { const N: u64 = { x }; }", false),
            ("fn f() { impl T for U { type P = x; } }", false),
            ("fn f() { macro_rules! m { () => { x } } }", false),
            ("struct S<F = fn()> { x }", false),
        ] {
            assert_eq!(around_x(text)[0].runs, runs, "{text}");
        }
    }
}
