//! Where randomness comes from: the operating system, stretched by ChaCha12.

use std::fmt;

use chacha20::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

use super::{NoiseError, wipe};
use crate::process::Process;

/// 32-bit words per refill: 4 KiB, large enough to amortize the cipher's set-up.
const BUFFER: usize = 1024;
/// 32-bit words of the first refill after keying: most releases need no more.
const FIRST: usize = 64;
/// Refills between two reseedings: 256 of at most 4 KiB are at most one MiB.
const REFILLS_PER_SEED: u32 = 256;

/// The only supply of randomness for releases: ChaCha12, keyed by the operating system.
///
/// The key is mixed with fresh bytes of the operating system after every MiB. If the operating
/// system cannot deliver them, the sampling function under way returns
/// [`NoiseError::Entropy`] and nothing that was computed after the failure; the next call asks the
/// operating system again before it draws anything.
///
/// # Forks
///
/// A child process that inherits an `Entropy` would repeat its parent's noise, and noise that
/// someone knows can be subtracted. Every sampling call begins by asking whether this process is
/// the one that keyed the generator. If it is not, buffered words are dropped and the key is mixed
/// with fresh bytes. On Linux this covers every child that has memory of its own; elsewhere
/// the process id is compared, which misses a child that was given the same id. Copies that the
/// kernel does not make are not covered: a restored virtual-machine snapshot, or a checkpoint. Vaults
/// and meters ask the same question, and refuse.
///
/// It is neither `Clone` nor serializable, for the same reason:
///
/// ```compile_fail,E0599
/// let entropy = privet::noise::Entropy::os().unwrap();
/// let same_noise_twice = entropy.clone();
/// ```
pub struct Entropy {
    stream: ChaCha12Rng,
    /// Words as bytes, so that the cipher writes them in place: there is no second copy to wipe.
    buffer: Box<[[u8; 4]; BUFFER]>,
    /// Words before this index were never written.
    written: usize,
    next: usize,
    refills: u32,
    process: Process,
    source: Source,
    failed: bool,
}

/// What reseeds the stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    System,
    /// It is never reseeded, and is for simulations on public data.
    Public,
    /// Behaves like a system whose generator has stopped working.
    #[cfg(test)]
    Failing,
}

impl Source {
    fn key(self) -> Result<Zeroizing<[u8; 32]>, NoiseError> {
        let mut key = Zeroizing::new([0; 32]);
        match self {
            Source::System => getrandom::fill(&mut *key).map_err(|_| NoiseError::Entropy)?,
            Source::Public => {}
            #[cfg(test)]
            Source::Failing => return Err(NoiseError::Entropy),
        }
        Ok(key)
    }
}

impl Entropy {
    /// A generator keyed by the operating system.
    ///
    /// # Errors
    ///
    /// [`NoiseError::Entropy`] if the operating system delivers no randomness.
    pub fn os() -> Result<Self, NoiseError> {
        Ok(Self::keyed(&*Source::System.key()?, Source::System))
    }

    /// A deterministic generator, for simulations on *public* data only.
    ///
    /// Anyone who knows the seed can subtract the noise, so nothing drawn from it protects anybody.
    #[must_use]
    pub fn public(seed: [u8; 32]) -> Self {
        Self::keyed(&seed, Source::Public)
    }

    fn keyed(key: &[u8; 32], source: Source) -> Self {
        Entropy {
            stream: ChaCha12Rng::from_seed(*key),
            buffer: Box::new([[0; 4]; BUFFER]),
            written: BUFFER,
            next: BUFFER,
            refills: 0,
            process: Process::current(),
            source,
            failed: false,
        }
    }

