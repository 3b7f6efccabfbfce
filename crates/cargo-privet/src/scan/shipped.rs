//! Where the audit may see other types than what ships.
//!
//! Prices are those of a test build: `#[cfg(not(test))] type E = Eps<1000, 1>` beside a cheap twin for
//! tests is audited as the twin. Two things are told: conditions on what a test build has, where types
//! are made; and names that only tests have and other code mentions, so that a build without tests
//! finds something else under that name (by a `*`, in a prelude, in an outer scope).

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::excuse;
use super::items::{imported, names_behind};
use super::tokens::{Here, is_sign, words};
use super::walk::{ITEMS, Within, is_test, makes_no_item};

/// What conditions are made of that are the same in the audit and in what ships, or that the audit
/// states, as features. All others are not known: the profile, the target, what a build script sets.
const SAME: [&str; 10] = [
    "all", "any", "clippy", "doc", "false", "feature", "miri", "not", "rustfmt", "true",
];
/// Conditions on the machine that is built for.
const TARGET: [&str; 3] = ["unix", "windows", "target_"];
/// Variables of the build that are the same in all builds of a version of a package.
const STATED: [&str; 3] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_NAME"];
/// What evaluates conditions.
const CONDITIONS: [&str; 4] = ["cfg", "cfg_attr", "cfg_match", "cfg_select"];
/// Attributes that change no type, whatever they depend on.
const HARMLESS: [&str; 15] = [
    "allow",
    "cold",
    "deny",
    "doc",
    "expect",
    "feature",
    "forbid",
    "ignore",
    "inline",
    "must_use",
    "no_main",
    "no_std",
    "should_panic",
    "track_caller",
    "warn",
];
const DERIVES: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];
/// Constants, functions and types of `std` that differ between machines, without a condition.
const OF_THE_MACHINE: [&str; 16] = [
    "Layout",
    "MAIN_SEPARATOR",
    "MAIN_SEPARATOR_STR",
    "align_of",
    "align_of_val",
    "c_char",
    "c_int",
    "c_long",
    "c_short",
    "c_uint",
    "c_ulong",
    "c_ushort",
    "from_ne_bytes",
    "size_of",
    "size_of_val",
    "to_ne_bytes",
];
/// Packages whose names mean the same in all builds.
const STABLE: [&str; 3] = ["alloc", "core", "std"];

/// A file's number, and a line in it.
type Place = (usize, usize);

/// What was found in a package.
#[derive(Default)]
pub struct Shipped {
    /// The package uses privet: conditions on the target count, too.
    uses: bool,
    /// The package has a build script or is one of macros: what runs there makes types.
    builds: bool,
    /// Places, and which builds may have another type there.
    told: BTreeMap<Place, String>,
    /// The same of items that reach a type by some names only.
    doubtful: Vec<(Place, Vec<String>, String)>,
    /// Names in code that makes types.
    typed: BTreeSet<String>,
    /// The item behind the condition that comes next reaches a type by these names only.
    behind: Option<Vec<String>>,
    /// Places whose types depend on features.
    pub features: BTreeSet<Place>,
    /// Places where a number that a type may have is computed.
    pub computed: BTreeSet<Place>,
    /// The same in a package that does not use privet, and conditions that make one.
    pub numbers: BTreeSet<Place>,
    /// The condition that comes next is on a function, which makes no type.
    on_function: bool,
    /// Names that only tests have, and where.
    only_tests: Vec<(String, Place)>,
    /// Names in the other code of files; paths end in `::`, macros in `!`.
    mentioned: BTreeSet<(String, usize)>,
    /// Names that files import from a place that is the same in all builds.
    stable: BTreeSet<(String, usize)>,
}

impl Shipped {
    /// Of a package that uses privet, or not, and that runs in builds, or not.
    pub fn new(uses: bool, builds: bool) -> Self {
        Shipped {
            uses,
            builds,
            ..Shipped::default()
        }
    }

