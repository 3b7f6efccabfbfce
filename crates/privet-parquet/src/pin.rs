//! Which files there are, and whether they are what they were.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use privet::engine::EngineError;
use privet::{Error, Result};
use sha2::{Digest, Sha256};

pub(crate) fn unreadable(file: &Path, reason: impl ToString) -> Error {
    Error::Unreadable {
        file: file.display().to_string(),
        reason: reason.to_string(),
    }
}

/// The files of paths: each a file, or a directory with files of that ending, in it or below. Names with
/// `_` or `.` in front are left out, as by others who write and read such directories.
pub(crate) fn files(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|error| unreadable(path, error))?;
        match about.is_dir() {
            true => walk(path, ending, &mut found)?,
            false => found.push(path.clone()),
        }
    }
    let mut known = Vec::new();
    for file in &found {
        let one = fs::canonicalize(file).map_err(|error| unreadable(file, error))?;
        let same = identity(file)?;
        if known.contains(&(one.clone(), None))
            || known.iter().any(|(_, id)| *id == same && id.is_some())
        {
            return Err(Error::Setting {
                file: file.display().to_string(),
                reason:
                    "it is named twice, so that its rows would count twice; name each file once"
                        .into(),
            });
        }
        known.push((one, same));
    }
    match found.is_empty() {
        true => Err(Error::Setting {
            file: paths
                .first()
                .map(|path| path.display().to_string())
                .unwrap_or_default(),
            reason: format!("there is no file that ends in `.{ending}`"),
        }),
        false => Ok(found),
    }
}

/// What two names of one file share.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
fn identity(file: &Path) -> Result<Option<(u64, u64)>> {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(file).map_err(|error| unreadable(file, error))?;
    Ok(Some((about.dev(), about.ino())))
}
#[cfg(not(unix))]
fn identity(_: &Path) -> Result<Option<(u64, u64)>> {
    Ok(None)
}

fn walk(directory: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    let read = |error| unreadable(directory, error);
    let entries = fs::read_dir(directory).map_err(read)?;
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()
        .map_err(read)?;
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with(['_', '.']) {
            continue;
        }
        if path.is_dir() {
            walk(&path, ending, found)?;
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        } else {
            return Err(Error::Setting {
                file: path.display().to_string(),
                reason: format!(
                    "it does not end in `.{ending}`, and its rows would be lost; move it away, or name the files"
                ),
            });
        }
    }
    Ok(())
}

/// A file as it was when the vault opened.
#[derive(Clone, Debug)]
pub(crate) struct Pinned {
    pub(crate) path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    /// Of its last bytes, which say where everything is.
    footer: [u8; 32],
}

impl Pinned {
    pub(crate) fn new(path: PathBuf) -> Result<Self> {
        let look = || -> io::Result<Pinned> {
            let mut file = File::open(&path)?;
            let about = file.metadata()?;
            Ok(Pinned {
                bytes: about.len(),
                modified: about.modified().ok(),
                footer: footer(&mut file, about.len())?,
                path: path.clone(),
            })
        };
        look().map_err(|error| unreadable(&path, error))
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn changed(&self) -> EngineError {
        EngineError::Changed { data: self.name() }
    }

    pub(crate) fn failed(&self, reason: &'static str) -> EngineError {
        EngineError::Failed {
            data: self.name(),
            reason,
        }
    }

    /// The file, if it is what it was.
    pub(crate) fn open(&self) -> Result<File, EngineError> {
        let open = || -> io::Result<(File, [u8; 32])> {
            let mut file = File::open(&self.path)?;
            let footer = footer(&mut file, self.bytes)?;
            Ok((file, footer))
        };
        let mut file = match open() {
            Ok((file, footer)) if footer == self.footer => file,
            Ok(_) => return Err(self.changed()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(self.changed());
            }
            Err(_) => return Err(self.failed("the operating system did not open it")),
        };
        self.check(&file)?;
        file.seek(SeekFrom::Start(0))
            .map_err(|_| self.failed("the operating system did not read it"))?;
        Ok(file)
    }

    /// The same open file, for a reader that closes it.
    pub(crate) fn again(&self, file: &File) -> Result<File, EngineError> {
        let again = file.try_clone();
        again.map_err(|_| self.failed("the operating system did not read it"))
    }

    /// Whether the file is still what it was; to be asked after it was read, too.
    pub(crate) fn check(&self, file: &File) -> Result<(), EngineError> {
        let about = file.metadata();
        let about = about.map_err(|_| self.failed("the operating system did not read it"))?;
        match about.len() == self.bytes && about.modified().ok() == self.modified {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }
}

/// The SHA-256 of a file's footer: as long as its last eight bytes say, or the last 64 KiB.
fn footer(file: &mut File, bytes: u64) -> io::Result<[u8; 32]> {
    let mut end = [0; 8];
    if bytes >= 8 {
        file.seek(SeekFrom::Start(bytes - 8))?;
        file.read_exact(&mut end)?;
    }
    let [a, b, c, d, ..] = end;
    let length = match end.ends_with(b"PAR1") {
        true => u64::from(u32::from_le_bytes([a, b, c, d])) + 8,
        false => 1 << 16,
    };
    let length = length.min(bytes);
    file.seek(SeekFrom::Start(bytes - length))?;
    let mut footer = Vec::new();
    file.take(length).read_to_end(&mut footer)?;
    match footer.len() as u64 == length {
        true => Ok(Sha256::digest(&footer).into()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
