//! What the sources of a package say: `unsafe`, opened vaults, functions without the attribute.
//!
//! A heuristic: where it cannot tell, it reports.

mod calls;
mod excuse;
mod files;
mod functions;
pub mod graph;
mod items;
mod lints;
mod names;
mod opening;
mod priced;
mod shipped;
mod tokens;
mod unsafety;
mod vaults;
pub mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cargo_metadata::{Metadata, Package, Target};
use proc_macro2::{Delimiter, TokenTree};

use crate::fresh::sha256;
use crate::origin::Library;
use crate::place::Places;
use crate::report::{Defined, Spot};

use calls::Calls;
use files::Files;
use functions::{Functions, Needs, Wanted};
use graph::{Graph, Mention};
use names::{Declared, Written, holders_of, is_among, items, takers_of, traits_of};
use shipped::Shipped;
use tokens::{Here, Source, is_sign, words};
use unsafety::Unsafety;
use vaults::Vaults;
use walk::{Function, Within, redefined, walk, walk_file};

/// What was found in one package.
#[derive(Debug, Default)]
pub struct Scan {
    pub package: String,
    /// What privet is called here.
    pub names: BTreeSet<String>,
    /// Uses mechanisms: depends on privet, also by way of another package.
    pub uses: bool,
    /// Lies outside of the workspace, and cargo cannot build its tests.
    pub unbuilt: bool,
    /// Has a build script.
    pub builds: bool,
    /// Its macros are functions that write code.
    pub macros: bool,
    /// The files that were read.
    pub files: BTreeSet<String>,
    /// Every `unsafe` token.
    pub unsafe_code: Vec<Spot>,
    /// `unsafe impl`s of privet's traits, among these.
    pub unsafe_impls: Vec<Spot>,
    /// Crate roots without `forbid(unsafe_code)`.
    pub unforbidden: Vec<Spot>,
    /// `Vault::open`, `Vault::load_on` and the others.
    pub opened: Vec<Spot>,
    /// The same, with what they stand in.
    pub openings: Vec<Opening>,
    /// Public functions that return a mechanism or take a vault, and are not audited.
    pub unaudited: Vec<Spot>,
    /// Among these, the ones that take a vault.
    pub takes: BTreeSet<Spot>,
    /// Among these, what hides a mechanism or a vault, and how.
    pub hides: BTreeMap<Spot, &'static str>,
    /// Public functions whose price, or data, is a type parameter: their callers' types say it.
    pub by_callers: Vec<Spot>,
    /// Openers that do more with their vault than return it, and what.
    pub misused: Vec<Spot>,
    /// Statics that hold a vault.
    pub statics: Vec<Spot>,
    /// Statics that hold an object of any type.
    pub objects: Vec<Spot>,
    /// Places where a program may start itself.
    pub restarts: Vec<Spot>,
    /// Functions with the attribute.
    pub audited: Vec<Spot>,
    /// Among these, the public ones.
    pub public: BTreeSet<Spot>,
    /// Places where a test build, and so the audit, may have other types than what ships.
    pub only_tests: Vec<Spot>,
    /// Which builds may have others there.
    pub differs: BTreeMap<Spot, String>,
    /// Places whose types depend on features.
    pub features: Vec<Spot>,
    /// Places where a number that a type may have is computed.
    pub computed: Vec<Spot>,
    /// The same in a package that does not use privet, and conditions on the machine there.
    pub numbers: Vec<Spot>,
    /// Vaults that tests and benches of the package open.
    pub in_tests: Vec<Spot>,
    /// Functions of traits that return a mechanism: calls of them are not followed.
    pub of_traits: Vec<Spot>,
    /// Public functions that are given a meter, and can charge it.
    pub meters: Vec<Spot>,
    /// Places where rows are declared public: whatever runs on them is not paid.
    pub simulated: Vec<Spot>,
    /// Hashes of what audited functions take and do, by file and line.
    pub bodies: BTreeMap<(String, u32), String>,
    /// Places that name `privet::testing`, whose answers are exact.
    pub exact: Vec<Spot>,
    /// Records that name a person: `#[privet(person)]`.
    pub persons: BTreeSet<String>,
    /// Places where a part of a budget becomes a meter, whose prices are known when it runs.
    pub metered: Vec<Spot>,
    /// Names that only the audit's own tests have, and other attributes under the name of ours.
    pub forged: Vec<Spot>,
    /// Files that are no Rust or could not be read, and places that take in a file one cannot name.
    pub unreadable: Vec<Spot>,
    /// All functions, audited or not.
    pub functions: Defined,
    /// What is called by functions that are not audited, as written: `mean::<Eps<1, 2>>`.
    pub calls: BTreeSet<String>,
    /// All functions with what is known of them.
    pub graph: Vec<graph::Defined>,
    /// Where functions are named.
    pub mentions: Vec<Mention>,
    /// Names that files import.
    pub imported: BTreeSet<(String, String)>,
    /// `use a as b`: the file, the new name and the old one.
    pub renamed: BTreeSet<(String, String, String)>,
    /// Names of types that hold a vault.
    pub holders: BTreeSet<String>,
    /// How many times each name is made a type's or a constant's: `type Half = Eps<1, 2>`. Twice as
    /// many for one that is a parameter's.
    pub types: BTreeMap<String, usize>,
}

