//! Which files belong to a package: those beside the roots of its targets, and those that these name.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::Target;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::{Here, Source, is_body, is_sign, words};
use super::walk::{Within, walk};

/// The files of a package.
#[derive(Default)]
pub struct Files {
    /// What they say, or what is wrong with them.
    pub all: BTreeMap<PathBuf, Result<Source, &'static str>>,
    /// Those that are modules under `#[cfg(test)]` and nothing else.
    pub tests: BTreeSet<PathBuf>,
    /// Files and lines that take in a file which one cannot name.
    pub unnamed: Vec<(PathBuf, usize)>,
    /// A directory was left out.
    partial: bool,
}

impl Files {
    /// Those of some targets of the package that lies in `home`.
    pub fn of<'a>(targets: impl Iterator<Item = &'a Target>, home: Option<&Path>) -> Self {
        let mut files = Files::default();
        let mut roots = Vec::new();
        for target in targets {
            let source = target.src_path.as_std_path();
            files.read(source.to_path_buf());
            roots.push(source.to_path_buf());
            // Modules live beside or below the root file; those of a build script are named by it.
            if let Some(beside) = source.parent().filter(|_| !target.is_custom_build()) {
                files.below(beside, Some(beside) == home);
            }
        }
        files.follow(roots);
        files
    }

    /// Takes in a file; false where it was there before.
    fn read(&mut self, path: PathBuf) -> bool {
        let Entry::Vacant(place) = self.all.entry(path) else {
            return false;
        };
        let source = Source::read(place.key());
        place.insert(source);
        true
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
                if other {
                    self.partial = true;
                } else {
                    self.below(&path, false);
                }
            } else if path.is_dir() {
                // A link.
                self.partial = true;
            } else if path.extension().is_some_and(|e| e == "rs") {
                self.read(path);
            }
        }
    }

    /// The files that files name, and those that these name; `roots` are named by the manifest.
    fn follow(&mut self, roots: Vec<PathBuf>) {
        let mut pending: Vec<PathBuf> = self.all.keys().cloned().collect();
        let mut named: BTreeMap<PathBuf, Vec<(PathBuf, bool)>> = BTreeMap::new();
        let mut nameless = false;
        while let Some(path) = pending.pop() {
            let Some(Ok(source)) = self.all.get(&path) else {
                continue;
            };
            for name in named_in(source.tokens.clone()) {
                nameless |= name.text.is_none();
                let places = name.places(&path);
                let there: Vec<PathBuf> = places.into_iter().filter(|p| p.exists()).collect();
                // A module without a name lies among the files that are read anyway, or was left out.
                let matters = name.text.is_some() || !name.module || self.partial;
                if name.must && there.is_empty() && matters {
                    self.unnamed.push((path.clone(), name.line));
                }
                let from = named.entry(path.clone()).or_default();
                from.extend(there.iter().map(|file| (file.clone(), name.test)));
                let new = |file: &PathBuf| !name.test && self.read(file.clone());
                pending.extend(there.into_iter().filter(new));
            }
        }
        // A file without a name may be any of them.
        if !nameless {
            let shipped = reached(roots, &named, |test| !test);
            let from = shipped.iter().filter_map(|file| named.get(file)).flatten();
            let tests = from.filter(|(_, test)| *test).map(|(file, _)| file.clone());
            self.tests = reached(tests.collect(), &named, |_| true);
            self.tests.retain(|file| !shipped.contains(file));
        }
    }
}

/// The files that are named by some, by way of those names that count.
fn reached(
    mut next: Vec<PathBuf>,
    named: &BTreeMap<PathBuf, Vec<(PathBuf, bool)>>,
    counts: impl Fn(bool) -> bool,
) -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::new();
    while let Some(file) = next.pop() {
        let names = named.get(&file).into_iter().flatten();
        if reached.insert(file) {
            next.extend(
                names
                    .filter(|name| counts(name.1))
                    .map(|name| name.0.clone()),
            );
        }
    }
    reached
}

