//! `cargo privet new` and `init`: a project that builds, passes its tests and keeps its policy as
//! made, and a policy for one that is there.

use core::fmt::Write;
use std::path::{Path, PathBuf};

use crate::audit::audit;
use crate::cli::Source;
use cargo_metadata::Metadata;

use crate::collect::Project;
use crate::error::{Error, Result};
use crate::origin::Library;
use crate::place::Places;
use crate::policy::{share_people, together};
use crate::price::{Stated, at_most_both};
use crate::render::count;
use crate::report::{DataSet, Kind, Report};

/// The files, with `NAME` for the crate's name.
const FILES: [(&str, &str); 5] = [
    ("src/lib.rs", include_str!("../starter/lib.rs")),
    ("src/main.rs", include_str!("../starter/main.rs")),
    ("tests/budget.rs", include_str!("../starter/budget.rs")),
    ("privet.toml", include_str!("../starter/privet.toml")),
    (".gitignore", "/target\n"),
];
/// The files to copy, with `INSTALL` for how the tool is installed.
const WORKFLOW: (&str, &str) = (
    ".github/workflows/privacy.yml",
    include_str!("../ci/privacy.yml"),
);
const HOOK: (&str, &str) = (".githooks/pre-commit", include_str!("../ci/pre-commit"));

/// Writes the project; returns what to do next.
pub fn create(directory: &Path, privet: &Source) -> Result<String> {
    let name = directory
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    check(name)?;
    if directory.exists() {
        let shown = directory.display();
        return Err(Error::Starter(format!(
            "`{shown}` exists already; choose another name"
        )));
    }
    let (dependency, install) = from(privet)?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         rust-version = \"1.89\"\n\n[dependencies]\nprivet = {dependency}\n"
    );
    write(directory, "Cargo.toml", &manifest)?;
    for (file, text) in FILES {
        let text = text.replace("NAME", &name.replace('-', "_"));
        write(directory, file, &text)?;
    }
    write(
        directory,
        WORKFLOW.0,
        &WORKFLOW.1.replace("INSTALL", &install),
    )?;
    Ok(format!(
        "created {}: a record, two mechanisms, a vault, tests, a policy and a workflow\n\n  cd {}\n  cargo test\n  cargo privet audit\n",
        directory.display(),
        directory.display()
    ))
}

/// How a manifest names privet, and how its tool is installed.
fn from(privet: &Source) -> Result<(String, String)> {
    match (&privet.path, &privet.git) {
        (Some(path), _) => {
            let path = path.canonicalize().map_err(Error::file(path))?;
            let text = path.display().to_string();
            let tool = path.join("crates/cargo-privet").display().to_string();
            Ok((
                format!("{{ path = {text:?} }}"),
                format!("cargo install --locked --path {tool:?}"),
            ))
        }
        (None, Some(url)) => Ok((
            format!("{{ git = {url:?} }}"),
            format!("cargo install --locked --git {url:?} cargo-privet"),
        )),
        (None, None) => Err(Error::Starter(
            "privet is not in the registry yet: say where it is, with `--path CHECKOUT` or `--git URL`".into(),
        )),
    }
}

/// Writes a policy that fits what the project spends now; returns what to do next.
pub fn init(project: &Project, privet: &Source, ci: bool) -> Result<String> {
    let metadata = project.metadata()?;
    let asked = privet.path.is_some() || privet.git.is_some();
    let install = match ci {
        true if asked => Some(from(privet)?.1),
        true => Some(installed_as(&metadata)?),
        false => None,
    };
    let root: PathBuf = metadata.workspace_root.clone().into();
    let path = root.join("privet.toml");
    if path.exists() {
        return Err(Error::Starter("there is a `privet.toml` already".into()));
    }
    let report = audit(project, None)?;
    let mut text = String::from(
        "# What this project agreed to. `cargo privet audit` fails where it is not kept.\n\
         # Made from what is spent now: read each number before you agree to it.\n\n",
    );
    for data in &report.data {
        let (ceiling, why) = ceiling(data, &report);
        let _ = writeln!(text, "# {why}");
        let _ = writeln!(
            text,
            "[data.{:?}]\nat_most = {:?}\n",
            data.name,
            ascii(&ceiling)
        );
    }
    let openers = report.functions.iter().filter(|f| f.kind == Kind::Opens);
    let mut places: Vec<&str> = openers.map(|f| f.file.as_str()).collect();
    places.dedup();
    let _ = writeln!(
        text,
        "[rules]\n# Vaults are opened in these files only, once in each.\nopens = {places:?}\n\
         # Packages that may contain `unsafe`, and dependencies beyond the workspace to scan.\n\
         trusted = []\nscan = []\n"
    );
    text +=
        "# A rule is `deny` unless it is said here; `cargo privet explain` lists them.\n[levels]\n";
    text += "# opened-once = \"warn\"\n\n# What is let pass for a while:\n# [[exceptions]]\n\
             # rule = \"no-unsafe\"\n# file = \"src/ffi.rs\"\n# reason = \"who reviewed it, and why\"\n\
             # expires = 2027-01-31\n";
    write(&root, "privet.toml", &text)?;
    let mut out = String::from("wrote privet.toml");
    let elsewhere = install.as_ref().is_some_and(|how| how.contains("\"../"));
    if let Some(install) = install {
        write_new(&root, WORKFLOW.0, &WORKFLOW.1.replace("INSTALL", &install))?;
        write_new(&root, HOOK.0, HOOK.1)?;
        let _ = write!(
            out,
            ", {} and {} (`git config core.hooksPath .githooks`)",
            WORKFLOW.0, HOOK.0
        );
    }
    if elsewhere {
        out += "\nthe workflow installs the tool from the project's own path to privet, which lies outside of it: have it \
                checked out there, too, or name a repository with `--git URL`";
    }
    // What was written is judged as any other policy, so that nobody commits one that fails at once.
    let judged = audit(project, None)?;
    let broken = &judged.violations;
    let _ = match broken.len() {
        0 => writeln!(
            out,
            "\n\nIt is kept as of now. Read it, then run `cargo privet audit`."
        ),
        n => writeln!(
            out,
            "\n\n{} of it as of now. Read the policy, then run `cargo privet audit`.",
            count(n, "violation")
        ),
    };
    for violation in broken {
        let _ = writeln!(out, "{}: {}", violation.rule, violation.message);
    }
    Ok(out)
}

