//! A revision of the project in a directory of its own, and its audit.

use std::path::{Component, Path, PathBuf};
use std::process::Command;

use cargo_metadata::Metadata;

use crate::audit::{policy, surveyed};
use crate::collect::Project;
use crate::error::{Error, Result};
use crate::fresh::seed;
use crate::git;
use crate::place::lexical;
use crate::policy::Policy;
use crate::report::Report;

/// What a revision spends.
pub struct Base {
    pub report: Report,
    pub policy: Option<Policy>,
    /// Names and versions of its packages.
    pub versions: Vec<(String, String)>,
}

impl Base {
    fn nothing() -> Result<Self> {
        let report = Report::new(String::new(), String::new(), &[], &[], &Default::default())?;
        Ok(Base {
            report,
            policy: None,
            versions: Vec::new(),
        })
    }

    /// Audits a commit. The caller has its turn in `dir`.
    pub fn audit(project: &Project, metadata: &Metadata, commit: &str, dir: &Path) -> Result<Self> {
        let own = project.audit_dir(metadata);
        let root = metadata.workspace_root.as_std_path();
        let checkout = Checkout::new(root, commit, dir)?;
        let manifest = checkout.project.join("Cargo.toml");
        if !manifest.exists() {
            return Base::nothing();
        }
        let old = Project {
            manifest: Some(manifest),
            target_dir: Some(dir.to_path_buf()),
            // A package that was asked for may not have been there.
            packages: Vec::new(),
            ..project.clone()
        };
        let metadata = match old.metadata() {
            Ok(metadata) => metadata,
            // A revision from before the project used privet.
            Err(Error::NoPrivet { .. }) => return Base::nothing(),
            Err(error) => return Err(error),
        };
        let members: Vec<String> = metadata
            .workspace_packages()
            .iter()
            .map(|p| p.name.to_string())
            .collect();
        let asked = project
            .packages
            .iter()
            .filter(|p| members.contains(p))
            .cloned();
        let old = Project {
            packages: asked.collect(),
            ..old
        };
        if old.packages.is_empty() && !project.packages.is_empty() {
            return Base::nothing();
        }
        seed(&own, &old.audit_dir(&metadata));
        let policy = policy(&metadata, None)?;
        let (_, report) = surveyed(&old, &metadata, policy.as_ref())?;
        Ok(Base {
            report,
            policy,
            versions: versions(&metadata),
        })
    }
}

/// The members of a workspace with their versions.
pub fn versions(metadata: &Metadata) -> Vec<(String, String)> {
    let members = metadata.workspace_packages();
    let named = members
        .iter()
        .map(|p| (p.name.to_string(), p.version.to_string()));
    named.collect()
}

/// A revision's files.
struct Checkout {
    /// The project inside.
    project: PathBuf,
}

impl Checkout {
    /// Writes the files of a commit below `dir`, always in the same place, so that what does not
    /// change between revisions is not built again. Git itself does not learn of it.
    fn new(root: &Path, commit: &str, dir: &Path) -> Result<Self> {
        let top = git::top(root)?;
        let files = dir.join("files");
        if files.exists() {
            std::fs::remove_dir_all(&files).map_err(Error::file(&files))?;
        }
        // As deep as a path of the project may lead out of it.
        let outside = outside(&top, commit)?;
        let depth = outside.iter().map(|path| ups(path)).max().unwrap_or(0);
        let tree = (0..depth)
            .fold(files.clone(), |path, _| path.join("up"))
            .join("tree");
        std::fs::create_dir_all(&tree).map_err(Error::file(&tree))?;
        let index = dir.join("index");
        let mut read = Command::new("git");
        read.arg("-C").arg(&top).env("GIT_INDEX_FILE", &index);
        git::run(read.args(["read-tree", commit]))?;
        let mut write = Command::new("git");
        write.arg("-C").arg(&top).env("GIT_INDEX_FILE", &index);
        let prefix = format!("--prefix={}/", tree.display());
        git::run(write.args(["checkout-index", "--all", "--force", "--quiet", &prefix]))?;
        for path in outside {
            link(&top.join(&path), &lexical(&tree.join(&path)))?;
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let inside = real(root)
            .strip_prefix(real(&top))
            .map(Path::to_path_buf)
            .unwrap_or_default();
        let checkout = Checkout {
            project: tree.join(inside),
        };
        // Without a lock file in the revision, the same dependencies as now.
        let lock = checkout.project.join("Cargo.lock");
        if !lock.exists() && checkout.project.exists() {
            let _ = std::fs::copy(root.join("Cargo.lock"), lock);
        }
        Ok(checkout)
    }
}

/// How many directories a path goes up.
fn ups(path: &Path) -> usize {
    path.components()
        .filter(|part| *part == Component::ParentDir)
        .count()
}

/// The paths out of the repository that the manifests of a commit name, from its root.
fn outside(top: &Path, commit: &str) -> Result<Vec<PathBuf>> {
    let names = git::git(top, &["ls-tree", "-r", "--name-only", commit])?;
    let manifests = names.lines().filter(|name| {
        Path::new(name)
            .file_name()
            .is_some_and(|file| file == "Cargo.toml")
    });
    let mut found = Vec::new();
    for manifest in manifests {
        let text = git::git(top, &["show", &format!("{commit}:{manifest}")])?;
        let Ok(table) = text.parse::<toml::Table>() else {
            continue;
        };
        let home = Path::new(manifest).parent().unwrap_or(Path::new(""));
        let mut paths = Vec::new();
        named_paths(&toml::Value::Table(table), &mut paths);
        for path in paths {
            let path = lexical(&home.join(path));
            if path.starts_with("..") && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// All `path = "…"` in a manifest.
fn named_paths(value: &toml::Value, into: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                match value.as_str().filter(|_| key == "path") {
                    Some(path) => into.push(path.to_string()),
                    None => named_paths(value, into),
                }
            }
        }
        toml::Value::Array(values) => values.iter().for_each(|value| named_paths(value, into)),
        _ => {}
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent).map_err(Error::file(parent))?;
    }
    if to.exists() {
        return Ok(());
    }
    let from = from.canonicalize().map_err(Error::file(from))?;
    std::os::unix::fs::symlink(from, to).map_err(Error::file(to))
}

#[cfg(not(unix))]
fn link(from: &Path, _to: &Path) -> Result<()> {
    Err(Error::Git(format!(
        "the revision depends on {}, which lies outside of the repository",
        from.display()
    )))
}