/// A file that is taken in by `include!`, `#[path]` or `mod name;`.
struct Name {
    line: usize,
    /// A path, or a module's name; none where a macro computes it.
    text: Option<String>,
    /// The modules in braces around it.
    modules: Vec<String>,
    module: bool,
    /// Not only where it is there: `#[path]` says where a module is otherwise.
    must: bool,
    /// Under `#[cfg(test)]`.
    test: bool,
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
            let path = base.join(text);
            if self.module {
                vec![base.join(format!("{text}.rs")), path.join("mod.rs")]
            } else {
                vec![path]
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
    let given = within.invoked.is_some() && !here.sign(-1, '.');
    let (text, modules, module, must) = match here.word(0).as_str() {
        "include" if here.sign(1, '!') => match here.token(2) {
            Some(TokenTree::Group(group)) => (only_string(group.stream()), Vec::new(), false, true),
            _ => (None, Vec::new(), false, true),
        },
        // Under another name, or put together by a macro.
        "include" if here.word(1) == "as" || given => (None, Vec::new(), false, true),
        // Other attributes have paths of their own: `#[template(path = "page.html")]`.
        "path" if here.sign(1, '=') && matches!(attribute, Some("path" | "cfg_attr")) => {
            let text = here.token(2).cloned().into_iter().collect();
            (only_string(text), modules, false, true)
        }
        "mod" if attribute.is_none() => {
            let name = 1 + isize::from(here.sign(1, '$'));
            if here.group(name + 1, Delimiter::Brace).is_some() {
                return None;
            }
            let text = Some(here.word(1)).filter(|name| !name.is_empty());
            (text, modules, true, !is_placed(here) && !within.test)
        }
        _ => return None,
    };
    Some(Name {
        line: here.line(),
        text,
        modules,
        module,
        must,
        test: within.test,
    })
}

/// Whether the item here has an attribute that says where it lies.
fn is_placed(here: Here<'_>) -> bool {
    let before = here.before().iter().rev();
    let mut item = before.take_while(|token| !is_body(token) && !is_sign(token, ';'));
    item.any(|token| {
        matches!(token, TokenTree::Group(group)
            if words(group.stream()).iter().any(|word| word == "path"))
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
            ("mod y;", "src/y.rs", true),
            ("mod b { pub mod y; }", "src/b/y.rs", true),
            ("keyword!(mod y)", "src/y.rs", true),
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
            "call!(include \"x.rs\")",
            "macro_rules! m { ($n:ident) => { pub mod $n; } }",
            "keyword!(mod)",
        ] {
            assert_eq!(named(text), [(vec![], true)], "{text}");
        }
        for text in [
            "mod tests {}",
            "macro_rules! m { () => { mod $n {} } }",
            "assert!(x.include(y))",
            "fn include() {}",
            "#[template(path = \"x.html\")] struct S;",
        ] {
            assert!(named(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_module_that_is_nowhere_is_told_unless_its_place_is() {
        let placed = named("#[cfg_attr(x, path = \"x.rs\")] pub mod y;");
        assert_eq!(
            placed.iter().map(|name| name.1).collect::<Vec<_>>(),
            [true, false]
        );

        let root = std::env::temp_dir().join(format!("privet-files-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            let dir = file.parent().expect("a directory");
            std::fs::create_dir_all(dir).expect("a directory");
            std::fs::write(file, text).expect("written");
        };
        let told = || {
            let mut files = Files::default();
            files.below(&root, false);
            files.follow(vec![root.join("lib.rs")]);
            files
                .unnamed
                .iter()
                .map(|(_, line)| *line)
                .collect::<Vec<_>>()
        };
        write(
            "lib.rs",
            "mod here;\nmod nowhere;\nmacro_rules! m { ($n:ident) => {\nmod $n; } }",
        );
        write("here.rs", "");
        assert_eq!(told(), [2]);
        write("hidden/Cargo.toml", "");
        assert_eq!(told(), [2, 4]);
        std::fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn files_of_tests_are_told_from_others() {
        let file = |name: &str| PathBuf::from(name);
        let edge = |name: &str, test: bool| (file(name), test);
        let named = BTreeMap::from([
            (
                file("lib"),
                vec![edge("a", false), edge("t", true), edge("both", true)],
            ),
            (file("a"), vec![edge("both", false)]),
            (file("t"), vec![edge("u", false), edge("a", false)]),
        ]);
        let shipped = reached(vec![file("lib")], &named, |test| !test);
        assert_eq!(shipped, BTreeSet::from(["lib", "a", "both"].map(file)));
        let tests = reached(vec![file("t")], &named, |_| true);
        assert_eq!(tests, BTreeSet::from(["t", "u", "a", "both"].map(file)));
    }
}
