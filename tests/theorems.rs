//! Every law names its theorem.
//!
//! A law is a public trait of `cost` or `number`, or a place that mints a cost. Above it, or next to where it mints,
//! is `// Proved: File.theorem, File.theorem`, and the theorem is in `proofs/coq/File.v`; or `// Not proved: why`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `dir` whose names end in `.ext`, with their text.
fn files(dir: &Path, ext: &str) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, ext));
        } else if path.extension().is_some_and(|e| e == ext) {
            let text = fs::read_to_string(&path).expect("text");
            found.insert(path, text);
        }
    }
    found
}

/// What a development proves: `File.name`, for each theorem and lemma of it.
fn theorems(proofs: &BTreeMap<PathBuf, String>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (path, text) in proofs {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            if let Some("Theorem" | "Lemma" | "Corollary") = words.next()
                && let Some(name) = words.next()
            {
                names.insert(format!("{file}.{}", name.trim_end_matches(':')));
            }
        }
    }
    names
}

/// The theorems that a comment names.
fn named(line: &str) -> Option<Vec<String>> {
    let names = line.trim().strip_prefix("// Proved: ")?;
    // What stands in brackets is for people.
    let names = names
        .split(", ")
        .filter_map(|name| name.split(" (").next())
        .map(|name| name.trim_end_matches(['.', ')']).to_owned())
        .filter(|name| !name.contains(' '));
    Some(names.collect())
}

/// The reason that a comment states.
fn reason(line: &str) -> Option<&str> {
    let reason = line.trim().strip_prefix("// Not proved: ")?;
    (reason.len() >= 15).then_some(reason)
}

fn says_something(line: &str) -> bool {
    named(line).is_some_and(|names| !names.is_empty()) || reason(line).is_some()
}

fn is_comment_or_attribute(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("//")
        || line.starts_with('#')
        || line.ends_with(")]")
        || line.starts_with("message =")
        || line.starts_with("label =")
        || line.starts_with("note =")
}

fn is_function(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
    let line = line.strip_prefix("pub ").unwrap_or(line);
    line.strip_prefix("const ")
        .unwrap_or(line)
        .starts_with("fn ")
}

/// The laws of a file that name no theorem and state no reason.
fn silent(path: &Path, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let above = |from: usize| {
        lines[..from]
            .iter()
            .rev()
            .take_while(|line| is_comment_or_attribute(line))
    };
    let of_a_notion = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .any(|part| matches!(part.trim_end_matches(".rs"), "cost" | "number"));
    let mut silent = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let code = line.trim();
        if code.starts_with("//") {
            continue;
        }
        let law = of_a_notion && code.starts_with("pub trait ") && !code.contains(" Sealed");
        if law && !above(i).any(|line| says_something(line)) {
            silent.push(format!("{}:{}: {code}", path.display(), i + 1));
        }
        let mints = [
            "Mechanism::mint(",
            "Mechanism::leaf(",
            "Self::mint(",
            ".relabel(",
        ];
        if mints.iter().any(|mint| code.contains(mint)) {
            let start = lines[..i]
                .iter()
                .rposition(|line| is_function(line))
                .unwrap_or(0);
            let inside = lines[start..i].iter();
            if !inside.chain(above(start)).any(|line| says_something(line)) {
                silent.push(format!("{}:{}: {code}", path.display(), i + 1));
            }
        }
    }
    silent
}

#[test]
fn every_theorem_that_is_named_is_there() {
    let theorems = theorems(&files(&root().join("proofs/coq"), "v"));
    assert!(theorems.len() > 200, "{}", theorems.len());
    let mut names = 0;
    for (path, text) in files(&root().join("src"), "rs") {
        for (i, line) in text.lines().enumerate() {
            for name in named(line).unwrap_or_default() {
                names += 1;
                let place = format!("{}:{}", path.display(), i + 1);
                assert!(theorems.contains(&name), "{place}: no {name} in proofs/coq");
            }
        }
    }
    assert!(names >= 60, "{names}");
}

#[test]
fn every_law_names_a_theorem_or_a_reason() {
    let silent: Vec<String> = files(&root().join("src"), "rs")
        .iter()
        .flat_map(|(path, text)| silent(path, text))
        .collect();
    assert!(
        silent.is_empty(),
        "neither proved nor not:\n{}",
        silent.join("\n")
    );
}

/// What the pages of the guide link to, too.
#[test]
fn every_theorem_of_the_guide_is_there() {
    let theorems = theorems(&files(&root().join("proofs/coq"), "v"));
    let mut names = 0;
    for page in ["src/docs/verified.md", "src/docs/proof.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        for word in text.split('`').skip(1).step_by(2) {
            let Some((file, name)) = word.split_once('.') else {
                continue;
            };
            let of_the_proof = root().join("proofs/coq").join(format!("{file}.v")).exists();
            if of_the_proof && name.chars().all(|c| c.is_alphanumeric() || c == '_') && name != "v"
            {
                names += 1;
                assert!(theorems.contains(word), "{page}: no {word} in proofs/coq");
            }
        }
    }
    assert!(names >= 15, "{names}");
}

/// The test itself would see a theorem that is gone, and a law that says nothing.
#[test]
fn what_is_missing_is_seen() {
    let proofs = BTreeMap::from([(
        PathBuf::from("proofs/coq/Vault.v"),
        "Theorem vault_sound R : True.\n  Lemma pays:\n".to_owned(),
    )]);
    let theorems = theorems(&proofs);
    assert!(theorems.contains("Vault.vault_sound") && theorems.contains("Vault.pays"));
    let names = named("    // Proved: Vault.vault_sound, Vault.gone (rule T_Then)").unwrap();
    assert_eq!(names, ["Vault.vault_sound", "Vault.gone"]);
    assert!(!theorems.contains(&names[1]));

    let law = "/// Adds.\n#[marked(\n    note = \"x\"\n)]\npub trait Plus {}\n";
    assert_eq!(silent(Path::new("src/cost.rs"), law).len(), 1);
    assert_eq!(silent(Path::new("src/other.rs"), law).len(), 0);
    let proved = law.replace("pub trait", "// Proved: Cost.plus_sound\npub trait");
    assert_eq!(
        silent(Path::new("src/layer/cost/plus.rs"), &proved).len(),
        0
    );
    let mint = "fn a() {\n    // Not proved: a reason that is stated.\n}\nfn b() {\n    Mechanism::mint(x)\n}\n";
    assert_eq!(silent(Path::new("src/any.rs"), mint).len(), 1);
    assert_eq!(reason("// Not proved: later"), None);
}
