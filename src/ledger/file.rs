//! A ledger in a file.

mod disk;

use core::ops::ControlFlow;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

#[cfg(test)]
pub(super) use disk::Disk;
#[cfg(not(test))]
use disk::Disk;

use super::frame::{self, HEADER, LONGEST, Link};
use super::store::{Appended, Place, Store, StoreError, Visit};

/// A file under an exclusive lock, or what a test puts in its place.
pub(super) struct FileStore<D> {
    disk: D,
    /// Where the next line goes: behind the last whole one.
    end: u64,
    /// How many lines there are, once they were counted.
    lines: Option<u64>,
    /// How many bytes behind `end` are of a line that was never finished.
    torn: u64,
    /// Whether they are still there.
    cut_due: bool,
    /// Whether an operation failed. The file may hold anything behind `end` then.
    stopped: bool,
}

impl FileStore<File> {
    /// Makes a new file, readable by its owner alone.
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let failed = |what| move |e: io::Error| StoreError::failed(what, e);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed("create the ledger"))?;
        file.try_lock().map_err(locked)?;
        start(&mut file)?;
        sync_directory(path).map_err(failed("sync the directory of the ledger"))?;
        Self::on(file)
    }

    /// Opens a file and locks it, waiting for another process to end if need be.
    pub(super) fn open(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => StoreError::Missing,
            _ => StoreError::failed("open the ledger", e),
        })?;
        let since = Instant::now();
        let mut pause = Duration::from_millis(1);
        while let Err(refused) = file.try_lock() {
            match locked(refused) {
                StoreError::Busy if since.elapsed() < wait => std::thread::sleep(pause),
                error => return Err(error),
            }
            pause = (2 * pause).min(Duration::from_millis(100));
        }
        sync_directory(path)
            .map_err(|e| StoreError::failed("sync the directory of the ledger", e))?;
        Self::on(file)
    }
}

fn locked(refused: std::fs::TryLockError) -> StoreError {
    match refused {
        std::fs::TryLockError::WouldBlock => StoreError::Busy,
        std::fs::TryLockError::Error(e) => StoreError::failed("lock the ledger", e),
    }
}

/// Makes the file's name durable, where the system has such a thing.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// Writes the header of a new ledger, or finishes a creation that was interrupted.
fn start(disk: &mut impl Disk) -> Result<(), StoreError> {
    let failed = |e| StoreError::failed("create the ledger", e);
    let size = disk.size().map_err(failed)?;
    let mut found = vec![0; HEADER.len().min(size as usize)];
    disk::read_all(disk, 0, &mut found).map_err(failed)?;
    // Written but for some bytes that are still empty.
    let unfinished = size <= HEADER.len() as u64
        && found
            .iter()
            .zip(HEADER.bytes())
            .all(|(&a, b)| a == b || a == 0);
    match unfinished && found != HEADER.as_bytes() {
        true => disk::write_all(disk, 0, HEADER.as_bytes()).map_err(failed)?,
        false if found == HEADER.as_bytes() => return Err(StoreError::Exists),
        false => return Err(StoreError::Foreign),
    }
    disk.sync().map_err(failed)
}

impl<D: Disk> FileStore<D> {
    /// Finds the end of the last whole line. Changes nothing yet.
    pub(super) fn on(mut disk: D) -> Result<Self, StoreError> {
        let failed = |e| StoreError::failed("read the ledger", e);
        // PRIVACY: a process that died may have written what is not durable yet; what is read from
        // here on is acted on, so it must be.
        disk.sync().map_err(failed)?;
        check_header(&mut disk)?;
        let size = disk.size().map_err(failed)?;
        let end = end_of_whole_lines(&mut disk, size).map_err(failed)?;
        Ok(FileStore {
            disk,
            end,
            lines: None,
            torn: size - end,
            cut_due: end < size,
            stopped: false,
        })
    }

    fn try_append(&mut self, line: &[u8]) -> io::Result<()> {
        if self.cut_due {
            self.disk.cut(self.end)?;
            self.disk.sync()?;
            self.cut_due = false;
        }
        disk::write_all(&mut self.disk, self.end, line)?;
        self.disk.sync()
    }
}

/// Checks the first line and returns where the second starts.
pub(super) fn check_header(disk: &mut impl Disk) -> Result<u64, StoreError> {
    let mut header = [0; HEADER.len()];
    match disk::read_all(disk, 0, &mut header) {
        Ok(()) if header == HEADER.as_bytes() => Ok(HEADER.len() as u64),
        Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => {
            Err(StoreError::failed("read the ledger", e))
        }
        _ => Err(StoreError::Foreign),
    }
}

