//! Compiles the project for the audit and reads what the types say.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Message, Metadata, MetadataCommand, Package, Target, TargetKind};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::fresh::{Contents, sha256};
use crate::origin::Library;
use crate::place::Places;

/// What the attribute looks for: see privet-derive.
const AUDIT: &str = "CARGO_PRIVET_AUDIT";
/// Its values: the functions of a module share a test, or each function has one.
const TOGETHER: &str = "1";
const EACH: &str = "each";
/// How the names of these tests begin.
const TEST: &str = "__privet_audit_";
/// How the attribute's lines begin, and the version of what follows.
const LINE: &str = "privet-audit ";
const FORMAT: u32 = 2;

/// Audit programs, with the directories of their packages.
type Programs = Vec<(PathBuf, PathBuf)>;

/// Which project, and how to build it.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub manifest: Option<PathBuf>,
    pub target_dir: Option<PathBuf>,
    /// Handed to cargo as they are: `--offline`, `--features x`.
    pub cargo: Vec<String>,
    /// The features that were asked for, as reports state them.
    pub features: String,
    pub target: Option<String>,
    pub profile: Option<String>,
    pub packages: Vec<String>,
    pub quiet: bool,
    pub verbose: bool,
    pub color: bool,
}

/// One audited function, as its test prints it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub format: u32,
    pub package: String,
    pub module: String,
    pub name: String,
    pub instance: String,
    pub file: String,
    pub line: u32,
    pub at_most: String,
    pub kind: String,
    pub data: String,
    /// The types of its arguments.
    pub takes: String,
    pub price: String,
    #[serde(default)]
    pub left: Option<String>,
    #[serde(default)]
    pub other_vaults: u32,
    pub mentions: Vec<String>,
}

impl Project {
    /// What cargo knows of the project, after a check that it uses our privet.
    pub fn metadata(&self) -> Result<Metadata> {
        let mut command = MetadataCommand::new();
        if let Some(manifest) = &self.manifest {
            command.manifest_path(manifest);
        }
        // Dependencies of other platforms are neither built nor, offline, to be had.
        let platform = self.target.clone().or_else(host);
        let platform = platform
            .into_iter()
            .flat_map(|target| ["--filter-platform".to_string(), target]);
        let asked = self.cargo.iter().cloned();
        command.other_options(asked.chain(platform).collect::<Vec<_>>());
        let metadata = command.exec().map_err(|error| match error {
            cargo_metadata::Error::CargoMetadata { stderr } => {
                Error::Metadata(stderr.trim().trim_start_matches("error: ").to_string())
            }
            other => Error::Metadata(other.to_string()),
        })?;
        let ours = env!("CARGO_PKG_VERSION");
        let same = |version: &str| {
            let series = |v: &str| v.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
            series(version) == series(ours)
        };
        let library = Library::of(&metadata);
        let mut found = library.libraries().peekable();
        if found.peek().is_none() {
            return Err(Error::NoPrivet {
                root: metadata.workspace_root.clone().into(),
            });
        }
        for privet in found {
            if !same(&privet.version.to_string()) {
                return Err(Error::OtherVersion {
                    found: privet.version.to_string(),
                });
            }
        }
        let members = metadata.workspace_packages();
        for asked in &self.packages {
            if !members.iter().any(|member| *member.name == *asked) {
                let mut names: Vec<String> = members.iter().map(|m| m.name.to_string()).collect();
                names.sort();
                return Err(Error::NoPackage {
                    asked: asked.clone(),
                    names,
                });
            }
        }
        Ok(metadata)
    }