    /// Looks at a token of the file of this number.
    pub fn look(&mut self, file: usize, here: Here<'_>, within: &Within) {
        if within.test {
            return;
        }
        let place = (file, here.line());
        let mut excused = None;
        let told = match here.token(0) {
            Some(TokenTree::Group(group)) if here.sign(-1, '#') => {
                let test = within.invoked.is_none() && is_test(here);
                self.on_function = names_behind(here).is_some_and(|names| names.is_empty())
                    && excuse::is_inert(here, &within.redefined);
                self.behind =
                    excuse::behind(here, &within.redefined).filter(|_| within.invoked.is_none());
                match names_behind(here).filter(|_| test) {
                    Some(names) => {
                        let names = names.into_iter().map(|name| (name, place));
                        self.only_tests.extend(names);
                        false
                    }
                    // A statement, which may be part of a constant, or a field.
                    None if test => !within.runs,
                    None => self.is_attribute_told(here, &group.stream(), within),
                }
            }
            Some(TokenTree::Ident(_)) => {
                self.mention(file, here, within);
                let on_function = core::mem::take(&mut self.on_function);
                excused = core::mem::take(&mut self.behind).filter(|_| here.word(0) == "cfg");
                if !self.uses && makes_number(here, within, on_function) {
                    self.numbers.insert(place);
                }
                if is_condition_on_features(here) && !is_harmless(here, within) {
                    self.features.insert(place);
                }
                if self.uses && !within.runs && is_computed(here) {
                    self.computed.insert(place);
                }
                let machine = self.uses && is_of_the_machine(here);
                let variable = is_of_the_build(here) && !within.runs;
                // Files there are what a build script chose.
                let chosen = arguments(here)
                    .iter()
                    .any(|a| a.to_string() == "\"OUT_DIR\"");
                if variable && within.invoked.is_none() && !chosen {
                    excused = excuse::constant_around(here);
                }
                let built = variable || machine && !within.runs;
                built || self.is_condition(here, on_function) && !is_harmless(here, within)
            }
            Some(TokenTree::Literal(text)) => {
                // How the attribute knows of an audit. A function that only runs makes no type of
                // it, but a macro or a build script does.
                let doc = within.attribute.as_deref() == Some("doc");
                let harmless = doc || within.runs && !self.builds;
                let text = text.to_string();
                let named = ["CARGO_PRIVET_AUDIT", "privet-audit", "__privet_audit"];
                !harmless && named.iter().any(|name| text.contains(name))
            }
            Some(TokenTree::Group(_)) if self.uses && !within.runs && is_computed(here) => {
                self.computed.insert(place);
                false
            }
            // A macro may make types of what it is given.
            Some(TokenTree::Group(group)) => {
                let name = here.word(-2);
                let called = here.sign(-1, '!') && !excuse::is_no_macro(&name);
                if called && !makes_no_item(&name, &within.redefined) {
                    self.typed.extend(words(group.stream()));
                }
                false
            }
            _ => false,
        };
        if told {
            let build = other_build(here);
            match excused {
                Some(names) => self.doubtful.push((place, names, build)),
                None => _ = self.told.insert(place, build),
            }
        }
    }

    /// Whether a condition says something else in what ships than in the audit.
    fn names_difference(&self, tokens: TokenStream) -> bool {
        let differs = |word: &String| {
            let name = word.starts_with(|c: char| c == '_' || c.is_alphabetic());
            let target = TARGET.iter().any(|target| word.starts_with(target));
            name && !SAME.contains(&word.as_str()) && (self.uses || !target)
        };
        words(tokens).iter().any(differs)
    }

    fn is_condition(&self, here: Here<'_>, on_function: bool) -> bool {
        let word = here.word(0);
        let depends = if word == "cfg_attr" { 1 } else { usize::MAX };
        let mut arguments = arguments(here).into_iter().take(depends);
        // A twin of a function has a price of its own, or none, which other rules tell.
        if on_function && word == "cfg" {
            let known = |tokens: TokenStream| names_profile(&tokens);
            return arguments.any(known);
        }
        CONDITIONS.contains(&word.as_str())
            && (many(&word) || arguments.any(|tokens| self.names_difference(tokens)))
    }

