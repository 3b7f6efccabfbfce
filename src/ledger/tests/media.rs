//! A disk with a page cache, faults and power cuts.

use std::io;
use std::sync::{Arc, Mutex};

use crate::ledger::file::Disk;

/// When a fault strikes, counted from the first operation on the disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    Never,
    /// A write stops after this many bytes in all, with ENOSPC, and all later ones fail.
    FullAfter(u64),
    /// The process dies when this many bytes were written in all.
    DiesAfter(u64),
    /// This sync reports EIO and makes nothing durable.
    SyncFails(u64),
    /// The process dies before this sync.
    DiesBeforeSync(u64),
    /// The process dies after this sync, before anything else happens.
    DiesAfterSync(u64),
}

/// What a power cut leaves of writes that were not synced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Loss {
    /// The machine goes on: only the process died, and the page cache survives.
    None,
    /// Everything that was not synced.
    All,
    /// Each byte stays or is zero by the bits of this seed; the file is as long as it was.
    SomeBytes(u64),
    /// The file is shorter by some bytes, and others are zero.
    SomeBytesCut(u64),
    /// Only the last byte of the file stayed: writes were reordered.
    OnlyLastByte,
}

#[derive(Default)]
struct Media {
    durable: Vec<u8>,
    cache: Vec<u8>,
    fault: Option<Fault>,
    written: u64,
    syncs: u64,
    /// The process is dead, or the disk refuses for good.
    dead: bool,
    /// At most this many bytes in one write.
    longest_write: Option<usize>,
}

/// A handle on the same medium for every clone.
#[derive(Clone, Default)]
pub(super) struct VirtualDisk(Arc<Mutex<Media>>);

impl VirtualDisk {
    fn with<T>(&self, f: impl FnOnce(&mut Media) -> T) -> T {
        f(&mut self.0.lock().unwrap())
    }

    pub(super) fn holding(bytes: &[u8]) -> Self {
        let disk = VirtualDisk::default();
        disk.with(|m| (m.durable, m.cache) = (bytes.to_vec(), bytes.to_vec()));
        disk
    }

    pub(super) fn faulty(&self, fault: Fault) {
        self.with(|m| {
            m.fault = Some(fault);
            (m.written, m.syncs) = (0, 0);
        });
    }

    pub(super) fn writing_at_most(&self, bytes: usize) {
        self.with(|m| m.longest_write = Some(bytes));
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.with(|m| m.cache.clone())
    }

    /// How many bytes were written and how often they were synced.
    pub(super) fn work(&self) -> (u64, u64) {
        self.with(|m| (m.written, m.syncs))
    }

    /// The medium as the next process finds it.
    pub(super) fn after(&self, loss: Loss) -> VirtualDisk {
        let left = self.with(|m| {
            let mut left = m.cache.clone();
            let synced = |i: usize, b: u8| m.durable.get(i) == Some(&b);
            match loss {
                Loss::None => {}
                Loss::All => left = m.durable.clone(),
                Loss::SomeBytes(seed) | Loss::SomeBytesCut(seed) => {
                    let mut coin = seed | 1;
                    for (i, byte) in left.iter_mut().enumerate() {
                        coin = coin
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(99);
                        if !synced(i, *byte) && coin >> 63 == 1 {
                            *byte = m.durable.get(i).copied().unwrap_or(0);
                        }
                    }
                    let extra = left.len().saturating_sub(m.durable.len());
                    if let (Loss::SomeBytesCut(_), 1..) = (loss, extra) {
                        left.truncate(m.durable.len() + coin as usize % extra);
                    }
                }
                Loss::OnlyLastByte => {
                    let last = left.len().saturating_sub(1);
                    for (i, byte) in left.iter_mut().enumerate() {
                        if !synced(i, *byte) && i != last {
                            *byte = m.durable.get(i).copied().unwrap_or(0);
                        }
                    }
                }
            }
            left
        });
        let next = VirtualDisk::default();
        next.with(|m| {
            // What survived in the cache alone is still not durable.
            m.durable = match loss {
                Loss::None => self.with(|old| old.durable.clone()),
                _ => left.clone(),
            };
            m.cache = left;
        });
        next
    }
}

fn dead() -> io::Error {
    io::Error::other("dead")
}

impl Disk for VirtualDisk {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.with(|m| m.cache.len() as u64))
    }

    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.with(|m| {
            let from = &m.cache[(at as usize).min(m.cache.len())..];
            // Short reads, as a system may make them.
            let n = from.len().min(into.len()).min(4099);
            into[..n].copy_from_slice(&from[..n]);
            Ok(n)
        })
    }

    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        self.with(|m| {
            if m.dead {
                return Err(dead());
            }
            let mut n = bytes.len().min(m.longest_write.unwrap_or(usize::MAX));
            if let Some(Fault::FullAfter(limit) | Fault::DiesAfter(limit)) = m.fault {
                n = n.min((limit - m.written) as usize);
                if n == 0 {
                    m.dead = true;
                    return Err(io::ErrorKind::StorageFull.into());
                }
            }
            let at = at as usize;
            if m.cache.len() < at + n {
                m.cache.resize(at + n, 0);
            }
            m.cache[at..at + n].copy_from_slice(&bytes[..n]);
            m.written += n as u64;
            Ok(n)
        })
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.with(|m| {
            if m.dead {
                return Err(dead());
            }
            m.cache.truncate(size as usize);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.with(|m| {
            let number = m.syncs;
            m.syncs += 1;
            if m.dead || m.fault == Some(Fault::DiesBeforeSync(number)) {
                m.dead = true;
                return Err(dead());
            }
            if m.fault == Some(Fault::SyncFails(number)) {
                m.dead = true;
                return Err(io::Error::from_raw_os_error(5));
            }
            m.durable = m.cache.clone();
            if m.fault == Some(Fault::DiesAfterSync(number)) {
                m.dead = true;
                return Err(dead());
            }
            Ok(())
        })
    }
}
