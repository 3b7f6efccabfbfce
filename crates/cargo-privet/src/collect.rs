//! Compiles the project for the audit and reads what the types say.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Message, Metadata, MetadataCommand, Package, PackageId, Target, TargetKind};
use serde::Deserialize;

use crate::error::{Error, Result};

/// What the attribute looks for: see privet-derive.
const AUDIT: &str = "CARGO_PRIVET_AUDIT";
/// How the attribute's lines begin, and the version of what follows.
const LINE: &str = "privet-audit ";
const FORMAT: u32 = 1;

/// Which project, and how to build it.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub manifest: Option<PathBuf>,
    pub target_dir: Option<PathBuf>,
    /// Handed to cargo as they are: `--offline`, `--features x`.
    pub cargo: Vec<String>,
    pub packages: Vec<String>,
    pub quiet: bool,
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
        let platform = host()
            .into_iter()
            .flat_map(|host| ["--filter-platform".to_string(), host]);
        command.other_options(
            self.cargo
                .iter()
                .cloned()
                .chain(platform)
                .collect::<Vec<_>>(),
        );
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
        let mut found = metadata.packages.iter().filter(|p| *p.name == "privet");
        let Some(first) = found.next() else {
            return Err(Error::NoPrivet {
                root: metadata.workspace_root.clone().into(),
            });
        };
        for privet in core::iter::once(first).chain(found) {
            if !same(&privet.version.to_string()) {
                return Err(Error::OtherVersion {
                    found: privet.version.to_string(),
                });
            }
        }
        Ok(metadata)
    }

    /// The packages of the workspace that can hold mechanisms.
    pub fn users<'a>(&self, metadata: &'a Metadata) -> Vec<&'a Package> {
        let uses = users_of_privet(metadata);
        metadata
            .workspace_packages()
            .into_iter()
            .filter(|package| self.packages.is_empty() || self.packages.contains(&package.name))
            .filter(|package| uses.contains(&package.id))
            // The tool itself uses privet to print prices.
            .filter(|package| *package.name != "cargo-privet")
            .collect()
    }

    /// Builds the audit programs and runs them. No function of the project is called.
    pub fn lines(&self, metadata: &Metadata) -> Result<Vec<Line>> {
        let users = self.users(metadata);
        // privet's own library has nothing to audit, its examples have.
        let (own, others): (Vec<_>, Vec<_>) = users
            .into_iter()
            .partition(|package| *package.name == "privet");
        let mut programs = Vec::new();
        if !others.is_empty() {
            let mut targets = vec!["--bins", "--examples"];
            let library = |package: &&Package| package.targets.iter().any(Target::is_lib);
            if others.iter().any(library) {
                targets.push("--lib");
            }
            programs.extend(self.build(metadata, &others, &targets)?);
        }
        for package in own {
            let names = audited_examples(package);
            let targets: Vec<&str> = names.iter().flat_map(|name| ["--example", name]).collect();
            if !targets.is_empty() {
                programs.extend(self.build(metadata, &[package], &targets)?);
            }
        }
        let mut lines = BTreeSet::new();
        for (program, home) in programs {
            lines.extend(run(&program, &home)?);
        }
        Ok(lines.into_iter().collect())
    }

    /// Where the audit is built, apart from normal builds.
    ///
    /// Cargo names what it builds by the package and its place in the workspace, so that a directory
    /// which other projects use, too, could hand us another project's prices: there, each project
    /// has its own. A directory that was asked for is taken as it is.
    pub fn audit_dir(&self, metadata: &Metadata) -> PathBuf {
        if let Some(asked) = &self.target_dir {
            return asked.join("privet-audit");
        }
        let root = &metadata.workspace_root;
        let target = &metadata.target_directory;
        if target.starts_with(root) {
            return target.join("privet-audit").into();
        }
        let mut hasher = DefaultHasher::new();
        root.hash(&mut hasher);
        target
            .join(format!("privet-audit-{:016x}", hasher.finish()))
            .into()
    }

    fn build(
        &self,
        metadata: &Metadata,
        packages: &[&Package],
        targets: &[&str],
    ) -> Result<Vec<(PathBuf, PathBuf)>> {
        let target_dir = self.audit_dir(metadata);
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
                    .flat_map(|p| ["-p".to_string(), format!("{}@{}", p.name, p.version)]),
            )
            .args(&self.cargo)
            .env("CARGO_TARGET_DIR", target_dir)
            .env(AUDIT, "1")
            // The programs do nothing but print: compile them fast.
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            .stdout(Stdio::piped());
        if self.quiet {
            command.arg("--quiet");
        }
        let spawn = |error| Error::File {
            path: PathBuf::from("cargo"),
            error,
        };
        let mut child = command.spawn().map_err(spawn)?;
        let mut programs = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            for message in Message::parse_stream(BufReader::new(stdout)) {
                match message.map_err(spawn)? {
                    Message::CompilerMessage(message)
                        if matches!(
                            message.message.level,
                            DiagnosticLevel::Error | DiagnosticLevel::Ice
                        ) =>
                    {
                        if let Some(text) = message.message.rendered {
                            eprint!("{text}");
                        }
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
        if child.wait().map_err(spawn)?.success() {
            Ok(programs)
        } else {
            Err(Error::DoesNotBuild)
        }
    }
}

/// privet and every package that depends on it, also by way of another that hands it on with
/// `pub use privet`.
pub fn users_of_privet(metadata: &Metadata) -> BTreeSet<&PackageId> {
    let privet = metadata.packages.iter().filter(|p| *p.name == "privet");
    let mut users: BTreeSet<&PackageId> = privet.map(|p| &p.id).collect();
    let nodes = metadata.resolve.as_ref().map_or(&[][..], |r| &r.nodes);
    loop {
        let more: Vec<&PackageId> = nodes
            .iter()
            .filter(|node| !users.contains(&node.id))
            .filter(|node| node.deps.iter().any(|d| users.contains(&d.pkg)))
            .map(|node| &node.id)
            .collect();
        if more.is_empty() {
            return users;
        }
        users.extend(more);
    }
}

/// The cargo that called us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The platform that cargo builds for unless told otherwise.
fn host() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_string)
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
        .args(["__privet_audit_", "--nocapture", "--quiet"])
        .current_dir(home)
        .env(AUDIT, "1")
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