    /// Whether an attribute makes a difference to an item inside of a function, or has no name yet.
    fn is_attribute_told(&self, here: Here<'_>, attribute: &TokenStream, within: &Within) -> bool {
        let words = words(attribute.clone());
        let nameless = words.first().is_some_and(|word| word == "$");
        let condition = words.first().is_some_and(|word| word == "cfg");
        let mut next = 1;
        while here.sign(next, '#') {
            next += 2;
        }
        let inert = || excuse::is_inert_statement(here, &within.redefined);
        let item = within.runs && condition && (makes_item(&[here.word(next)]) || !inert());
        let given = words.get(1..).unwrap_or_default();
        let differs = |word: &String| {
            let tokens = word.parse::<TokenStream>().unwrap_or_default();
            self.names_difference(tokens)
        };
        nameless && names_old_difference(attribute) || item && given.iter().any(differs)
    }

    fn mention(&mut self, file: usize, here: Here<'_>, within: &Within) {
        let name = here.word(0);
        let given = within.invoked.as_deref();
        let makes_types = !within.runs || given.is_some_and(|words| makes_item(words));
        if makes_types && !within.import && here.word(-1) != "const" {
            self.typed.insert(name.clone());
        }
        // `mod std`, `use self::prices as std`.
        if STABLE.contains(&name.as_str()) && ["as", "mod"].contains(&here.word(-1).as_str()) {
            self.typed.insert(format!("{name}::"));
        }
        if name == "use" {
            // Another name for what may make types: `use self::MODE as KIND`.
            let path = here.rest().iter().take_while(|token| !is_sign(token, ';'));
            let named = words(path.cloned().collect());
            if named.iter().any(|word| word == "as") {
                self.typed.extend(named);
            }
        }
        if name == "use" && STABLE.contains(&here.word(1).as_str()) {
            let names = imported(&here.rest()[1..]);
            self.stable
                .extend(names.into_iter().map(|name| (name, file)));
        }
        if here.sign(-1, '.') && !here.sign(-2, '.') {
            return;
        }
        if here.separator(1) || here.word(1) == "as" {
            self.mentioned.insert((format!("{name}::"), file));
        }
        if here.sign(1, '!') {
            self.mentioned.insert((format!("{name}!"), file));
        }
        self.mentioned.insert((name, file));
    }

    /// The places that are to be told, and which builds may have another type there.
    pub fn told(mut self) -> BTreeMap<Place, String> {
        for (place, names, build) in core::mem::take(&mut self.doubtful) {
            if names.iter().any(|name| self.typed.contains(name)) {
                self.told.insert(place, build);
            }
        }
        let doubtful: BTreeSet<&String> = self
            .mentioned
            .difference(&self.stable)
            .map(|(name, _)| name)
            .collect();
        for (name, place) in &self.only_tests {
            if name == "*" || doubtful.contains(name) {
                self.told.insert(*place, WITHOUT_TESTS.into());
            }
        }
        self.told
    }
}

/// Which build may have another type where this stands.
fn other_build(here: Here<'_>) -> String {
    let given: Vec<String> = match here.token(0) {
        Some(TokenTree::Group(group)) => words(group.stream()),
        _ => arguments(here).into_iter().flat_map(words).collect(),
    };
    let named = |name: &str| given.iter().any(|word| word.starts_with(name));
    if ["env", "option_env"].contains(&here.word(0).as_str()) {
        let name = given.first().map_or("", String::as_str);
        return format!("a build with another {}", name.replace('"', "`"));
    }
    if named("debug_assertions") || named("overflow_checks") {
        return "a release build".into();
    }
    if TARGET.iter().any(|target| named(target)) || is_of_the_machine(here) {
        return "a build for another machine".into();
    }
    if given.iter().any(|word| word == "test") {
        return WITHOUT_TESTS.into();
    }
    "what ships".into()
}

const WITHOUT_TESTS: &str = "a build without tests";

fn names_profile(tokens: &TokenStream) -> bool {
    let known = ["test", "debug_assertions", "overflow_checks", "panic"];
    words(tokens.clone())
        .iter()
        .any(|w| known.contains(&w.as_str()))
}

/// Conditions that have a meaning wherever they stand.
fn names_old_difference(tokens: &TokenStream) -> bool {
    let target = |word: &String| TARGET.iter().any(|target| word.starts_with(target));
    names_profile(tokens) || words(tokens.clone()).iter().any(target)
}

/// Macros whose arms are conditions and items, mixed.
fn many(word: &str) -> bool {
    matches!(word, "cfg_match" | "cfg_select")
}