/// A place where a vault is opened.
#[derive(Clone, Debug)]
pub struct Opening {
    pub spot: Spot,
    pub inside: Option<Rc<Function>>,
    /// What may run it more than once in there.
    pub again: Option<&'static str>,
    /// It is on an account of a ledger.
    pub on_account: bool,
}

/// The names that are given to privet's types, in any of the packages.
struct Names {
    /// What the sources call types and traits of their own.
    declared: Declared,
    vaults: BTreeSet<String>,
    meters: BTreeSet<String>,
    /// What holds a vault.
    holders: BTreeSet<String>,
    /// What holds a function that takes one.
    takers: BTreeSet<String>,
    /// What holds a mechanism.
    plans: BTreeSet<String>,
    /// Traits that mechanisms have.
    of_mechanisms: BTreeSet<String>,
    mechanisms: BTreeSet<String>,
    traits: Vec<(&'static str, BTreeSet<String>)>,
}

/// Reads the sources of packages: their libraries, programs, examples and build scripts.
///
/// Of privet itself, the examples: its library is what the prices are computed by. Names are
/// collected over all packages, so that an alias in one is known in the others.
pub fn packages(packages: &[&Package], metadata: &Metadata, places: &Places) -> Vec<Scan> {
    let library = Library::of(metadata);
    let users = library.users();
    let mut read: Vec<(Scan, Vec<Source>)> = packages
        .iter()
        .map(|package| {
            let own = library.contains(package);
            sources(package, own, users.contains(&package.id), places)
        })
        .collect();
    let sources = || read.iter().flat_map(|(_, sources)| sources);
    let redefined = sources().flat_map(|source| redefined(&source.tokens));
    let redefined: Rc<BTreeSet<String>> = Rc::new(redefined.collect());
    for source in read.iter_mut().flat_map(|(_, sources)| sources) {
        source.redefined = redefined.clone();
    }
    let tokens = || {
        let sources = read.iter().flat_map(|(_, sources)| sources);
        sources.map(|source| &source.tokens)
    };
    let written = Written::read(tokens());
    let vaults = written.names_of("Vault");
    let mechanisms = written.names_of("Mechanism");
    let items = items(tokens());
    let names = Names {
        declared: Declared::read(tokens()),
        holders: holders_of(&vaults, &items),
        takers: takers_of(&vaults, &items),
        vaults,
        meters: written.names_of("Meter"),
        plans: holders_of(&mechanisms, &items),
        of_mechanisms: traits_of(&mechanisms, tokens()),
        mechanisms,
        traits: unsafety::traits(&written),
    };
    let scanned = read.into_iter().zip(packages);
    let scanned = scanned.map(|((mut scan, sources), package)| {
        if scan.uses && !library.contains(package) {
            scan.in_tests = opened_by_tests(package, &names, &scan, places);
        }
        scan.names = library.names_in(package);
        scan.read_all(&sources, &names, places);
        scan
    });
    scanned.collect()
}

/// The files of a package.
fn sources(package: &Package, own: bool, uses: bool, places: &Places) -> (Scan, Vec<Source>) {
    let home = package
        .manifest_path
        .parent()
        .map(|home| home.as_std_path());
    let shipped = |target: &&Target| is_linked(target) && (!own || target.is_example());
    let targets = || package.targets.iter().filter(shipped);
    let files = Files::of(targets(), home);

    let mut scan = Scan {
        package: package.name.to_string(),
        uses,
        builds: package.targets.iter().any(Target::is_custom_build),
        macros: package.targets.iter().any(Target::is_proc_macro),
        ..Scan::default()
    };
    // A crate may have another name than its package.
    let manifest = places.show(package.manifest_path.as_std_path());
    let dependencies = package.dependencies.iter();
    let renamed = dependencies.filter_map(|d| Some((d.rename.as_ref()?, d.name.to_string())));
    let targets_of = package.targets.iter().filter(|target| target.is_lib());
    let own = targets_of.map(|target| (&target.name, package.name.to_string()));
    for (new, old) in renamed.chain(own) {
        let (new, old) = (new.replace('-', "_"), old.replace('-', "_"));
        if new != old {
            scan.renamed.insert((manifest.clone(), new, old));
        }
    }
    for (path, line) in &files.unnamed {
        let what = "takes in a file whose name the scan cannot tell";
        scan.unreadable
            .push(scan.spot(&places.show(path), *line, what));
    }
    let mut sources: Vec<Source> = Vec::new();
    for (path, source) in files.all {
        scan.files.insert(places.show(&path));
        match source {
            Ok(source) => sources.push(Source {
                test: files.tests.contains(&path),
                ..source
            }),
            Err(what) => scan
                .unreadable
                .push(scan.spot(&places.show(&path), 1, what)),
        }
    }
    if scan.uses && !home.is_some_and(lints::manifest_forbids) {
        for target in targets().filter(|target| !target.is_custom_build()) {
            let root = target.src_path.as_std_path();
            let mut own = sources.iter().filter(|source| source.path == root);
            if !own.any(|source| lints::source_forbids(&source.tokens)) {
                let what = "no `#![forbid(unsafe_code)]`";
                scan.unforbidden
                    .push(scan.spot(&places.show(root), 1, what));
            }
        }
    }
    (scan, sources)
}

/// Where tests and benches of a package open vaults. They are not part of what is shipped, and no
/// rule is about them.
fn opened_by_tests(package: &Package, names: &Names, scan: &Scan, places: &Places) -> Vec<Spot> {
    let targets = package.targets.iter().filter(|target| !is_linked(target));
    let mut found = Vec::new();
    for (path, source) in Files::of(targets, None).all {
        let file = places.show(&path);
        let Some(source) = source.ok().filter(|_| !scan.files.contains(&file)) else {
            continue;
        };
        let mut vaults = Vaults::new(&names.vaults);
        walk(source.tokens.clone(), &mut |here, within| {
            // A test is what is looked for here.
            let mut shipped = within.clone();
            shipped.test = false;
            vaults.look(here, &shipped);
        });
        let opened = vaults.opened.iter();
        found.extend(opened.map(|o| scan.spot(&file, o.line, &source.line(o.line))));
    }
    found
}

/// Whether `privet::testing` is named here, in a list or by another name of the crate, too.
fn names_testing(here: Here<'_>, within: &Within) -> bool {
    let before = here.word(-3);
    let own = ["crate", "self", "super"].contains(&before.as_str());
    let listed = within.import && (here.sign(-1, ',') || here.token(-1).is_none());
    here.word(0) == "testing" && (here.separator(-2) && !own || listed)
}

/// The parameters of the function or `impl` that begins here.
fn parameters(here: Here<'_>) -> Vec<String> {
    let first = match here.keyword(0).as_str() {
        "fn" => 2,
        "impl" => 1,
        _ => return Vec::new(),
    };
    if !here.sign(first, '<') {
        return Vec::new();
    }
    let (mut depth, mut at, mut found) = (0_i32, first, Vec::new());
    while here.token(at).is_some() {
        depth += i32::from(here.sign(at, '<'));
        depth -= i32::from(here.sign(at, '>') && !here.sign(at - 1, '-'));
        if depth == 0 {
            break;
        }
        let begins = here.sign(at, '<') || here.sign(at, ',');
        if depth == 1 && begins {
            let constant = isize::from(here.word(at + 1) == "const");
            found.push(here.word(at + 1 + constant));
        }
        at += 1;
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The words of the type of a static that is declared here.
fn held_by_static(here: Here<'_>) -> Option<Vec<String>> {
    if here.word(0) != "static" || here.sign(-1, '\'') {
        return None;
    }
    let name = 1 + isize::from(here.word(1) == "mut") + isize::from(here.sign(1, '$'));
    if here.word(name).is_empty() || !here.sign(name + 1, ':') {
        return None;
    }
    let of = here.rest().iter().skip(name.unsigned_abs() + 2);
    let of = of.take_while(|token| !is_sign(token, '=') && !is_sign(token, ';'));
    let of = words(of.cloned().collect());
    // A pointer holds nothing.
    Some(of).filter(|of| of.first().is_none_or(|word| word != "fn"))
}

/// Whether rows are declared public here, or may be: `Simulation::of_public`, `Simulation::$f`.
fn declares_public(here: Here<'_>) -> bool {
    let given = here.sign(0, '$') && here.separator(-2) && here.word(-3) == "Simulation";
    here.word(0) == "of_public" && here.word(-1) != "fn" || given
}

/// The name of the structure that is declared here, if one of its fields says whose row it is:
/// `#[privet(person)]`.
fn person_record(here: Here<'_>) -> Option<String> {
    if here.word(0) != "struct" {
        return None;
    }
    let mut head = here.rest().iter().take_while(|token| !is_sign(token, ';'));
    let fields = head.find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    })?;
    let fields: Vec<TokenTree> = fields.into_iter().collect();
    let says = |at: usize| {
        let attribute = Here::new(&fields, at);
        let group = attribute.group(0, Delimiter::Bracket);
        let words = group.map(|group| words(group.stream())).unwrap_or_default();
        attribute.sign(-1, '#')
            && words.first().is_some_and(|word| word == "privet")
            && words.iter().any(|word| word == "person")
    };
    (0..fields.len()).any(says).then(|| here.word(1))
}

/// Tests and benches are not part of what is shipped.
fn is_linked(target: &Target) -> bool {
    !target.is_test() && !target.is_bench()
}

impl Scan {
    /// Why functions of this package can be without a price.
    pub fn why_unpriced(&self) -> &'static str {
        if self.unbuilt {
            "its package lies outside of the workspace and has dev-dependencies, so that cargo does not build its audit: make it a member, or audit it by itself"
        } else {
            "it is inside another function, switched off by a `cfg`, or in a target without the test harness"
        }
    }

