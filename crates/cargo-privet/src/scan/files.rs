//! Which files belong to a package: those beside the roots of its targets, and those that these name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::Target;
use proc_macro2::{TokenStream, TokenTree};

use super::tokens::{Here, Source};
use super::walk::{Within, walk};

/// The files of a package.
#[derive(Default)]
pub struct Files {
    pub all: BTreeSet<PathBuf>,
    /// Files and lines that take in a file which one cannot name.
    pub unnamed: Vec<(PathBuf, usize)>,
}

impl Files {
    /// Those of some targets of the package that lies in `home`.
    pub fn of<'a>(targets: impl Iterator<Item = &'a Target>, home: Option<&Path>) -> Self {
        let mut files = Files::default();
        for target in targets {
            let source = target.src_path.as_std_path();
            files.all.insert(source.to_path_buf());
            // Modules live beside or below the root file; those of a build script are named by it.
            if let Some(beside) = source.parent().filter(|_| !target.is_custom_build()) {
                files.below(beside, Some(beside) == home);
            }
        }
        files.follow();
        files
    }

    /// All Rust files below a directory, without packages of their own, and without the tests that
    /// lie in a package's `home`.
    fn below(&mut self, dir: &Path, home: bool) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
                let name = entry.file_name().to_string_lossy().into_owned();
                let other = path.join("Cargo.toml").exists()
                    || path.join("CACHEDIR.TAG").exists()
                    || name.starts_with('.')
                    || home && matches!(name.as_str(), "tests" | "benches");
                if !other {
                    self.below(&path, false);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                self.all.insert(path);
            }
        }
    }

    /// The files that files name, and those that these name.
    fn follow(&mut self) {
        let mut pending: Vec<PathBuf> = self.all.iter().cloned().collect();
        while let Some(path) = pending.pop() {
            let Ok(source) = Source::read(&path) else {
                continue;
            };
            for name in named_in(source.tokens) {
                let places = name.places(&path);
                let there: Vec<PathBuf> = places.into_iter().filter(|p| p.exists()).collect();
                if name.must && there.is_empty() {
                    self.unnamed.push((path.clone(), name.line));
                }
                let new = |file: &PathBuf| self.all.insert(file.clone());
                pending.extend(there.into_iter().filter(new));
            }
        }
    }
}

/// A file that is taken in by `include!`, `#[path]` or `mod name;`.
struct Name {
    line: usize,
    /// A path, or a module's name; none where a macro computes it.
    text: Option<String>,
    /// The modules in braces around it.
    modules: Vec<String>,
    /// Not only where it is there: a module can also lie elsewhere, or be switched off.
    must: bool,
}

impl Name {
    /// Where the file may lie that is named in the file at `path`.
    fn places(&self, path: &Path) -> Vec<PathBuf> {
        let Some(text) = &self.text else {
            return Vec::new();
        };
        let dir = path.parent().unwrap_or(Path::new(""));
        let own = dir.join(path.file_stem().unwrap_or_default());
        let places = [dir, &own].into_iter().flat_map(|base| {
            let base = base.join(self.modules.iter().collect::<PathBuf>());
            if self.must {
                vec![base.join(text)]
            } else {
                let module = base.join(text);
                vec![base.join(format!("{text}.rs")), module.join("mod.rs")]
            }
        });
        places.collect()
    }
}

fn named_in(tokens: TokenStream) -> Vec<Name> {
    let mut names = Vec::new();
    walk(tokens, &mut |here, within| {
        names.extend(named_at(here, within))
    });
    names
}

fn named_at(here: Here<'_>, within: &Within) -> Option<Name> {
    let modules = within.modules.clone();
    let attribute = within.attribute.as_deref();
    let (text, modules, must) = match here.word(0).as_str() {
        "include" if here.sign(1, '!') || here.word(1) == "as" => match here.token(2) {
            Some(TokenTree::Group(group)) => (only_string(group.stream()), Vec::new(), true),
            _ => (None, Vec::new(), true),
        },
        // Other attributes have paths of their own: `#[template(path = "page.html")]`.
        "path" if here.sign(1, '=') && matches!(attribute, Some("path" | "cfg_attr")) => {
            let text = here.token(2).cloned().into_iter().collect();
            (only_string(text), modules, true)
        }
        "mod" if here.sign(2, ';') && !within.test => (Some(here.word(1)), modules, false),
        _ => return None,
    };
    Some(Name {
        line: here.line(),
        text,
        modules,
        must,
    })
}

fn only_string(tokens: TokenStream) -> Option<String> {
    let text = syn::parse2::<syn::LitStr>(tokens).ok()?;
    Some(text.value()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file at `src/a.rs` names, and whether it must be there.
    fn named(text: &str) -> Vec<(Vec<String>, bool)> {
        let names = named_in(text.parse().expect("tokens"));
        let places = |name: &Name| {
            let places = name.places(Path::new("src/a.rs"));
            places.iter().map(|p| p.display().to_string()).collect()
        };
        names.iter().map(|name| (places(name), name.must)).collect()
    }

    #[test]
    fn files_are_named_by_modules_attributes_and_macros() {
        for (text, first, must) in [
            ("include!(\"x.txt\");", "src/x.txt", true),
            ("#[path = \"../x.rs\"] mod y;", "src/../x.rs", true),
            ("#[cfg_attr(z, path = \"x.rs\")] mod y;", "src/x.rs", true),
            ("mod b { #[path = \"x.rs\"] mod y; }", "src/b/x.rs", true),
            ("mod b { #![path = \"x.rs\"] mod y; }", "src/b/x.rs", true),
            ("mod y;", "src/y.rs", false),
            ("mod b { pub mod y; }", "src/b/y.rs", false),
        ] {
            let found = named(text);
            assert_eq!(
                (found[0].0[0].as_str(), found[0].1),
                (first, must),
                "{text}"
            );
        }
        let module = named("mod y;").remove(0).0;
        assert_eq!(
            module,
            ["src/y.rs", "src/y/mod.rs", "src/a/y.rs", "src/a/y/mod.rs"]
        );
    }

    #[test]
    fn names_that_a_macro_computes_are_told() {
        for text in [
            "include!(concat!(A, B));",
            "use core::include as i;",
            "include!(\"\");",
        ] {
            assert_eq!(named(text), [(vec![], true)], "{text}");
        }
        for text in [
            "#[cfg(test)] mod tests;",
            "mod tests {}",
            "fn include() {}",
            "#[template(path = \"x.html\")] struct S;",
        ] {
            assert!(named(text).is_empty(), "{text}");
        }
    }
}
