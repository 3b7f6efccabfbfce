//! Which copy of a forked process this is. Vaults, meters and generators ask.
//!
//! A fork copies memory, and with it a vault, what a meter has spent and the state of a generator.
//! Each of them keeps the [`Process`] that made it, and asks before each use whether
//! this is still that process.
//!
//! Three cases are not detected: a process that shares its parent's memory (`vfork`, `clone` with
//! `CLONE_VM`), since nothing was copied; a copy that the kernel did not make (a virtual-machine snapshot, a
//! restored checkpoint); and, where the kernel has no page that it wipes, a descendant with the same
//! process id (in a namespace of its own, or after the ancestor's death).

#[cfg(feature = "parallel")]
use core::sync::atomic::{AtomicU64, Ordering};

/// One copy of a process: different from all of its ancestors and descendants.
///
/// On Linux it is a number in a page that the kernel empties in every child, however the child was
/// made. Looking at it takes a nanosecond, and it tells apart what a process id would not (a child
/// in a namespace that counts ids afresh, a descendant that was given a dead ancestor's id).
/// Where the kernel offers no such page it is the process id, which a system call returns.
///
/// Siblings may have the same number. They share no memory, so neither holds anything that belongs to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process(u64);

impl Process {
    /// This process.
    #[inline]
    pub(crate) fn current() -> Self {
        #[cfg(target_os = "linux")]
        if let Some(number) = page::number() {
            return Process(number);
        }
        Process(std::process::id().into())
    }

    /// Whether this process is that one, and not a child of it.
    #[inline]
    pub(crate) fn is_current(self) -> bool {
        self == Process::current()
    }

    /// A process that is not this one.
    #[cfg(test)]
    pub(crate) fn other() -> Self {
        Process(Process::current().0 ^ 1)
    }
}

/// Something that only the first process that asks for it may use, and none of its children: a thread
/// pool, whose threads a fork leaves behind.
#[cfg(feature = "parallel")]
pub(crate) struct FirstProcess(AtomicU64);

#[cfg(feature = "parallel")]
impl FirstProcess {
    pub(crate) const fn new() -> Self {
        FirstProcess(AtomicU64::new(0))
    }

    /// Whether this process is the first one that asks.
    pub(crate) fn is_current(&self) -> bool {
        let Process(now) = Process::current();
        // No lock, which a fork could leave locked. No process has the number 0.
        match (self.0).compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(first) => first == now,
        }
    }
}

#[cfg(target_os = "linux")]
mod page {
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

    /// Null before the first look, [`NONE`] if there is no such page.
    pub(super) static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
    pub(super) static NONE: AtomicU64 = AtomicU64::new(0);
    /// The last number that this process or an ancestor took. It starts above every process id.
    static LAST: AtomicU64 = AtomicU64::new(1 << 32);

    /// The number in the page. It is this process's own, and every child has another.
    #[inline]
    pub(super) fn number() -> Option<u64> {
        let mut page = PAGE.load(Ordering::Acquire);
        if page.is_null() {
            page = map();
        }
        if ptr::eq(page, &NONE) {
            return None;
        }
        // SAFETY: neither null nor `NONE`, so it is a page of `map`, which is never unmapped. A
        // page is aligned for an `AtomicU64`, and all of its bits are valid ones.
        #[allow(unsafe_code)]
        let place = unsafe { &*page };
        match place.load(Ordering::Acquire) {
            0 => Some(take(place)),
            number => Some(number),
        }
    }