/// The least ceiling of a data set that is kept today, and what it is.
fn ceiling(data: &DataSet, report: &Report) -> (String, String) {
    let most = |total: &Stated, budget: Option<&Stated>| match budget {
        Some(budget) if at_most_both(total, budget) => {
            (budget.text.clone(), "vaults are opened with")
        }
        Some(_) => (
            total.text.clone(),
            "functions spend, which is more than vaults are opened with,",
        ),
        None => (
            total.text.clone(),
            "functions spend, each called once; no audited function opens a vault,",
        ),
    };
    let same: Vec<&DataSet> = report
        .data
        .iter()
        .filter(|d| share_people(d, data))
        .collect();
    let (total, budget) = together(&same);
    if let (Some(total), [_, _, ..]) = (total, &same[..]) {
        let (ceiling, why) = most(&total, budget.as_ref());
        let names: Vec<String> = same.iter().map(|d| format!("`{}`", d.name)).collect();
        return (
            ceiling,
            format!(
                "The most that {why} today, by {} together: they are about the same people.\n\
                 # If they are not, write `different_people = \"why\"` here, and a ceiling of this one alone.",
                names.join(" and ")
            ),
        );
    }
    let (ceiling, why) = most(&data.total, data.budget.as_ref());
    (ceiling, format!("The most that {why} today."))
}

/// How the tool is installed that belongs to the privet which a project depends on.
fn installed_as(metadata: &Metadata) -> Result<String> {
    let library = Library::of(metadata);
    let Some(privet) = library.libraries().next() else {
        return from(&Source::default()).map(|(_, install)| install);
    };
    let Some(source) = &privet.source else {
        // From the project's root, where a workflow runs.
        let home = privet.manifest_path.parent().map(|home| home.as_std_path());
        let tool = home.unwrap_or(Path::new("")).join("crates/cargo-privet");
        let tool = Places::of(metadata).show(&tool);
        return Ok(format!("cargo install --locked --path {tool:?}"));
    };
    let Some(git) = source.repr.strip_prefix("git+") else {
        return Ok(format!(
            "cargo install --locked cargo-privet --version {}",
            privet.version
        ));
    };
    let (url, commit) = git.split_once('#').unwrap_or((git, ""));
    let url = url.split('?').next().unwrap_or(url);
    let commit = match commit {
        "" => String::new(),
        commit => format!(" --rev {commit}"),
    };
    Ok(format!(
        "cargo install --locked --git {url:?}{commit} cargo-privet"
    ))
}

/// A price in ASCII, as a policy is written.
fn ascii(text: &str) -> String {
    text.replace('ε', "eps")
        .replace('δ', "delta")
        .replace('ρ', "rho")
}

fn write(root: &Path, file: &str, text: &str) -> Result<()> {
    let path = root.join(file);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(Error::file(parent))?;
    }
    std::fs::write(&path, text).map_err(Error::file(&path))?;
    if file.ends_with("pre-commit") {
        executable(&path)?;
    }
    Ok(())
}

fn write_new(root: &Path, file: &str, text: &str) -> Result<()> {
    if root.join(file).exists() {
        return Err(Error::Starter(format!("there is a `{file}` already")));
    }
    write(root, file, text)
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).map_err(Error::file(path))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<()> {
    Ok(())
}

/// The names that both cargo and the language take.
fn check(name: &str) -> Result<()> {
    let keyword = syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_err();
    let plain = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let taken = ["test", "core", "std", "alloc", "proc_macro", "privet"].contains(&name);
    if keyword || !plain || taken {
        return Err(Error::Starter(format!(
            "`{name}` cannot be the name of a crate; use letters, digits, `-` and `_`, and begin with a letter"
        )));
    }
    Ok(())
}