    fn spot(&self, file: &str, line: usize, what: &str) -> Spot {
        Spot {
            package: self.package.clone(),
            file: file.to_string(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            what: what.to_string(),
        }
    }

    fn read_all(&mut self, sources: &[Source], names: &Names, places: &Places) {
        let mut shipped = Shipped::new(self.uses, self.builds || self.macros);
        for (number, source) in sources.iter().enumerate() {
            let file = places.show(&source.path);
            self.read(source, &file, names, &mut |here, within| {
                shipped.look(number, here, within)
            });
        }
        let spot = |scan: &Scan, (number, line): (usize, usize)| {
            let source = &sources[number];
            scan.spot(&places.show(&source.path), line, &source.line(line))
        };
        let features = core::mem::take(&mut shipped.features);
        self.features = features
            .into_iter()
            .map(|place| spot(self, place))
            .collect();
        let computed = core::mem::take(&mut shipped.computed);
        self.computed = computed
            .into_iter()
            .map(|place| spot(self, place))
            .collect();
        let numbers = core::mem::take(&mut shipped.numbers);
        self.numbers = numbers.into_iter().map(|place| spot(self, place)).collect();
        for (place, build) in shipped.told() {
            let spot = spot(self, place);
            self.only_tests.push(spot.clone());
            self.differs.insert(spot, build);
        }
        self.holders = names.holders.clone();
        self.sort();
    }

    /// Takes in what is found in one file, and shows its tokens to `also`.
    fn read(
        &mut self,
        source: &Source,
        file: &str,
        names: &Names,
        also: &mut dyn FnMut(Here<'_>, &Within),
    ) {
        let mut unsafety = Unsafety::new(&names.traits);
        let mut vaults = Vaults::new(&names.vaults);
        let mut calls = Calls::default();
        let mut graph = Graph::default();
        let (mut metered, mut forged, mut restarts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut statics, mut objects) = (Vec::new(), Vec::new());
        let (mut simulated, mut exact) = (Vec::new(), Vec::new());
        walk_file(source, &mut |here, within| {
            also(here, within);
            unsafety.look(here);
            vaults.look(here, within);
            calls.look(here, within);
            graph.look(here, within);
            if declares_public(here) && !within.test && !within.import {
                simulated.push(here.line());
            }
            if names_testing(here, within) && !within.test {
                exact.push(here.line());
            }
            if !within.test {
                self.persons.extend(person_record(here));
            }
            let called = here.sign(-1, '.') || here.separator(-2);
            if here.word(0) == "metered" && called && !within.test {
                metered.push(here.line());
            }
            let ours = here.word(-2) == "audited" && here.word(-4) == "privet";
            let renamed = within.import && here.word(-1) == "as" && here.word(0) == "audited";
            if here.word(0).contains("__privet") || renamed && !ours || self.is_false_name(here) {
                forged.push(here.line());
            }
            let itself = matches!(here.token(0), Some(TokenTree::Literal(text)) if text.to_string().contains("/proc/self/"));
            if (here.word(0) == "current_exe" || itself) && !within.test {
                restarts.push(here.line());
            }
            if let Some(held) = held_by_static(here).filter(|_| !within.test) {
                if is_among(&held, &names.vaults) || is_among(&held, &names.holders) {
                    statics.push(here.line());
                } else if held.iter().any(|word| word == "dyn") {
                    objects.push(here.line());
                }
            }
            let alias = matches!(here.word(0).as_str(), "type" | "as" | "const") && !within.test;
            if alias && !here.word(1).is_empty() {
                *self.types.entry(here.word(1)).or_default() += 1;
            }
            // What a parameter stands for is never what is listed. Calls in audited functions are not
            // asked about.
            if !within.test && !within.audited {
                for parameter in parameters(here) {
                    *self.types.entry(parameter).or_default() += 2;
                }
            }
        });
        let shipped = if source.test { "" } else { &source.text };
        let wanted = Wanted {
            mechanisms: &names.mechanisms,
            plans: &names.plans,
            traits: &names.of_mechanisms,
            takers: &names.takers,
            vaults: &names.vaults,
            holders: &names.holders,
            meters: &names.meters,
            declared: &names.declared,
            other_test: source.redefined.contains("test"),
            redefined: &source.redefined,
        };
        let functions = Functions::read(shipped, &wanted);

        let lines = |lines: Vec<usize>| lines.into_iter().map(|line| (line, source.line(line)));
        let spots = |found: &mut dyn Iterator<Item = (usize, String)>| {
            let spots = found.map(|(line, what)| self.spot(file, line, &what));
            spots.collect::<Vec<Spot>>()
        };
        let unsafe_code = spots(&mut lines(unsafety.code));
        let unsafe_impls = spots(&mut unsafety.impls.into_iter());
        let metered = spots(&mut lines(metered));
        let meters = spots(&mut functions.meters.into_iter());
        let simulated = spots(&mut lines(simulated));
        let exact = spots(&mut lines(exact));
        let forged = spots(&mut lines(forged));
        let restarts = spots(&mut lines(restarts));
        let statics = spots(&mut lines(statics));
        let objects = spots(&mut lines(objects));
        let misused = functions.misused.into_iter();
        let misused = spots(
            &mut misused
                .map(|(line, name, what)| (line, format!("`{name}` opens a vault and {what}"))),
        );
        let of_traits = spots(&mut functions.of_traits.into_iter());
        let openings: Vec<Opening> = vaults
            .opened
            .into_iter()
            .map(|opened| Opening {
                spot: self.spot(file, opened.line, &source.line(opened.line)),
                inside: opened.inside,
                again: opened.again,
                on_account: opened.on_account,
            })
            .collect();
        for (line, name, cost) in functions.by_callers {
            let spot = self.spot(file, line, &format!("`{name}` at `{cost}`"));
            self.by_callers.push(spot);
        }
        for (line, name, needs) in functions.unaudited {
            let spot = self.spot(file, line, &name);
            match needs {
                Needs::Returns => {}
                Needs::Takes => {
                    self.takes.insert(spot.clone());
                }
                Needs::Hides(how) => {
                    self.hides.insert(spot.clone(), how);
                }
            }
            self.unaudited.push(spot);
        }
        for (line, body) in functions.bodies {
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let hash = sha256(body.as_bytes());
            self.bodies.insert((file.to_string(), line), hash);
        }
        for (line, name, public) in functions.audited {
            let spot = self.spot(file, line, &name);
            if public {
                self.public.insert(spot.clone());
            }
            self.audited.push(spot);
        }
        self.unsafe_code.extend(unsafe_code);
        self.unsafe_impls.extend(unsafe_impls);
        self.opened.extend(openings.iter().map(|o| o.spot.clone()));
        self.openings.extend(openings);
        self.metered.extend(metered);
        self.meters.extend(meters);
        self.simulated.extend(simulated);
        self.exact.extend(exact);
        self.forged.extend(forged);
        self.restarts.extend(restarts);
        self.statics.extend(statics);
        self.objects.extend(objects);
        self.misused.extend(misused);
        self.of_traits.extend(of_traits);
        self.calls.extend(calls.0);
        let package = &self.package;
        self.graph
            .extend(graph.functions.into_iter().map(|function| graph::Defined {
                package: package.clone(),
                file: file.to_string(),
                function,
            }));
        self.mentions
            .extend(graph.mentions.into_iter().map(|mention| Mention {
                package: package.clone(),
                file: file.to_string(),
                ..mention
            }));
        let imported = graph.imported.into_iter();
        self.imported
            .extend(imported.map(|name| (file.to_string(), name)));
        let renamed = graph.renamed.into_iter();
        self.renamed
            .extend(renamed.map(|(new, old)| (file.to_string(), new, old)));
        let defined = functions.names.into_iter();
        self.functions
            .extend(defined.map(|name| (file.to_string(), name)));
    }

    /// Whether something else takes the name of privet here, by which the attribute finds what prints
    /// prices, or of a package of the compiler's, by which it finds what a test is.
    fn is_false_name(&self, here: Here<'_>) -> bool {
        if here.word(0) != "extern" || !here.sign(1, '$') && here.word(1) != "crate" {
            return false;
        }
        // A macro may write the rest.
        if here.sign(1, '$') || here.sign(2, '$') || here.sign(4, '$') {
            return true;
        }
        let (old, new) = (here.word(2), here.word(4));
        match new.as_str() {
            "privet" => here.word(3) == "as" && !self.names.contains(&old),
            "alloc" | "core" | "std" => here.word(3) == "as" && old != new,
            _ => false,
        }
    }

    fn sort(&mut self) {
        for list in [
            &mut self.unsafe_code,
            &mut self.unsafe_impls,
            &mut self.unforbidden,
            &mut self.opened,
            &mut self.unaudited,
            &mut self.audited,
            &mut self.only_tests,
            &mut self.features,
            &mut self.computed,
            &mut self.numbers,
            &mut self.misused,
            &mut self.by_callers,
            &mut self.statics,
            &mut self.objects,
            &mut self.restarts,
            &mut self.in_tests,
            &mut self.of_traits,
            &mut self.metered,
            &mut self.meters,
            &mut self.simulated,
            &mut self.exact,
            &mut self.forged,
            &mut self.unreadable,
        ] {
            list.sort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn parameters_of_functions_are_known() {
        for (text, expected) in [
            ("fn f<B: Budget, const N: usize>() {}", &["B", "N"][..]),
            ("fn f<'a, T: Fn(u8, X) -> Vec<Y, Z>>() {}", &["T"]),
            ("impl<B> S<B, C> {}", &["B"]),
            ("fn f() -> Vec<u8> {}", &[]),
        ] {
            let tokens: proc_macro2::TokenStream = text.parse().expect("tokens");
            let tokens: Vec<_> = tokens.into_iter().collect();
            assert_eq!(parameters(Here::new(&tokens, 0)), expected, "{text}");
        }
    }

    #[test]
    fn two_vaults_on_one_line_are_two() {
        let text = "fn f() -> (V, V) { (Vault::open(a), Vault::open(b)) }";
        let mut source = Source::new(Path::new("src/lib.rs"), text.into()).expect("a source");
        let names = Names {
            declared: Declared::default(),
            vaults: BTreeSet::from(["Vault".to_string()]),
            meters: BTreeSet::new(),
            holders: BTreeSet::new(),
            takers: BTreeSet::new(),
            plans: BTreeSet::new(),
            of_mechanisms: BTreeSet::new(),
            mechanisms: BTreeSet::new(),
            traits: Vec::new(),
        };
        let mut scan = Scan::default();
        scan.read(&source, "src/lib.rs", &names, &mut |_, _| {});
        scan.sort();
        assert_eq!(scan.opened.len(), 2);
        source.test = true;
        scan.read(&source, "src/lib.rs", &names, &mut |_, _| {});
        assert_eq!(scan.opened.len(), 2);
    }
}