    /// Takes a number in a new process, or in a child that finds the page empty.
    #[cold]
    fn take(place: &AtomicU64) -> u64 {
        // PRIVACY: counted before it can be read from the page, so a child's memory has counted
        // every number that anything in it may hold, and the child's own is larger.
        let number = LAST.fetch_add(1, Ordering::AcqRel) + 1;
        // Of two threads the first one decides: a vault must not outlive the number it keeps.
        match place.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => number,
            Err(first) => first,
        }
    }

    /// Maps the page, or finds that there is none. No lock, which a fork could leave locked.
    #[cold]
    fn map() -> *mut AtomicU64 {
        let length = size_of::<AtomicU64>();
        let none = ptr::from_ref(&NONE).cast_mut();
        // SAFETY: a new anonymous mapping at an address of the kernel's choice; only this mapping
        // is advised on and unmapped. The kernel rounds the length up to a page.
        #[allow(unsafe_code)]
        let page = unsafe {
            let page = libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if page == libc::MAP_FAILED {
                none
            } else if libc::madvise(page, length, libc::MADV_WIPEONFORK) == 0
                // An emulator that agrees to advice that does not exist ignores it all.
                && libc::madvise(page, length, -1) != 0
            {
                page.cast()
            } else {
                libc::munmap(page, length);
                none
            }
        };
        match PAGE.compare_exchange(ptr::null_mut(), page, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => page,
            Err(first) => {
                if !ptr::eq(page, none) {
                    // SAFETY: made above, and nobody else has seen it.
                    #[allow(unsafe_code)]
                    unsafe {
                        libc::munmap(page.cast(), length);
                    }
                }
                first
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::noise::{Entropy, LaplaceScale, laplace};

    /// What `compute` returns in a forked child.
    ///
    /// Other threads of the test may hold locks at the fork, so `compute` must not allocate.
    fn in_a_child(compute: impl FnOnce() -> [u64; 2]) -> [u64; 2] {
        let (mut reader, writer) = std::io::pipe().unwrap();
        // SAFETY: the child computes without allocating, writes to a pipe and exits.
        #[allow(unsafe_code)]
        let child = unsafe {
            let child = libc::fork();
            if child == 0 {
                let words = compute();
                libc::write(
                    writer.as_raw_fd(),
                    words.as_ptr().cast(),
                    size_of_val(&words),
                );
                libc::_exit(0);
            }
            child
        };
        assert!(child > 0);
        drop(writer);
        let mut bytes = vec![];
        reader.read_to_end(&mut bytes).unwrap();
        // SAFETY: waits for the child made above.
        #[allow(unsafe_code)]
        unsafe {
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
        let word = |i: usize| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap());
        [word(0), word(1)]
    }

    /// The page is there exactly where the kernel has it, and its count is not a process id.
    #[test]
    fn the_page_is_used_where_there_is_one() {
        // SAFETY: a mapping of its own, advised on and unmapped here.
        #[allow(unsafe_code)]
        let offered = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let page = libc::mmap(std::ptr::null_mut(), 4, libc::PROT_READ, flags, -1, 0);
            assert_ne!(page, libc::MAP_FAILED);
            let offered = libc::madvise(page, 4, libc::MADV_WIPEONFORK) == 0;
            let ignored = libc::madvise(page, 4, -1) == 0;
            libc::munmap(page, 4);
            offered && !ignored
        };
        assert_eq!(page::number().is_some(), offered);
        assert!(page::number().is_none_or(|number| number > u32::MAX.into()));
    }

    #[test]
    fn a_child_is_another_copy_and_stays_the_same_one() {
        let parent = Process::current();
        let child = in_a_child(|| [Process::current().0.to_le(), Process::current().0.to_le()]);
        assert_ne!(child[0], parent.0);
        assert_eq!(child[0], child[1]);
        assert!(parent.is_current());
    }

    #[test]
    fn a_grandchild_of_a_child_that_never_looked_is_another_copy() {
        let parent = Process::current();
        // Nested: the grandchild's answer is passed on by the child.
        // SAFETY: as above, and the grandchild exits at once.
        #[allow(unsafe_code)]
        let child = in_a_child(|| unsafe {
            let grandchild = libc::fork();
            if grandchild == 0 {
                libc::_exit(i32::from(!parent.is_current()));
            }
            let mut status = 0;
            libc::waitpid(grandchild, &mut status, 0);
            [(libc::WEXITSTATUS(status) as u64).to_le(), 0]
        });
        assert_eq!(child[0], 1);
    }

    #[test]
    fn without_a_page_the_process_id_tells() {
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let child = in_a_child(|| unsafe {
            let none = std::ptr::from_ref(&page::NONE).cast_mut();
            page::PAGE.store(none, std::sync::atomic::Ordering::Release);
            let child = Process::current();
            let grandchild = libc::fork();
            if grandchild == 0 {
                libc::_exit(i32::from(!child.is_current()));
            }
            let mut status = 0;
            libc::waitpid(grandchild, &mut status, 0);
            let by_id = child.is_current() && child.0 == u64::from(std::process::id());
            [
                (libc::WEXITSTATUS(status) as u64).to_le(),
                u64::from(by_id).to_le(),
            ]
        });
        assert_eq!(child, [1, 1]);
    }

    #[test]
    #[cfg(feature = "parallel")]
    fn what_the_first_process_may_use_no_child_may() {
        let first = FirstProcess::new();
        assert!(first.is_current() && first.is_current());
        let child = in_a_child(|| [u64::from(first.is_current()).to_le(), 0]);
        assert_eq!(child[0], 0);
        let unused = FirstProcess::new();
        let child = in_a_child(|| [u64::from(unused.is_current()).to_le(), 0]);
        assert_eq!(child[0], 1);
        assert!(first.is_current() && unused.is_current());
    }

    #[test]
    fn a_child_does_not_repeat_the_noise_of_its_parent() {
        let scale = LaplaceScale::new(1 << 60, 1).unwrap();
        let mut entropy = Entropy::os().unwrap();
        laplace(&mut entropy, scale).unwrap();
        let mut draw = || (laplace(&mut entropy, scale).unwrap_or(0) as u64).to_le();
        let child = in_a_child(|| [draw(), draw()]);
        let parent = [draw(), draw()];
        assert_ne!(parent, child);
        assert!(child[0] != 0 && child[0] != child[1]);
    }
}
