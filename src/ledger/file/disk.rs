//! What a ledger file needs of a file, so that tests can put a faulty one in its place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Reads and writes may be short, as those of the system are.
pub(in crate::ledger) trait Disk: Send {
    fn size(&mut self) -> io::Result<u64>;
    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<usize>;
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize>;
    /// Makes the file end here.
    fn cut(&mut self, size: u64) -> io::Result<()>;
    /// Returns when all that was written is durable.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.seek(SeekFrom::Start(at))?;
        self.read(into)
    }

    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        self.seek(SeekFrom::Start(at))?;
        self.write(bytes)
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Fills `into`.
pub(super) fn read_all(disk: &mut impl Disk, at: u64, into: &mut [u8]) -> io::Result<()> {
    let mut done = 0;
    while done < into.len() {
        match disk.read_at(at + done as u64, &mut into[done..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => done += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Writes all of `bytes`.
pub(super) fn write_all(disk: &mut impl Disk, at: u64, bytes: &[u8]) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match disk.write_at(at + done as u64, &bytes[done..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => done += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
