//! What rustdoc does not check: that citations of the theory name a section of it, that every proof is
//! a page, and that the links of the front page also work on a Git host.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(ROOT).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with one of these endings.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending)) {
                found.push(path);
            }
        }
    }
    found
}

/// As rustdoc and Git hosts make them: lower case, hyphens for spaces, no punctuation.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

/// T1 and the like, where they are whole words.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| {
            let number = word.strip_prefix('T').unwrap_or_default();
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        })
}

#[test]
fn citations_name_a_section_of_the_theory() {
    let theory = anchors(&read("src/docs/theory.md"));
    let mut cited = 0;
    for folder in ["src", "proofs", "examples", "crates"] {
        for file in files(folder, &["rs", "md"]) {
            let text = read(&file);
            for rest in text.split("guide::theory#").skip(1) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-');
                let section = &rest[..end.unwrap_or(rest.len())];
                assert!(
                    theory.contains(section),
                    "{} cites `{section}`, which the theory does not have",
                    file.display()
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 50, "found only {cited} citations");
}

#[test]
fn every_law_has_a_link_of_its_number() {
    let links = read("src/docs/theory_links.md");
    for number in 1..=26 {
        let lead = format!("[T{number}]: crate::guide::theory#t{number}-");
        assert_eq!(links.matches(&lead).count(), 1, "{lead}");
    }
}

#[test]
fn public_documentation_cites_by_links() {
    let mut bare = Vec::new();
    for file in files("src", &["rs", "md"]) {
        let name = file.strip_prefix(ROOT).unwrap().display().to_string();
        let is_page = name.ends_with(".md");
        if name.contains("theory") {
            continue;
        }
        for line in read(&file).lines() {
            let start = line.trim_start();
            if is_page || start.starts_with("///") || start.starts_with("//!") {
                for cited in citations(line) {
                    if !line.contains(&format!("[{cited}]")) {
                        bare.push(format!("{name}: {line}"));
                    }
                }
            }
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn every_proof_is_a_page() {
    let pages = read("src/guide/proofs.rs");
    let (_, listed) = pages.rsplit_once("pages! {").unwrap();
    let listed: BTreeSet<_> = listed
        .split_whitespace()
        .filter(|word| *word != "}")
        .map(str::to_owned)
        .collect();
    let proofs = files("proofs", &["md"]).into_iter();
    let proofs: BTreeSet<_> = proofs
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, proofs);
    for (page, section) in sections_of_proofs() {
        let anchors = anchors(&read(format!("proofs/{page}.md")));
        assert!(
            anchors.contains(&section),
            "{page} has no section `{section}`"
        );
    }
}

/// What the theory cites of the proofs: a page and its section.
fn sections_of_proofs() -> Vec<(String, String)> {
    let theory = read("src/docs/theory.md");
    let cited = theory.split("(proofs::").skip(1).filter_map(|rest| {
        let (page, section) = rest.split_once(')')?.0.split_once('#')?;
        Some((page.to_owned(), section.to_owned()))
    });
    cited.collect()
}

/// The names and targets of link definitions.
fn definitions(page: &str) -> Vec<(String, String)> {
    let lines = page.lines().filter_map(|line| line.split_once("]: "));
    lines
        .filter_map(|(name, target)| Some((name.strip_prefix('[')?, target)))
        .map(|(name, target)| (name.to_owned(), target.to_owned()))
        .collect()
}

#[test]
fn the_front_page_links_to_files_on_a_git_host() {
    let readme = read("README.md");
    let files = definitions(&readme);
    assert!(files.len() > 10, "{files:?}");
    for (name, file) in &files {
        assert!(Path::new(ROOT).join(file).exists(), "{name}: {file}");
        let used = readme.matches(&format!("[{name}]")).count();
        assert!(used > 1, "the front page does not use [{name}]");
    }
    for (name, item) in definitions(&read("src/docs/front_page_links.md")) {
        assert!(
            files.iter().any(|(other, _)| *other == name),
            "[{name}]: {item} has no file"
        );
    }
    assert_eq!(
        files.len(),
        definitions(&read("src/docs/front_page_links.md")).len(),
        "every link of the front page leads to an item in the documentation"
    );
}

/// A reader who knows only DESIGN.md finds the file of any line.
#[test]
fn the_map_names_every_source_file() {
    let design = read("DESIGN.md");
    let (_, map) = design.split_once("### Which file").unwrap();
    let (map, _) = map.split_once("\n### ").unwrap();
    let src = Path::new(ROOT).join("src");
    let mut missing = Vec::new();
    for file in files("src", &["rs"]) {
        let path = file.strip_prefix(&src).unwrap().with_extension("");
        let path = path.to_str().unwrap();
        if !map.contains(&format!("`{path}`")) {
            missing.push(path.to_owned());
        }
    }
    assert!(missing.is_empty(), "not in DESIGN.md: {missing:?}");
    // And no file is named that is not there.
    let rows = map.lines().filter_map(|line| line.strip_prefix("| `"));
    for name in rows.flat_map(|row| row.split(" | ").next().unwrap_or("").split("`, `")) {
        let name = name.trim_end_matches('`');
        assert!(
            src.join(name).with_extension("rs").is_file(),
            "`{name}` is in DESIGN.md only"
        );
    }
    // What the third column says is defined in a file is defined there.
    for row in map.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 4, "{row}");
        let here: String = cells[0]
            .split('`')
            .skip(1)
            .step_by(2)
            .map(|name| read(format!("src/{name}.rs")))
            .collect();
        for name in cells[2].split('`').skip(1).step_by(2) {
            let defined = ["struct", "enum", "trait", "type"]
                .iter()
                .any(|kind| here.contains(&format!("{kind} {name}")));
            assert!(defined, "{}: no `{name}`", cells[0]);
        }
    }
}
