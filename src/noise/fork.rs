//! Which copy of a forked process this is.

/// A number that a process and its forked children do not share.
///
/// On Linux it comes from a page that the kernel empties in every child, however the child was
/// made: looking at it takes a nanosecond, and it tells apart what a process id would not (a child
/// in a namespace that counts ids afresh, a descendant that was given a dead ancestor's id).
/// Where the kernel offers no such page it is the process id, which a system call returns.
#[inline]
pub(super) fn copy_of_process() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(forks) = page::forks() {
        return forks;
    }
    std::process::id().into()
}

#[cfg(target_os = "linux")]
mod page {
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

    /// Null before the first look, [`NONE`] if there is no such page.
    static PAGE: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());
    static NONE: AtomicU32 = AtomicU32::new(0);
    /// How often a look found the page empty. It starts above every process id.
    static FORKS: AtomicU64 = AtomicU64::new(1 << 32);

    #[inline]
    pub(super) fn forks() -> Option<u64> {
        let mut page = PAGE.load(Ordering::Acquire);
        if page.is_null() {
            page = map();
        }
        if ptr::eq(page, &NONE) {
            return None;
        }
        // SAFETY: neither null nor `NONE`, so it is a page of `map`, which is never unmapped. A
        // page is aligned for an `AtomicU32`, and all of its bits are valid ones.
        #[allow(unsafe_code)]
        let mark = unsafe { &*page };
        if mark.load(Ordering::Acquire) == 0 {
            // PRIVACY: counted before the mark is set, so whoever sees the mark sees the count.
            // Two threads that both find it empty count twice, which costs a reseeding.
            FORKS.fetch_add(1, Ordering::AcqRel);
            mark.store(1, Ordering::Release);
        }
        Some(FORKS.load(Ordering::Acquire))
    }

    /// Maps the page, or finds that there is none. No lock, which a fork could leave locked.
    #[cold]
    fn map() -> *mut AtomicU32 {
        let length = size_of::<AtomicU32>();
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

    /// The page is there exactly where the kernel has it, and its count is no process id.
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
        assert_eq!(page::forks().is_some(), offered);
        assert!(page::forks().is_none_or(|forks| forks > u32::MAX.into()));
    }

    #[test]
    fn a_child_is_another_copy_and_stays_the_same_one() {
        let parent = copy_of_process();
        let child = in_a_child(|| [copy_of_process().to_le(), copy_of_process().to_le()]);
        assert_ne!(child[0], parent);
        assert_eq!(child[0], child[1]);
        assert_eq!(copy_of_process(), parent);
    }

    #[test]
    fn a_grandchild_of_a_child_that_never_looked_is_another_copy() {
        let parent = copy_of_process();
        // Nested: the grandchild's answer is passed on by the child.
        // SAFETY: as above, and the grandchild exits at once.
        #[allow(unsafe_code)]
        let child = in_a_child(|| unsafe {
            let grandchild = libc::fork();
            if grandchild == 0 {
                libc::_exit(i32::from(copy_of_process() != parent));
            }
            let mut status = 0;
            libc::waitpid(grandchild, &mut status, 0);
            [(libc::WEXITSTATUS(status) as u64).to_le(), 0]
        });
        assert_eq!(child[0], 1);
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