    /// The packages of the workspace that can hold mechanisms.
    pub fn users<'a>(&self, metadata: &'a Metadata) -> Vec<&'a Package> {
        let uses = Library::of(metadata).users();
        metadata
            .workspace_packages()
            .into_iter()
            .filter(|package| self.packages.is_empty() || self.packages.contains(&package.name))
            .filter(|package| uses.contains(&package.id))
            .collect()
    }

    /// Builds the audit programs and runs them. No function of the project is called.
    ///
    /// `beyond` are packages outside of the workspace that have audited functions, too.
    pub fn lines(
        &self,
        metadata: &Metadata,
        beyond: &[&Package],
        places: &Places,
    ) -> Result<Vec<Line>> {
        let library = Library::of(metadata);
        // privet's own library has nothing to audit, its examples have.
        let (own, others): (Vec<_>, Vec<_>) = self
            .users(metadata)
            .into_iter()
            .partition(|package| library.contains(package));
        let others: Vec<&Package> = others.into_iter().chain(beyond.iter().copied()).collect();
        let dir = self.audit_dir(metadata);
        let contents = Contents::of(metadata, &dir);
        self.forget_changed(metadata, &contents, &dir)?;
        let mut programs = Vec::new();
        if !others.is_empty() {
            let mut targets = vec!["--bins", "--examples"];
            let library = |package: &&Package| package.targets.iter().any(Target::is_lib);
            if others.iter().any(library) {
                targets.push("--lib");
            }
            programs.extend(self.built(metadata, &dir, &others, &targets)?);
        }
        for package in own {
            let names = audited_examples(package);
            let targets: Vec<&str> = names.iter().flat_map(|name| ["--example", name]).collect();
            if !targets.is_empty() {
                programs.extend(self.built(metadata, &dir, &[package], &targets)?);
            }
        }
        if contents.differ_now(metadata) {
            return Err(Error::ChangedMeanwhile);
        }
        let mut lines = BTreeSet::new();
        for (program, home) in programs {
            for mut line in run(&program, &home)? {
                line.file = shown(&line.file, &home, metadata, places);
                lines.insert(line);
            }
        }
        Ok(lines.into_iter().collect())
    }

    /// Where the audit is built: apart from normal builds, from other checkouts and from audits
    /// with another profile or target.
    ///
    /// Cargo names what it builds by the package and its place in the workspace, so that a directory
    /// which two checkouts share would hand one the prices of the other.
    pub fn audit_dir(&self, metadata: &Metadata) -> PathBuf {
        let target = match &self.target_dir {
            Some(asked) => asked.clone(),
            None => metadata.target_directory.clone().into(),
        };
        let root = metadata.workspace_root.as_std_path();
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let key = format!("{}\0{:?}\0{:?}", root.display(), self.profile, self.target);
        let key = &sha256(key.as_bytes())[..16];
        target.join("privet-audit").join(key)
    }

    /// Has what changed since the last audit built again, whatever the files' times say.
    fn forget_changed(&self, metadata: &Metadata, contents: &Contents, dir: &Path) -> Result<()> {
        let changed = contents.unnoticed(dir);
        let built = dir.join("build").exists();
        if built && !changed.is_empty() {
            let mut command = cargo();
            command
                .arg("clean")
                .arg("--quiet")
                .arg("--manifest-path")
                .arg(metadata.workspace_root.join("Cargo.toml"))
                .arg("--target-dir")
                .arg(dir.join("build"))
                .args(
                    self.cargo
                        .iter()
                        .filter(|a| ["--offline", "--locked"].contains(&a.as_str())),
                )
                .args(changed.iter().flat_map(|id| ["-p", id.repr.as_str()]))
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if let Some(profile) = &self.profile {
                command.args(["--profile", profile]);
            }
            if let Some(target) = &self.target {
                command.args(["--target", target]);
            }
            if !command.status().is_ok_and(|status| status.success()) {
                // A package that is new, or a cargo that cleans in another way: from nothing, then.
                let build = dir.join("build");
                std::fs::remove_dir_all(&build).map_err(Error::file(&build))?;
            }
        }
        std::fs::create_dir_all(dir).map_err(Error::file(dir))?;
        contents.note(dir)
    }

    /// The audit programs of some packages.
    fn built(
        &self,
        metadata: &Metadata,
        dir: &Path,
        packages: &[&Package],
        targets: &[&str],
    ) -> Result<Programs> {
        let (built, _) = self.build(metadata, dir, packages, targets, TOGETHER)?;
        if let Some(programs) = built {
            return Ok(programs);
        }
        // The attribute read a file and took a function to be compiled that is not, or an error is
        // shown at the last function of a module.
        let (built, errors) = self.build(metadata, dir, packages, targets, EACH)?;
        built.ok_or_else(|| does_not_build(&errors))
    }

    /// Builds once; none where the compiler has errors.
    fn build(
        &self,
        metadata: &Metadata,
        dir: &Path,
        packages: &[&Package],
        targets: &[&str],
        how: &str,
    ) -> Result<(Option<Programs>, Vec<String>)> {
        let rendered = if self.color {
            "json-diagnostic-rendered-ansi"
        } else {
            "json"
        };
        let mut command = cargo();
        command
            .args(["test", "--no-run", "--message-format", rendered])
            .args(targets)
            .arg("--manifest-path")
            .arg(metadata.workspace_root.join("Cargo.toml"))
            .args(
                packages
                    .iter()
                    .flat_map(|p| ["-p".to_string(), p.id.repr.clone()]),
            )
            .args(&self.cargo)
            .env("CARGO_TARGET_DIR", dir.join("build"))
            .env(AUDIT, how)
            .stdout(Stdio::piped());
        // The programs do nothing but print: compile them fast.
        let asked = self.profile.as_deref().unwrap_or("test");
        for profile in ["test", "dev", asked] {
            let profile = profile.to_uppercase().replace('-', "_");
            for setting in ["OPT_LEVEL", "DEBUG"] {
                command.env(format!("CARGO_PROFILE_{profile}_{setting}"), "0");
            }
        }
        // The attribute itself runs once for each function.
        command.args(["--config", "profile.dev.package.privet-derive.opt-level=2"]);
        if let Some(profile) = &self.profile {
            command.args(["--profile", profile]);
        }
        if let Some(target) = &self.target {
            command.args(["--target", target]);
        }
        if self.quiet {
            command.arg("--quiet");
        }
        if self.verbose {
            command.arg("--verbose");
            eprintln!("{command:?}");
        }
        let spawn = |error| Error::File {
            path: PathBuf::from("cargo"),
            error,
        };
        let mut child = command.spawn().map_err(spawn)?;
        let (mut programs, mut errors) = (Vec::new(), Vec::new());
        if let Some(stdout) = child.stdout.take() {
            for message in Message::parse_stream(BufReader::new(stdout)) {
                match message.map_err(spawn)? {
                    Message::CompilerMessage(message)
                        if matches!(
                            message.message.level,
                            DiagnosticLevel::Error | DiagnosticLevel::Ice
                        ) =>
                    {
                        errors.extend(plainly(&message.message));
                    }
                    Message::CompilerArtifact(artifact)
                        if artifact.profile.test
                            && !artifact.target.kind.contains(&TargetKind::ProcMacro) =>
                    {
                        let home = artifact.manifest_path.parent().map(PathBuf::from);
                        if let (Some(program), Some(home)) = (artifact.executable, home) {
                            programs.push((program.into(), home));
                        }
                    }
                    _ => {}
                }
            }
        }
        let success = child.wait().map_err(spawn)?.success();
        Ok((success.then_some(programs), errors))
    }
}

