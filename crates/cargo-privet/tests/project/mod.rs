//! Fixture projects in a directory of their own, and the tool run on them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

/// The repository that holds privet.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..").canonicalize().expect("the repository")
}

/// What all fixtures are built in: their packages have different names.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures")
}

/// A project that is kept for all tests of this checkout, and where the tool has built it. Programs of
/// tests wait for each other here, and the next run finds privet compiled.
fn template() -> PathBuf {
    let home = repository();
    let hash = Sha256::digest(home.display().to_string().as_bytes());
    let name = format!(
        "cargo-privet-template-{:02x}{:02x}{:02x}",
        hash[0], hash[1], hash[2]
    );
    let root = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&root).expect("a directory");
    let turn = std::fs::File::create(root.join("lock")).expect("a file");
    turn.lock().expect("a turn");
    let project = Project {
        root: root.join("template"),
    };
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/over");
    copy(&from, &project.root);
    project.lock();
    project.privet(&["audit", "--quiet"]).exits(1);
    let built = project.audit_dir();
    // It is not removed with the tests.
    std::mem::forget(project);
    built
}

/// A fixture, copied; removed when dropped.
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    /// A directory for a project, empty.
    pub fn empty(name: &str) -> Self {
        let unique = format!(
            "{name}-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let unique = unique.replace(['(', ')'], "");
        // Outside of the repository, whose workspace would claim what lies in it.
        let root = std::env::temp_dir()
            .join("cargo-privet")
            .join(unique)
            .join(name);
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("a directory");
        Project { root }
    }

    /// The fixture of this name, with this repository's privet and lock file.
    pub fn copy(name: &str) -> Self {
        let project = Project::empty(name);
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(name);
        copy(&from, &project.root);
        project.lock();
        project.warm();
        project
    }

    /// Puts what all fixtures depend on where the tool will look for it: each project is built in a
    /// directory of its own, and privet would be compiled for each.
    pub fn warm(&self) {
        static BUILT: OnceLock<PathBuf> = OnceLock::new();
        let built = BUILT.get_or_init(template);
        let own = self.audit_dir();
        std::fs::create_dir_all(&own).expect("a directory");
        let copied = Command::new("cp")
            .arg("-a")
            .arg(built.join("build"))
            .arg(&own)
            .status();
        assert!(copied.is_ok_and(|status| status.success()), "copied");
    }

    /// Where the tool builds this project.
    fn audit_dir(&self) -> PathBuf {
        let root = self
            .root
            .canonicalize()
            .unwrap_or_else(|_| self.root.clone());
        let key = format!(
            "{}\0{:?}\0{:?}",
            root.display(),
            None::<String>,
            None::<String>
        );
        let hash = Sha256::digest(key.as_bytes());
        let key: String = hash
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        target().join("privet-audit").join(key)
    }

    /// The repository's lock file, so that no network is needed.
    pub fn lock(&self) {
        let lock = repository().join("Cargo.lock");
        std::fs::copy(lock, self.root.join("Cargo.lock")).expect("a lock file");
    }

    /// Replaces text in a file.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.root.join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        assert!(text.contains(from), "{file} has `{from}`");
        std::fs::write(path, text.replace(from, to)).expect("written");
    }

    /// Runs a program here, on the target directory that all fixtures share.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program)
            .args(arguments)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_NET_OFFLINE", "true")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env_remove("NO_COLOR")
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"))
    }

    /// Runs the tool as cargo does, on the target directory that all fixtures share.
    pub fn privet(&self, arguments: &[&str]) -> Ran {
        let target = target().display().to_string();
        let mut all = arguments.to_vec();
        all.extend(["--target-dir", &target]);
        self.tool(&all)
    }

    /// Runs the tool as cargo does.
    pub fn tool(&self, arguments: &[&str]) -> Ran {
        let mut all = vec!["privet"];
        all.extend(arguments);
        let output = self.run(env!("CARGO_BIN_EXE_cargo-privet"), &all);
        Ran {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.audit_dir());
        if let Some(parent) = self.root.parent() {
            let _ = std::fs::remove_dir_all(parent);
        }
    }
}

/// What a run of the tool gave.
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Checks the exit status, showing everything where it is another.
    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{}\n{}", self.out, self.err);
        self
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a fixture").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            let text = std::fs::read_to_string(&path).expect("text");
            let privet = repository().display().to_string();
            let text = text.replace("PRIVET", &privet);
            // What is there already is as old as it was.
            if std::fs::read_to_string(&target).ok().as_ref() != Some(&text) {
                std::fs::write(target, text).expect("written");
            }
        }
    }
}
