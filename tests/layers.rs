//! The tree is a stack of layers: a module imports from its own layer and from those below it.
//!
//! This reads the sources of the crate, resolves every path that starts at `crate`, and fails on an
//! edge that goes up or on a cycle. DESIGN.md shows the same stack as a picture.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up. Modules on one line are neighbours: they may import each other one way.
const LAYERS: &[&[&str]] = &[
    &["number", "process", "stored"],
    &["cost", "noise"],
    &["ledger"],
    &["error"],
    &["data"],
    &["expr"],
    &["query"],
    &["mechanism"],
    &["vault"],
    &["report"],
    &["algorithms", "audit", "testing"],
    &["prelude", "guide", "gallery"],
];

/// Edges that go up, each with the reason why it stays.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

#[test]
fn no_module_reaches_up() {
    let edges = edges();
    assert!(edges.len() > 20, "the reader of imports found {edges:?}");
    let layer = |module: &str| {
        LAYERS
            .iter()
            .position(|layer| layer.contains(&module))
            .unwrap_or_else(|| panic!("`{module}` is in no layer; add it to LAYERS and DESIGN.md"))
    };
    let up: Vec<_> = edges
        .iter()
        .filter(|((from, to), _)| layer(from) < layer(to))
        .filter(|((from, to), _)| !EXCEPTIONS.iter().any(|(f, t, _)| f == from && t == to))
        .collect();
    assert!(up.is_empty(), "imports that reach up: {up:#?}");
    for (from, to, reason) in EXCEPTIONS {
        assert!(
            edges.contains_key(&(from.to_string(), to.to_string())),
            "the exception {from} -> {to} ({reason}) is no longer needed"
        );
    }
}

#[test]
fn no_modules_import_each_other() {
    let edges: BTreeSet<_> = edges().into_keys().collect();
    let modules = LAYERS.iter().map(|layer| layer.len()).sum::<usize>();
    println!("{modules} modules, {} edges", edges.len());
    for (from, to) in &edges {
        let mut seen = BTreeSet::from([to]);
        let mut next = vec![to];
        while let Some(module) = next.pop() {
            for (_, further) in edges.iter().filter(|(start, _)| start == module) {
                if seen.insert(further) {
                    next.push(further);
                }
            }
        }
        assert!(!seen.contains(from), "`{from}` and `{to}` are in a cycle");
    }
}

/// A name at the root is for users of the crate; inside it, a path says which layer it is from.
#[test]
fn imports_name_their_layer() {
    let mut bare = Vec::new();
    for file in sources() {
        for path in paths(&code(&file)) {
            let first = path.split("::").next().unwrap_or_default();
            if first.starts_with(|c: char| c.is_ascii_uppercase()) && module(&file) != "prelude" {
                bare.push(format!("{}: crate::{path}", file.display()));
            }
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn the_reader_sees_nested_and_multi_line_imports() {
    let text =
        "use crate::{\n    cost::{self, Price},\n    data::Domain,\n};\ncrate::noise::laplace();";
    assert_eq!(
        paths(text),
        [
            "cost::self",
            "cost::Price",
            "data::Domain",
            "noise::laplace"
        ]
    );
}

/// Which top-level module imports which, with a place for each edge.
fn edges() -> BTreeMap<(String, String), String> {
    let mut edges = BTreeMap::new();
    for file in sources() {
        let from = module(&file);
        for path in paths(&code(&file)) {
            let to = path.split("::").next().unwrap_or_default().to_string();
            let named = to.starts_with(|c: char| c.is_ascii_lowercase());
            // The prelude re-exports names of the root, which are for users.
            if named && to != from && to != "self" && from != "prelude" {
                edges.insert((from.clone(), to), file.display().to_string());
            }
        }
    }
    edges
}

/// All source files but the root and tests.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "lib.rs" && name != "tests.rs" {
                found.push(path);
            }
        }
    }
    found.retain(|path| !path.components().any(|part| part.as_os_str() == "tests"));
    found.sort();
    found
}

/// The top-level module that a file belongs to.
fn module(file: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    let first = first.as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_string()
}

/// The file without comments and without its unit tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text
        .lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(test"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>();
    code.join("\n")
}

/// Every path after `crate::`, with groups in braces taken apart. What an exported macro writes
/// after `$crate::` is for users.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(|c: char| c == '$' || c.is_alphanumeric()) {
            tree("", &code[at + "crate::".len()..], &mut found);
        }
    }
    found
}

/// Reads one tree of an import; returns what is left behind it.
fn tree<'a>(lead: &str, text: &'a str, found: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start().trim_start_matches(',').trim_start();
            if let Some(rest) = rest.strip_prefix('}') {
                return rest;
            }
            if rest.is_empty() {
                return rest;
            }
            rest = tree(lead, rest, found);
        }
    }
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if let Some(rest) = rest.strip_prefix("::")
        && !rest.starts_with('<')
    {
        return tree(&format!("{lead}{name}::"), rest, found);
    }
    if end == 0 {
        // Not a path: a glob, or something this reader need not know.
        return text.get(1..).unwrap_or_default();
    }
    found.push(format!("{lead}{name}"));
    rest
}
