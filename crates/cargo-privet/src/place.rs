//! Paths as reports show them: the same on every machine.

use std::path::{Component, Path, PathBuf};

use cargo_metadata::Metadata;

/// How paths of a project are shown.
#[derive(Clone, Debug)]
pub struct Places {
    root: PathBuf,
    /// Directories of packages from a registry or from git, and what they are called.
    fetched: Vec<(PathBuf, String)>,
}

impl Places {
    pub fn of(metadata: &Metadata) -> Self {
        let root = metadata.workspace_root.clone().into_std_path_buf();
        let fetched = metadata.packages.iter().filter(|p| p.source.is_some());
        let fetched = fetched.filter_map(|package| {
            let home = package.manifest_path.parent()?.as_std_path();
            Some((
                home.to_path_buf(),
                format!("{}-{}", package.name, package.version),
            ))
        });
        Places {
            root,
            fetched: fetched.collect(),
        }
    }

    /// A path from the project's root, with `..` where it lies outside; of a fetched package, from
    /// the package's own directory.
    pub fn show(&self, path: &Path) -> String {
        let path = self.root.join(path);
        // As written, where it lies inside.
        if let Ok(inside) = path.strip_prefix(&self.root) {
            return slashes(inside);
        }
        let path = lexical(&path);
        if let Some((home, name)) = self.fetched.iter().find(|(home, _)| path.starts_with(home)) {
            let inside = path.strip_prefix(home).unwrap_or(&path);
            return slashes(&Path::new(name).join(inside));
        }
        slashes(&between(&self.root, &path))
    }
}

/// The way from one directory to a path.
pub fn between(from: &Path, to: &Path) -> PathBuf {
    let (from, to) = (lexical(from), lexical(to));
    let shared = from.components().zip(to.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// A path without `.` and `..`, as far as that is known without looking.
pub fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Text as it can be shown on terminals: no control sequences, and nothing that turns what follows.
pub fn shown(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let shown = |c: char| if hidden(c) { ' ' } else { c };
    text.chars().map(shown).collect()
}

fn slashes(path: &Path) -> String {
    let text = shown(&path.display().to_string().replace('\\', "/"));
    if text.is_empty() { ".".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_root() {
        let places = Places {
            root: "/home/a/project".into(),
            fetched: vec![("/cargo/registry/x-1.0.0".into(), "x-1.0.0".into())],
        };
        for (path, shown) in [
            ("/home/a/project/src/lib.rs", "src/lib.rs"),
            ("src/a/../../outside/x.rs", "src/a/../../outside/x.rs"),
            ("/home/a/shared/src/lib.rs", "../shared/src/lib.rs"),
            ("/cargo/registry/x-1.0.0/src/lib.rs", "x-1.0.0/src/lib.rs"),
        ] {
            assert_eq!(places.show(Path::new(path)), shown);
        }
        let odd = Path::new("src/all\u{1b}[2Kis\u{202e}well.rs");
        assert_eq!(places.show(odd), "src/all [2Kis well.rs");
    }
}