/// Where the last line starts if it is torn, otherwise where it ends.
///
/// An append writes one line, whose only `\n` is its last byte, and returns when it is durable. So
/// only the last line can be torn, whichever of its bytes were written before a crash.
fn end_of_whole_lines(disk: &mut impl Disk, size: u64) -> io::Result<u64> {
    let start = start_of_last_line(disk, size)?;
    let header = HEADER.len() as u64;
    if size == header {
        return Ok(size);
    }
    let before = if start == header {
        Some(Link::first())
    } else {
        let mut line = [0; 65];
        if let Some(from) = start.checked_sub(65) {
            disk::read_all(disk, from, &mut line)?;
        }
        Link::claimed(&line)
    };
    let mut last = vec![0; (size - start) as usize];
    disk::read_all(disk, start, &mut last)?;
    Ok(match before {
        // Not how a crash looks: the reader will refuse it.
        None => size,
        Some(before) if frame::body(&last, before).is_some() => size,
        Some(_) if !frame::may_be_torn(&last) => size,
        Some(_) => start,
    })
}

fn start_of_last_line(disk: &mut impl Disk, size: u64) -> io::Result<u64> {
    let mut chunk = vec![0; 1 << 14];
    // The last byte is not looked at: where it is a `\n`, it ends the line that is looked for.
    let mut to = size - 1;
    while to > 0 && size - to <= LONGEST as u64 {
        let from = to.saturating_sub(chunk.len() as u64);
        let part = &mut chunk[..(to - from) as usize];
        disk::read_all(disk, from, part)?;
        if let Some(i) = part.iter().rposition(|&b| b == b'\n') {
            return Ok(from + i as u64 + 1);
        }
        to = from;
    }
    if to == 0 {
        return Ok(0);
    }
    Err(too_long())
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a line is too long")
}

/// Visits the lines from `place` on to the end of the file, in memory of the longest one.
///
/// A last line may lack its `\n`.
pub(super) fn visit_lines(
    disk: &mut impl Disk,
    mut place: Place,
    end: u64,
    visit: &mut Visit<'_>,
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let (mut filled, mut read_to) = (0, place);
    loop {
        let mut used = 0;
        while let Some(i) = buffer[used..filled].iter().position(|&b| b == b'\n') {
            let line = &buffer[used..=used + i];
            if visit(place, line).is_break() {
                return Ok(());
            }
            place += line.len() as u64;
            used += line.len();
        }
        buffer.copy_within(used..filled, 0);
        filled -= used;
        if filled == buffer.len() {
            if filled > LONGEST {
                return Err(too_long());
            }
            buffer.resize(2 * filled, 0);
        }
        let room = (buffer.len() - filled) as u64;
        let want = room.min(end.saturating_sub(read_to)) as usize;
        let got = match want {
            0 => 0,
            _ => match disk.read_at(read_to, &mut buffer[filled..filled + want]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                got => got?,
            },
        };
        if got == 0 {
            if filled > 0 {
                let _ = visit(place, &buffer[..filled]);
            }
            return Ok(());
        }
        filled += got;
        read_to += got as u64;
    }
}

// PRIVACY: durable because `append` returns after `sync`, and `on` syncs what it finds; one line for
// each number because the lock excludes other processes, `&mut self` other threads, and `lines` is
// compared; whole lines because only the last one can be torn, it is cut off before the next is
// written, and nothing is written after a failure; never less because nothing else is cut.
#[allow(unsafe_code)]
unsafe impl<D: Disk> Store for FileStore<D> {
    fn read(&mut self, from: u64, visit: &mut Visit<'_>) -> Result<(), StoreError> {
        if self.stopped {
            return Err(StoreError::Stopped);
        }
        // Nobody else appends.
        if self.lines == Some(from) {
            return Ok(());
        }
        let mut lines = 0;
        let mut whole = true;
        visit_lines(
            &mut self.disk,
            HEADER.len() as u64,
            self.end,
            &mut |place, line| {
                lines += 1;
                let step = match lines > from {
                    true => visit(place, line),
                    false => ControlFlow::Continue(()),
                };
                whole = step.is_continue();
                step
            },
        )
        .map_err(|e| StoreError::failed("read the ledger", e))?;
        if whole {
            self.lines = Some(lines);
        }
        Ok(())
    }

    fn line(&mut self, place: Place) -> Result<Vec<u8>, StoreError> {
        let mut found = Vec::new();
        visit_lines(&mut self.disk, place, self.end, &mut |_, line| {
            found.extend_from_slice(line);
            ControlFlow::Break(())
        })
        .map_err(|e| StoreError::failed("read the ledger", e))?;
        Ok(found)
    }

    fn append(&mut self, number: u64, line: &[u8]) -> Result<Appended, StoreError> {
        if self.lines.is_none() {
            self.read(0, &mut |_, _| ControlFlow::Continue(()))?;
        }
        if self.stopped {
            return Err(StoreError::Stopped);
        }
        if self.lines != Some(number) {
            return Ok(Appended::Taken);
        }
        // PRIVACY: after a failed write or sync nobody knows what the disk holds, and a later sync
        // that succeeds says nothing of the pages that were lost. Only opening again tells.
        self.stopped = true;
        self.try_append(line)
            .map_err(|e| StoreError::failed("write to the ledger", e))?;
        self.stopped = false;
        let place = self.end;
        self.end += line.len() as u64;
        self.lines = Some(number + 1);
        Ok(Appended::At(place))
    }

    /// Nobody else has the file open, so there is nobody to show it to.
    fn hold(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn is_held(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn let_go(&mut self, _: u64) {}

    fn torn(&self) -> u64 {
        self.torn
    }
}