/// Shows what the compiler says.
fn does_not_build(errors: &[String]) -> Error {
    let mut shown = BTreeSet::new();
    for error in errors.iter().filter(|error| shown.insert(*error)) {
        eprint!("{error}");
    }
    Error::DoesNotBuild
}

/// An error of the compiler as it is shown.
///
/// The attribute sees two vaults where they are written as such. Behind an alias the compiler cannot
/// tell which of them is meant, and says so in words of its own.
fn plainly(error: &Diagnostic) -> Option<String> {
    let code = error.code.as_ref().map_or("", |code| code.code.as_str());
    let rendered = error.rendered.as_deref().unwrap_or_default();
    let ours =
        rendered.contains("privet::audit::spends") || rendered.contains("privet::audit::at_most");
    if !matches!(code, "E0283" | "E0284") || !ours {
        return error.rendered.clone();
    }
    let span = error.spans.iter().find(|span| span.is_primary)?;
    let line = span.text.first()?;
    let (start, end) = (line.highlight_start.max(1), line.highlight_end);
    let marks = "^".repeat(end.saturating_sub(start).max(1));
    let number = span.line_start.to_string();
    let blank = " ".repeat(number.len());
    Some(format!(
        "error: this function takes two vaults of the same data, and its type does not say which one it \
         spends: write a function for each\n{blank}--> {}:{}:{}\n{blank} |\n{number} | {}\n{blank} | {}{marks}\n\n",
        span.file_name,
        span.line_start,
        span.column_start,
        line.text,
        " ".repeat(start - 1),
    ))
}

/// A file that the compiler names, as reports show it.
///
/// The compiler is started in the workspace's root for members, and in the package's own directory
/// for others.
fn shown(file: &str, home: &Path, metadata: &Metadata, places: &Places) -> String {
    let root = metadata.workspace_root.as_std_path();
    let path = if home.starts_with(root) { root } else { home }.join(file);
    places.show(&path)
}

/// The cargo that called us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What the compiler says of itself. It is asked once.
fn about_compiler() -> Option<&'static str> {
    static ABOUT: OnceLock<Option<String>> = OnceLock::new();
    let about = ABOUT.get_or_init(|| {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc).arg("-vV").output().ok()?;
        String::from_utf8(output.stdout).ok()
    });
    about.as_deref()
}

/// The platform that cargo builds for unless told otherwise.
pub fn host() -> Option<String> {
    let mut lines = about_compiler()?.lines();
    lines
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_string)
}

/// The compiler's name and version.
pub fn compiler() -> Option<String> {
    about_compiler()?.lines().next().map(str::to_string)
}

/// The examples of a package that name the attribute.
fn audited_examples(package: &Package) -> Vec<&str> {
    let names_it = |target: &&Target| {
        target.is_example()
            && std::fs::read_to_string(&target.src_path).is_ok_and(|text| text.contains("audited"))
    };
    let examples = package.targets.iter().filter(names_it);
    examples.map(|target| target.name.as_str()).collect()
}

fn run(program: &Path, home: &Path) -> Result<Vec<Line>> {
    let output = Command::new(program)
        .args([TEST, "--nocapture", "--quiet"])
        .current_dir(home)
        .env(AUDIT, TOGETHER)
        // They print: a thread for each takes longer.
        .env("RUST_TEST_THREADS", "1")
        .output()
        .map_err(Error::file(program))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(Error::DoesNotRun {
            program: program.to_path_buf(),
            output: format!("{text}{}", String::from_utf8_lossy(&output.stderr)),
        });
    }
    text.lines()
        .filter_map(|line| line.strip_prefix(LINE))
        .map(|json| {
            serde_json::from_str(json)
                .ok()
                .filter(|line: &Line| line.format == FORMAT)
                .ok_or_else(|| Error::Unreadable {
                    line: json.to_string(),
                })
        })
        .collect()
}
