//! Prices are of the sources as they are now.
//!
//! Cargo takes a file for unchanged if its time of modification is old, and so would hand us the
//! prices of another checkout, or of a file that was restored with its old time. The audit looks at
//! contents: packages whose files changed are built again, whatever the times say.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cargo_metadata::{Metadata, PackageId};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// Larger files hold data, not types; of them, the length and the time are looked at.
const LARGE: u64 = 4 << 20;

/// What the files of the packages on this machine contain.
#[derive(Clone, Debug)]
pub struct Contents(BTreeMap<Name, Content>);

/// A file's path as it is written: to compare two by their parts takes long.
type Name = OsString;

#[derive(Clone, Debug)]
struct Content {
    package: PackageId,
    hash: String,
    /// From before it was read; none where it does not tell every later write.
    stamp: Option<Stamp>,
}

impl Contents {
    /// As they are now. A file that was not written since the last audit in `dir` is not read again.
    pub fn of(metadata: &Metadata, dir: &Path) -> Self {
        let text = std::fs::read_to_string(record(dir)).unwrap_or_default();
        let last: BTreeMap<&OsStr, (&str, &str)> = noted(&text)
            .map(|(hash, stamp, file)| (file, (hash, stamp)))
            .collect();
        let read = |(name, package): (Name, &PackageId)| {
            let file = Path::new(&name);
            let stamp = stamp(file);
            let known = last.get(name.as_os_str()).filter(|(_, then)| {
                let unwritten = stamp.as_ref().map(Stamp::to_string);
                unwritten.is_some_and(|stamp| stamp == *then)
            });
            let hash = match known {
                Some((hash, _)) => (*hash).to_string(),
                None => sha256(&contents(file)),
            };
            let content = Content {
                package: package.clone(),
                hash,
                stamp,
            };
            (name, content)
        };
        Contents(found(metadata).into_iter().map(read).collect())
    }

    /// Whether files were changed, added or removed since.
    pub fn differ_now(&self, metadata: &Metadata) -> bool {
        let same = |(name, content): (&Name, &Content)| {
            let file = Path::new(name);
            content.stamp.is_some() && stamp(file) == content.stamp
                || sha256(&contents(file)) == content.hash
        };
        !found(metadata).keys().eq(self.0.keys()) || !self.0.iter().all(same)
    }

    /// The packages that cargo may take for unchanged, and which are not what was built in a
    /// directory the last time: a file with other contents is not newer than that.
    pub fn unnoticed(&self, dir: &Path) -> BTreeSet<&PackageId> {
        let record = record(dir);
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        let built: BTreeMap<&OsStr, &str> =
            noted(&text).map(|(hash, _, file)| (file, hash)).collect();
        let since = modified(&record);
        let unnoticed = |file: &OsStr, hash: &str| match built.get(file) {
            Some(built) if *built == hash => false,
            // Newer than the last build: cargo sees that by itself.
            Some(_) => {
                let at = modified(Path::new(file));
                since.is_none_or(|since| at.is_none_or(|at| at <= since))
            }
            None => true,
        };
        let files = self.0.iter();
        let files = files.filter(|(file, content)| unnoticed(file, &content.hash));
        files.map(|(_, content)| &content.package).collect()
    }

    /// Notes what is about to be built in a directory.
    pub fn note(&self, dir: &Path) -> Result<()> {
        let line = |(file, content): (&Name, &Content)| {
            let stamp = content.stamp.as_ref();
            let stamp = stamp.map_or("-".to_string(), Stamp::to_string);
            format!("{}\t{stamp}\t{}\n", content.hash, Path::new(file).display())
        };
        let text: String = self.0.iter().map(line).collect();
        let path = record(dir);
        std::fs::write(&path, text).map_err(Error::file(&path))
    }
}

/// The files of the packages on this machine.
fn found(metadata: &Metadata) -> BTreeMap<Name, &PackageId> {
    let target = metadata.target_directory.as_std_path();
    let mut all = BTreeMap::new();
    for package in metadata.packages.iter().filter(|p| p.source.is_none()) {
        let mut files = Vec::new();
        if let Some(home) = package.manifest_path.parent() {
            below(home.as_std_path(), target, true, &mut files);
        }
        let names = files.into_iter().map(PathBuf::into_os_string);
        all.extend(names.map(|name| (name, &package.id)));
    }
    all
}