fn is_condition_on_features(here: Here<'_>) -> bool {
    let word = here.word(0);
    let names = |tokens: TokenStream| words(tokens).iter().any(|word| word == "feature");
    CONDITIONS.contains(&word.as_str()) && arguments(here).into_iter().take(1).any(names)
}

/// Whether a variable of the build is read here, which may be another one in what ships.
fn is_of_the_build(here: Here<'_>) -> bool {
    if !matches!(here.word(0).as_str(), "env" | "option_env") || !here.sign(1, '!') {
        return false;
    }
    let name = arguments(here).into_iter().next().map(|a| a.to_string());
    !name.is_some_and(|name| {
        let name = name.trim_matches('"').to_string();
        STATED.iter().any(|stated| name.starts_with(stated))
    })
}

/// Whether a name here is that of a number which depends on the machine: `usize::BITS`,
/// `env::consts::OS`.
fn is_of_the_machine(here: Here<'_>) -> bool {
    let word = here.word(0);
    let behind = |name: &str| here.separator(-2) && here.word(-3) == name;
    let of_a_word = ["BITS", "MAX", "MIN"].contains(&word.as_str());
    let name = here.word(3);
    let of_a_system = ["ARCH", "DLL_", "EXE_", "FAMILY", "OS"]
        .iter()
        .any(|start| name.starts_with(start));
    OF_THE_MACHINE.contains(&word.as_str())
        || of_a_word && (behind("usize") || behind("isize"))
        || word == "consts" && (behind("env") || here.word(1) == "as")
        || word == "consts" && here.separator(1) && of_a_system
}

/// Whether `const N: usize = …` or `{ … }` among the parameters of a type is more than one word.
fn is_computed(here: Here<'_>) -> bool {
    if let Some(TokenTree::Group(group)) = here.token(0) {
        let parameter =
            (here.sign(-1, '<') || here.sign(-1, ',')) && (here.sign(1, '>') || here.sign(1, ','));
        let brace = group.delimiter() == Delimiter::Brace;
        return parameter && brace && group.stream().into_iter().nth(1).is_some();
    }
    let number = here.word(0) == "const" && here.sign(2, ':') && here.word(3) == "usize";
    number && here.sign(4, '=') && !here.sign(6, ';')
}

/// Whether a condition here, or the size of the machine's words, may make a constant another one.
fn makes_number(here: Here<'_>, within: &Within, on_function: bool) -> bool {
    let word = here.word(0);
    let size = matches!(word.as_str(), "usize" | "isize") && here.separator(1);
    let differs =
        |word: &String| word == "feature" || TARGET.iter().any(|target| word.starts_with(target));
    let mut given = arguments(here).into_iter();
    let condition = CONDITIONS.contains(&word.as_str())
        && given.any(|tokens| words(tokens).iter().any(differs))
        && !on_function;
    !within.runs && (size || is_of_the_machine(here) || condition && !is_harmless(here, within))
}

fn makes_item(words: &[String]) -> bool {
    let makes = |word: &String| word != "let" && ITEMS.contains(&word.as_str());
    words.iter().any(makes)
}

/// What a `cfg(…)` or `cfg!(…)` here is given, split at commas.
fn arguments(here: Here<'_>) -> Vec<TokenStream> {
    let Some(TokenTree::Group(group)) = here.token(1 + isize::from(here.sign(1, '!'))) else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let parts = tokens.split(|token| is_sign(token, ','));
    parts.map(|part| part.iter().cloned().collect()).collect()
}

/// Whether a condition changes no type.
fn is_harmless(here: Here<'_>, within: &Within) -> bool {
    if here.word(0) == "cfg_attr" {
        return arguments(here)
            .into_iter()
            .skip(1)
            .all(is_harmless_attribute);
    }
    // In a function that runs, but for the items in it: see below.
    let given = within.invoked.as_deref();
    within.runs && !given.is_some_and(|words| makes_item(words))
}