    /// Runs one sampling call and withholds its result if randomness failed on the way.
    ///
    /// Draws themselves are infallible, which keeps the hot path free of error handling; every
    /// public sampling function goes through here, and nothing else makes its result public.
    pub(super) fn release<T>(
        &mut self,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, NoiseError> {
        if self.failed || self.is_inherited() {
            self.failed = false;
            self.reseed();
        }
        if self.failed {
            return Err(NoiseError::Entropy);
        }
        let result = draw(self);
        // PRIVACY: `failed` is only cleared above, before the first draw of a call, so a failure
        // at any draw of this call is still visible here and its result is dropped.
        if self.failed {
            Err(NoiseError::Entropy)
        } else {
            Ok(result)
        }
    }

    /// 32 independent fair bits.
    #[inline(always)]
    pub(super) fn half_word(&mut self) -> u32 {
        if self.next >= BUFFER {
            self.refill();
        }
        let word = self.buffer[self.next];
        self.next += 1;
        u32::from_le_bytes(word)
    }

    /// 64 independent fair bits.
    #[inline(always)]
    pub(super) fn word(&mut self) -> u64 {
        // A single word left over at the end of the buffer is dropped, unseen.
        if self.next + 2 > BUFFER {
            self.refill();
        }
        let (low, high) = (self.buffer[self.next], self.buffer[self.next + 1]);
        self.next += 2;
        let [low, high] = [low, high].map(|word| u64::from(u32::from_le_bytes(word)));
        low | high << 32
    }

    /// Fills `out` with independent fair bits.
    pub(super) fn fill(&mut self, mut out: &mut [u32]) {
        while !out.is_empty() {
            if self.next >= BUFFER {
                self.refill();
            }
            let ready = &self.buffer[self.next..];
            let count = ready.len().min(out.len());
            let (now, later) = out.split_at_mut(count);
            for (out, word) in now.iter_mut().zip(ready) {
                *out = u32::from_le_bytes(*word);
            }
            self.next += count;
            out = later;
        }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        if self.refills >= REFILLS_PER_SEED || self.is_inherited() {
            self.reseed();
        }
        // PRIVACY: after a failed reseeding the old stream goes on, so that rejection loops still
        // end. `failed` is set, and `release` withholds everything drawn from here on.
        let count = if self.refills == 0 { FIRST } else { BUFFER };
        self.refills = self.refills.saturating_add(1);
        self.next = BUFFER - count;
        self.written = self.written.min(self.next);
        let words = &mut self.buffer[self.next..];
        self.stream.fill_bytes(words.as_flattened_mut());
    }

    /// Mixes fresh bytes of the operating system into the key and drops what was buffered.
    fn reseed(&mut self) {
        if self.source == Source::Public {
            self.refills = 0;
            return;
        }
        let Ok(fresh) = self.source.key() else {
            self.failed = true;
            return;
        };
        let mut old = Zeroizing::new([0; 32]);
        self.stream.fill_bytes(&mut *old);
        self.stream = ChaCha12Rng::from_seed(*mixed(fresh, &old));
        self.process = Process::current();
        self.refills = 0;
        self.next = BUFFER;
    }

    /// Whether this state was created or last reseeded by another process.
    #[inline]
    fn is_inherited(&self) -> bool {
        self.source != Source::Public && !self.process.is_current()
    }
}

/// PRIVACY: the exclusive or of two keys is unpredictable if either of them is.
fn mixed(mut fresh: Zeroizing<[u8; 32]>, old: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    for (fresh, old) in fresh.iter_mut().zip(old) {
        *fresh ^= old;
    }
    fresh
}

/// PRIVACY: noise that someone knows can be subtracted. Every release has a generator of its own, and
/// the words drawn from it are wiped with it. The cipher's own `Drop` wipes its state.
impl Drop for Entropy {
    fn drop(&mut self) {
        wipe(&mut self.buffer[self.written..]);
        #[cfg(test)]
        tests::LAST_BUFFER.set(self.buffer.as_flattened().to_vec());
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // PRIVACY: the state predicts all noise to come, so it is never printed.
        f.debug_struct("Entropy").finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Entropy {
    /// A stream whose operating system fails at the first draw after `words` 32-bit words.
    pub(super) fn failing_after(words: usize, seed: [u8; 32]) -> Self {
        let mut entropy = Self::public_at(words, seed);
        entropy.source = Source::Failing;
        entropy.refills = REFILLS_PER_SEED;
        entropy
    }

    /// The same words as [`Entropy::failing_after`], without the failure.
    pub(super) fn public_at(words: usize, seed: [u8; 32]) -> Self {
        let mut entropy = Self::public(seed);
        // Not the first refill, so that the buffer is full.
        entropy.refills = 1;
        entropy.refill();
        entropy.refills = 0;
        entropy.next = BUFFER - words;
        entropy
    }

    /// These words first, then those of a public stream.
    pub(super) fn scripted(words: &[u32], seed: u32) -> Self {
        let mut key = [17; 32];
        key[..4].copy_from_slice(&seed.to_le_bytes());
        let mut entropy = Self::public_at(words.len(), key);
        for (place, word) in entropy.buffer[BUFFER - words.len()..].iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        entropy
    }

    /// Whether the buffer was refilled since [`Entropy::public_at`].
    pub(super) fn was_refilled(&self) -> bool {
        self.refills > 0
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// What this thread's last generator left in its buffer.
        pub(super) static LAST_BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    /// The cipher wipes its own state: this does not compile without that feature.
    const fn wiped_on_drop<T: zeroize::ZeroizeOnDrop>() {}
    const _: () = wiped_on_drop::<ChaCha12Rng>();

    #[test]
    fn no_word_outlives_its_generator() {
        for draws in [0, 1, FIRST / 2, FIRST / 2 + 1, BUFFER, 300_000] {
            for mut entropy in [Entropy::os().unwrap(), Entropy::public([5; 32])] {
                words(&mut entropy, draws);
                assert!(draws == 0 || entropy.buffer.iter().any(|word| *word != [0; 4]));
                drop(entropy);
                let left = LAST_BUFFER.take();
                assert_eq!(left.len(), 4 * BUFFER);
                assert!(left.iter().all(|byte| *byte == 0), "after {draws} words");
            }
        }
    }

    fn words(entropy: &mut Entropy, count: usize) -> Vec<u64> {
        (0..count).map(|_| entropy.word()).collect()
    }

    #[test]
    fn public_streams_repeat_and_os_streams_do_not() {
        let mut first = Entropy::public([7; 32]);
        let mut second = Entropy::public([7; 32]);
        // More than a MiB: a public stream is never reseeded.
        assert_eq!(words(&mut first, 200_000), words(&mut second, 200_000));
        let mut first = Entropy::os().unwrap();
        let mut second = Entropy::os().unwrap();
        assert_ne!(words(&mut first, 4), words(&mut second, 4));
    }

    #[test]
    fn system_streams_are_reseeded_after_one_mebibyte() {
        let mut system = Entropy::keyed(&[3; 32], Source::System);
        let mut public = Entropy::keyed(&[3; 32], Source::Public);
        let mebibyte = (FIRST + (REFILLS_PER_SEED as usize - 1) * BUFFER) / 2;
        assert_eq!(words(&mut system, mebibyte), words(&mut public, mebibyte));
        assert_ne!(words(&mut system, 4), words(&mut public, 4));
    }

    #[test]
    fn a_changed_process_id_drops_the_buffer_and_reseeds() {
        let mut parent = Entropy::keyed(&[3; 32], Source::System);
        let mut child = Entropy::keyed(&[3; 32], Source::System);
        assert_eq!(words(&mut parent, 10), words(&mut child, 10));
        child.process = Process::other();
        let of_parent = parent.release(|e| words(e, 10)).unwrap();
        let of_child = child.release(|e| words(e, 10)).unwrap();
        assert_ne!(of_parent, of_child);
        assert!(child.process.is_current());
    }

    #[test]
    fn a_changed_process_id_is_noticed_at_a_refill_too() {
        let mut parent = Entropy::keyed(&[3; 32], Source::System);
        let mut child = Entropy::keyed(&[3; 32], Source::System);
        let head = words(&mut parent, FIRST / 2);
        assert_eq!(head, words(&mut child, FIRST / 2));
        child.process = Process::other();
        assert_ne!(words(&mut parent, 10), words(&mut child, 10));
    }

    #[test]
    fn an_inherited_state_that_cannot_be_reseeded_gives_nothing() {
        let mut child = Entropy::public_at(100, [1; 32]);
        child.source = Source::Failing;
        child.process = Process::other();
        assert_eq!(child.release(|e| e.word()), Err(NoiseError::Entropy));
        assert_eq!(child.release(|e| e.word()), Err(NoiseError::Entropy));
    }

    #[test]
    fn after_a_failure_the_system_is_asked_again() {
        let mut entropy = Entropy::failing_after(2, [1; 32]);
        assert!(entropy.release(|e| e.word()).is_ok());
        assert!(entropy.release(|e| e.word()).is_err());
        assert!(entropy.release(|_| ()).is_err());
        entropy.source = Source::System;
        assert!(entropy.release(|e| e.word()).is_ok());
    }

    #[test]
    fn keys_are_mixed_without_loss() {
        let mixed = |fresh, old| *mixed(Zeroizing::new(fresh), &old);
        assert_eq!(mixed([0b0011; 32], [0b0101; 32]), [0b0110; 32]);
        let counted: [u8; 32] = std::array::from_fn(|i| i as u8);
        assert_eq!(mixed(counted, [0; 32]), counted);
        assert_eq!(mixed([0; 32], counted), counted);
    }

    #[test]
    fn debug_prints_no_state() {
        assert_eq!(format!("{:?}", Entropy::public([9; 32])), "Entropy { .. }");
    }
}