/// What a record says: hashes, stamps and files.
fn noted(text: &str) -> impl Iterator<Item = (&str, &str, &OsStr)> {
    text.lines().filter_map(|line| {
        let (hash, rest) = line.split_once('\t')?;
        let (stamp, file) = rest.split_once('\t')?;
        Some((hash, stamp, OsStr::new(file)))
    })
}

/// What every write to a file changes, whatever its time of modification is set to: its number, the
/// time of its last change and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    number: u64,
    changed: (i64, i64),
    length: u64,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanoseconds) = self.changed;
        write!(f, "{}.{seconds}.{nanoseconds}.{}", self.number, self.length)
    }
}

/// None where the system does not say, and for a file that was written just now: a second write can
/// have the same time.
#[cfg(unix)]
fn stamp(file: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let about = std::fs::metadata(file).ok()?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = i64::try_from(now.ok()?.as_secs()).ok()?;
    let settled = about.ctime() + 2 < now;
    settled.then(|| Stamp {
        number: about.ino(),
        changed: (about.ctime(), about.ctime_nsec()),
        length: about.len(),
    })
}

#[cfg(not(unix))]
fn stamp(_: &Path) -> Option<Stamp> {
    None
}

/// Gives a directory what another one has built, times included: what both depend on is not built
/// again. What differs between the two is, since the record says of which files it was made.
pub fn seed(from: &Path, to: &Path) {
    if to.join("build").exists() || !from.join("build").exists() {
        return;
    }
    // Where this fails, more is built.
    if copy(&from.join("build"), &to.join("build")).is_err()
        || copy(&record(from), &record(to)).is_err()
    {
        let _ = std::fs::remove_dir_all(to.join("build"));
        let _ = std::fs::remove_file(record(to));
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let about = std::fs::symlink_metadata(from)?;
    if about.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if about.is_file() {
        std::fs::copy(from, to)?;
        let times = std::fs::FileTimes::new().set_modified(about.modified()?);
        File::options().append(true).open(to)?.set_times(times)?;
    }
    Ok(())
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path)
        .and_then(|about| about.modified())
        .ok()
}

fn record(dir: &Path) -> PathBuf {
    dir.join("sources")
}

fn below(dir: &Path, target: &Path, home: bool, files: &mut Vec<PathBuf>) {
    // Another package has an entry of its own.
    if dir == target || !home && dir.join("Cargo.toml").exists() {
        return;
    }
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = entry.file_type();
        let link = kind.as_ref().is_ok_and(std::fs::FileType::is_symlink);
        let folder = match kind {
            Ok(kind) if !link => kind.is_dir(),
            _ => path.is_dir(),
        };
        if folder {
            let name = entry.file_name();
            let cache = path.join("CACHEDIR.TAG").exists() && !path.join("mod.rs").exists();
            if !link && name != ".git" && !cache {
                below(&path, target, false, files);
            }
        } else {
            files.push(path);
        }
    }
}

fn contents(file: &Path) -> Vec<u8> {
    let Ok(about) = std::fs::metadata(file) else {
        return Vec::new();
    };
    if about.len() > LARGE {
        return format!("{} {:?}", about.len(), about.modified().ok()).into_bytes();
    }
    std::fs::read(file).unwrap_or_default()
}

/// SHA-256 as people compare it.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One audit at a time in a directory: a second one waits. Released when dropped.
pub struct Turn(#[expect(dead_code)] File);

impl Turn {
    pub fn take(dir: &Path, quiet: bool) -> Result<Self> {
        std::fs::create_dir_all(dir).map_err(Error::file(dir))?;
        let path = dir.join("lock");
        let file = File::create(&path).map_err(Error::file(&path))?;
        if fs4::FileExt::try_lock(&file).is_err() {
            if !quiet {
                eprintln!("waiting for another `cargo privet` in {}", dir.display());
            }
            fs4::FileExt::lock(&file).map_err(Error::file(&path))?;
        }
        Ok(Turn(file))
    }
}