pub fn is_harmless_attribute(tokens: TokenStream) -> bool {
    let words = words(tokens);
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    match words.split_first() {
        Some((first, rest)) if first == "derive" => {
            rest.iter().all(|word| word == "," || is_in(&DERIVES, word))
        }
        Some((first, _)) => is_in(&HARMLESS, first),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::walk::walk;

    /// The lines that are told of some files.
    fn told(files: &[&str]) -> Vec<usize> {
        let mut shipped = Shipped::new(true, false);
        for (file, text) in files.iter().enumerate() {
            walk(text.parse().expect("tokens"), &mut |here, within| {
                shipped.look(file, here, within);
            });
        }
        shipped.told().into_keys().map(|(_, line)| line).collect()
    }

    #[test]
    fn what_reaches_no_type_is_not_told_unless_its_name_does() {
        for (item, other) in [
            (
                "#[cfg(unix)] use std::os::unix::fs::PermissionsExt;",
                "impl PermissionsExt for S {}",
            ),
            ("#[cfg(unix)] use std::primitive::u32;", "const N: u32 = 1;"),
            (
                "#[cfg(unix)] const SEP: char = '/';",
                "const N: u64 = SEP as u64;",
            ),
            (
                "#[cfg(unix)] const SEP: char = '/';",
                "fn f() { item! { const N: u64 = SEP as u64; } }",
            ),
            (
                "#[cfg(unix)] const SEP: char = '/';",
                "#[audited(instances(f::<{ SEP as u64 }>))] fn f() {}",
            ),
            (
                "const BUILT: Option<&str> = option_env!(\"GIT_SHA\");",
                "const fn n() -> usize { BUILT.is_some() as usize }",
            ),
            (
                "const BUILT: &'static str = env!(\"GIT_SHA\");",
                "type N = Of<{ BUILT.len() }>;",
            ),
            (
                "#[cfg(unix)] const SEP: char = '/';",
                "use self::SEP as KIND; type E = Of<KIND>;",
            ),
            (
                "const BUILT: Option<&str> = option_env!(\"GIT_SHA\");",
                "use crate::{a, BUILT as COMMIT};",
            ),
            (
                "#[cfg(unix)] const SEP: char = '/';",
                "fn f() { priced!(SEP) }",
            ),
            (
                "#[cfg(unix)] use std::os::unix::fs::PermissionsExt;",
                "mod std {}",
            ),
            (
                "#[cfg(unix)] use core::primitive::u32;",
                "extern crate prices as core;",
            ),
        ] {
            assert!(
                told(&[
                    item,
                    "fn f() { g(SEP, BUILT); println!(\"{}\", SEP); x.mode() }"
                ])
                .is_empty(),
                "{item}"
            );
            assert_eq!(told(&[item, other]), [1], "{item} {other}");
        }
        for text in [
            "#[cfg(debug_assertions)] fn log(s: &str) { eprintln!(\"{s}\") }",
            "#[cfg(not(test))] fn send(s: &str) -> std::io::Result<bool> { Ok(true) }",
        ] {
            assert!(told(&[text]).is_empty(), "{text}");
        }
        for text in [
            "pub const BUILT: Option<&str> = option_env!(\"GIT_SHA\");",
            "const BUILT: usize = env!(\"GIT_SHA\").len();",
            "const BUILT: &str = if DEAR { env!(\"A\") } else { env!(\"B\") };",
            "#[cfg(debug_assertions)] fn f() -> Mechanism<T, i64, Cheap> {}",
            "#[cfg(debug_assertions)] const fn f(s: &str) -> u64 { 1 }",
            "#[cfg(unix)] const N: usize = 1;",
            "#[cfg(unix)] pub use std::fs;",
            "#[cfg(unix)] use alloc::Cheaper as _;",
            "#[cfg(debug_assertions)] fn log(s: &str) { impl Of for Price { type E = Cheap; } }",
            "#[cfg(not(test))] fn dear() { impl Of for Price { type E = Dear; } }",
            "#[cfg(dear)] fn log(s: &str) { impl Of for Price { type E = Dear; } }",
            "#[cfg(dear)] fn log(s: &str) { priced!(Dear) }",
            "#[cfg(dear)] impl Of for Price { type E = Dear; }",
            "#[cfg(unix)] unsafe impl Of for Price { type E = Dear; }",
            "impl S { #[cfg(unix)] fn log(&self) { impl Of for Price { type E = Dear; } } }",
            "fn f() { #[cfg(debug_assertions)] { impl Of for Price { type E = Cheap; } } g() }",
            "fn f() { #[cfg(unix)] let x = { impl Of for Price { type E = Cheap; } 1 }; }",
            "fn f() { #[cfg(unix)] if a {} else { g(&[{ impl Of for Price { type E = Cheap; } 1 }]) } }",
            "fn f() { #[cfg(unix)] priced!(Dear); }",
            "item! { #[cfg(unix)] const SEP: char = '/'; }",
            "#[cfg_attr(unix, path = \"x.rs\")] const SEP: char = '/';",
        ] {
            assert_eq!(told(&[text]), [1], "{text}");
        }
    }

    #[test]
    fn the_build_that_differs_is_said() {
        for (text, build) in [
            ("#[cfg(not(test))] type E = Dear;", "a build without tests"),
            ("#[cfg(debug_assertions)] type E = Dear;", "a release build"),
            (
                "#[cfg(target_os = \"linux\")] type E = Dear;",
                "a build for another machine",
            ),
            (
                "const N: u64 = size_of::<usize>() as u64;",
                "a build for another machine",
            ),
            (
                "pub const N: &str = env!(\"DEAR\");",
                "a build with another `DEAR`",
            ),
            ("#[cfg(dear)] type E = Dear;", "what ships"),
            (
                "use dear::*; #[cfg(test)] use cheap::E; fn f() -> E {}",
                "a build without tests",
            ),
        ] {
            let mut shipped = Shipped::new(true, false);
            walk(text.parse().expect("tokens"), &mut |here, within| {
                shipped.look(0, here, within);
            });
            let told: Vec<String> = shipped.told().into_values().collect();
            assert_eq!(told, [build], "{text}");
        }
    }

    #[test]
    fn twins_are_told() {
        for text in [
            "#[cfg(not(test))] type E = Eps<1000, 1>;",
            "#[cfg(any(test, unix))] mod prices;",
            "#[cfg(debug_assertions)] type E = Eps<1, 1000>;",
            "#[cfg_attr(test, path = \"cheap.rs\")] mod prices;",
            "#[cfg_attr(not(test), derive(Priced))] struct S;",
            "const N: u64 = if cfg!(test) { 1 } else { 1000 };",
            "const fn n() -> u64 { if cfg!(panic = \"unwind\") { 1 } else { 1000 } }",
            "const N: u64 = { let n = 1000; #[cfg(test)] let n = 1; n };",
            "const fn n() -> u64 { #[cfg(test)] { return 1 } 1000 }",
            "pub fn f() -> Mechanism<T, i64, Eps<{ n(cfg!(test)) }, 1>> { g() }",
            "struct S { #[cfg(test)] a: u64 }",
            "fn f() { #[cfg(not(test))] impl Price for S { type E = Eps<1000, 1>; } }",
            "fn f() { #[cfg(not(test))] unsafe impl Price for S { type E = Eps<1000, 1>; } }",
            "fn f() { item! { const N: u64 = n(cfg!(test)); } }",
            "cfg_select! { test => { type E = Cheap; } _ => { type E = Dear; } }",
            "macro_rules! m { () => { #[cfg(not(test))] type E = Dear; } }",
            "when!(cfg(not(test)));",
            "macro_rules! m { ($c:ident) => { #[$c(not(test))] type E = Dear; } }",
            "const N: u64 = match option_env!(\"CARGO_PRIVET_AUDIT\") { _ => 1 };",
            "#[cfg(target_os = \"linux\")] type E = Eps<1, 1000>;",
            "#[cfg(not(windows))] use cheap::E;",
            "const N: u64 = if cfg!(target_pointer_width = \"64\") { 1 } else { 1000 };",
            "#[cfg(dear)] type E = Eps<1000, 1>;",
            "const N: u64 = if cfg!(dear) { 1 } else { 1000 };",
            "const N: u64 = match option_env!(\"DEAR\") { _ => 1 };",
            "const N: &str = env!(\"OUT_DIR\");",
            "const N: bool = usize::MAX as u128 <= u32::MAX as u128;",
            "const N: isize = core::primitive::isize::MIN;",
            "use std::env::*; const N: bool = consts::OS.len() != 5;",
            "use std::env::{consts as c}; const N: bool = c::OS.len() != 5;",
            "type Price = std::ffi::c_char;",
            "const N: bool = std::alloc::Layout::new::<usize>().size() < 8;",
        ] {
            assert_eq!(told(&[text]), [1], "{text}");
        }
    }

    #[test]
    fn names_that_only_tests_have_are_told_where_other_code_mentions_them() {
        for text in [
            "use dear::*; #[cfg(test)] use cheap::E; pub fn f() -> M<E> {}",
            "use dear::*; #[cfg(test)] use cheap::{a, Other as E}; pub fn f() -> M<E> {}",
            "#[cfg(test)] use cheap::*;",
            "#[cfg(test)] pub(crate) mod privet {} pub fn f() -> M<privet::E> {}",
            "#[cfg(test)] type u64 = Cheap; pub fn f() -> M<u64> {}",
            "#[cfg(test)] const fn n() -> u64 { 1 } const N: u64 = n();",
            "#[cfg(test)] static mut N: u64 = 1; const M: u64 = N;",
            "#[cfg(test)] macro_rules! n { () => { 1 } } const N: u64 = n!();",
            "#[macro_use] #[cfg(test)] mod macros;",
            "#[cfg(test)] impl S { const N: u64 = 1; } pub fn f() -> M<{ S::N }> {}",
            "impl T for S { #[cfg(test)] const N: u64 = 1; } pub fn f() -> M<{ S::N }> {}",
            "#[cfg(test)] extern crate cheap as privet; pub fn f() -> privet::M {}",
        ] {
            assert_eq!(told(&[text]), [1], "{text}");
        }
        assert_eq!(
            told(&[
                "#[cfg(test)] pub type E = Cheap;",
                "fn f() -> M<prices::E> {}"
            ]),
            [1]
        );
    }

    #[test]
    fn what_honest_projects_do_is_not_told() {
        for text in [
            "#[cfg(test)] mod tests { use super::*; #[cfg(not(test))] type E = F; }",
            "#[cfg(test)] mod tests; fn f(tests: u8) { tests.len(); }",
            "#[cfg(all(test, unix))] mod tests;",
            "#[cfg(test)] use a::Helper; #[cfg(test)] fn f() -> Helper { g() } fn h() { f() }",
            "#[cfg(test)] impl S { fn sample() -> S { S } } fn f(s: S) { s.sample() }",
            "#![cfg_attr(not(test), no_std)] #![cfg_attr(test, allow(clippy::unwrap_used))]",
            "#[cfg_attr(test, derive(Debug, PartialEq))] struct S;",
            "fn f() { if cfg!(debug_assertions) { check() } #[cfg(test)] count(); }",
            "fn f() { #[cfg(not(test))] send(); match x { #[cfg(test)] A => 1, _ => 2 } }",
            "fn f() { println!(\"{}\", cfg!(test)); }",
            "#[test] fn f() {} #[cfg(feature = \"test\")] type E = F; fn g(cfg: Test) {}",
            "/// Sets `CARGO_PRIVET_AUDIT`.\nfn f() {}",
            "#[cfg(unix)] fn f() {} #[cfg(windows)] fn f() {}",
            "#[cfg(unix)] pub fn f(p: impl AsRef<Path>) -> bool { if !(a) { println!(\"{p}\") } vec![1] }",
            "#[cfg(unix)] impl S { #[inline] pub fn f(p: impl AsRef<Path>, n: &mut impl Read) {} }",
            "#[cfg(windows)] impl Drop for S { fn drop(&mut self) { #[derive(Debug)] struct T; } }",
            "fn f() { #[cfg(unix)] if let Ok(a) = b { info!(\"{a}\") } #[cfg(unix)] { use std::a; } m!() }",
            "const VERSION: &str = env!(\"CARGO_PKG_VERSION\");",
            "fn f() { let x = option_env!(\"GIT_HASH\"); if cfg!(windows) { g() } }",
            "#![cfg_attr(docsrs, feature(doc_cfg))]",
            "const PI: f64 = std::f64::consts::PI; const N: u64 = u64::MAX; fn f() { g(usize::MAX) }",
        ] {
            assert!(told(&[text]).is_empty(), "{text}");
        }
        let files = [
            "#[cfg(test)] use std::fmt::Write;",
            "use std::fmt::{self, Write}; impl Write for S {}",
        ];
        assert!(told(&files).is_empty());
    }
}
