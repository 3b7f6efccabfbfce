//! What the sources of a package say: `unsafe`, opened vaults, functions without the attribute.
//!
//! A heuristic: where it cannot tell, it reports.

mod calls;
mod files;
mod functions;
mod items;
mod lints;
mod names;
mod shipped;
mod tokens;
mod unsafety;
mod vaults;
mod walk;

use std::collections::BTreeSet;
use std::path::Path;

use cargo_metadata::{Metadata, Package, Target};

use crate::collect::users_of_privet;
use crate::report::{Defined, Spot};

use calls::Calls;
use files::Files;
use functions::Functions;
use names::names_of;
use shipped::Shipped;
use tokens::Source;
use unsafety::Unsafety;
use vaults::Vaults;
use walk::walk_file;

/// What was found in one package.
#[derive(Debug, Default)]
pub struct Scan {
    pub package: String,
    /// Uses mechanisms: depends on privet, also by way of another package.
    pub uses: bool,
    /// Every `unsafe` token.
    pub unsafe_code: Vec<Spot>,
    /// `unsafe impl`s of privet's traits, among these.
    pub unsafe_impls: Vec<Spot>,
    /// Crate roots without `forbid(unsafe_code)`.
    pub unforbidden: Vec<Spot>,
    /// `Vault::open`, `Vault::load`, `Vault::load_with_report` and `Vault::of_person`.
    pub opened: Vec<Spot>,
    /// Public functions that return a mechanism and are not audited.
    pub unaudited: Vec<Spot>,
    /// Functions with the attribute.
    pub audited: Vec<Spot>,
    /// Places where a test build, and so the audit, may have other types than what ships.
    pub only_tests: Vec<Spot>,
    /// Files that are no Rust or could not be read, and places that take in a file one cannot name.
    pub unreadable: Vec<Spot>,
    /// All functions, audited or not.
    pub functions: Defined,
    /// What is called by functions that are not audited, as written: `mean::<Eps<1, 2>>`.
    pub calls: BTreeSet<String>,
}

/// The names that a package gives to privet's types.
struct Names {
    vaults: BTreeSet<String>,
    mechanisms: BTreeSet<String>,
    traits: Vec<(&'static str, BTreeSet<String>)>,
}

/// Reads the sources of a package: its libraries, programs, examples and build script.
///
/// Of privet itself, the examples: its library is what the prices are computed by.
pub fn package(package: &Package, metadata: &Metadata) -> Scan {
    let own = *package.name == "privet";
    let root = metadata.workspace_root.as_std_path();
    let home = package
        .manifest_path
        .parent()
        .map(|home| home.as_std_path());
    let shipped = |target: &&Target| is_linked(target) && (!own || target.is_example());
    let targets = || package.targets.iter().filter(shipped);
    let files = Files::of(targets(), home);

    let mut scan = Scan {
        package: package.name.to_string(),
        uses: users_of_privet(metadata).contains(&package.id),
        ..Scan::default()
    };
    if scan.uses && !home.is_some_and(lints::manifest_forbids) {
        for target in targets().filter(|target| !target.is_custom_build()) {
            let source = target.src_path.as_std_path();
            let text = std::fs::read_to_string(source);
            if !text.is_ok_and(|text| lints::source_forbids(&text)) {
                let what = "no `#![forbid(unsafe_code)]`";
                scan.unforbidden
                    .push(scan.spot(&relative(source, root), 1, what));
            }
        }
    }
    for (path, line) in &files.unnamed {
        let what = "takes in a file whose name the scan cannot tell";
        scan.unreadable
            .push(scan.spot(&relative(path, root), *line, what));
    }
    let mut sources = Vec::new();
    for path in &files.all {
        match Source::read(path) {
            Ok(source) => sources.push(Source {
                test: files.tests.contains(path),
                ..source
            }),
            Err(what) => scan
                .unreadable
                .push(scan.spot(&relative(path, root), 1, what)),
        }
    }
    let tokens = || sources.iter().map(|source| &source.tokens);
    let names = Names {
        vaults: names_of("Vault", tokens()),
        mechanisms: names_of("Mechanism", tokens()),
        traits: unsafety::traits(tokens),
    };
    let mut shipped = Shipped::default();
    for (number, source) in sources.iter().enumerate() {
        scan.read(source, &relative(&source.path, root), &names);
        walk_file(source, &mut |here, within| {
            shipped.look(number, here, within)
        });
    }
    for (number, line) in shipped.told() {
        let source = &sources[number];
        let file = relative(&source.path, root);
        scan.only_tests
            .push(scan.spot(&file, line, &source.line(line)));
    }
    scan.sort();
    scan
}

/// Tests and benches are not part of what is shipped.
fn is_linked(target: &Target) -> bool {
    !target.is_test() && !target.is_bench()
}

/// A path as people write it, from the project's root.
pub fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

impl Scan {
    fn spot(&self, file: &str, line: usize, what: &str) -> Spot {
        Spot {
            package: self.package.clone(),
            file: file.to_string(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            what: what.to_string(),
        }
    }

    /// Takes in what is found in one file.
    fn read(&mut self, source: &Source, file: &str, names: &Names) {
        let mut unsafety = Unsafety::new(&names.traits);
        let mut vaults = Vaults::new(&names.vaults);
        let mut calls = Calls::default();
        walk_file(source, &mut |here, within| {
            unsafety.look(here);
            vaults.look(here, within);
            calls.look(here, within);
        });
        let shipped = if source.test { "" } else { &source.text };
        let functions = Functions::read(shipped, &names.mechanisms);

        let lines = |lines: Vec<usize>| lines.into_iter().map(|line| (line, source.line(line)));
        let spots = |found: &mut dyn Iterator<Item = (usize, String)>| {
            let spots = found.map(|(line, what)| self.spot(file, line, &what));
            spots.collect::<Vec<Spot>>()
        };
        let unsafe_code = spots(&mut lines(unsafety.code));
        let unsafe_impls = spots(&mut unsafety.impls.into_iter());
        let opened = spots(&mut lines(vaults.opened));
        let unaudited = spots(&mut functions.unaudited.into_iter());
        let audited = spots(&mut functions.audited.into_iter());
        self.unsafe_code.extend(unsafe_code);
        self.unsafe_impls.extend(unsafe_impls);
        self.opened.extend(opened);
        self.unaudited.extend(unaudited);
        self.audited.extend(audited);
        self.calls.extend(calls.0);
        let defined = functions.names.into_iter();
        self.functions
            .extend(defined.map(|name| (file.to_string(), name)));
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
            &mut self.unreadable,
        ] {
            list.sort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_vaults_on_one_line_are_two() {
        let text = "fn f() -> (V, V) { (Vault::open(a), Vault::open(b)) }";
        let mut source = Source::new(Path::new("src/lib.rs"), text.into()).expect("a source");
        let names = Names {
            vaults: BTreeSet::from(["Vault".to_string()]),
            mechanisms: BTreeSet::new(),
            traits: Vec::new(),
        };
        let mut scan = Scan::default();
        scan.read(&source, "src/lib.rs", &names);
        scan.sort();
        assert_eq!(scan.opened.len(), 2);
        source.test = true;
        scan.read(&source, "src/lib.rs", &names);
        assert_eq!(scan.opened.len(), 2);
    }
}
