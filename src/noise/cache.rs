//! A few precomputed tables, shared by the whole process.

use std::sync::{Arc, Mutex, TryLockError};

/// How many tables are kept. A program has few noise scales, since they come from its types.
const CAPACITY: usize = 16;

/// A bounded map from public parameters to what was computed from them.
///
/// PRIVACY: keys are scales, which are public; whether an entry is present depends on which public
/// scales were used before, never on data.
pub(super) struct Cache<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K: Copy + PartialEq, V> Cache<K, V> {
    pub(super) const fn new() -> Self {
        Cache(Mutex::new(Vec::new()))
    }

    /// The entry of `key`, if there is one.
    fn get(&self, key: K) -> Option<Arc<V>> {
        self.with(|entries| {
            let (_, value) = entries.iter().find(|(known, _)| *known == key)?;
            Some(Arc::clone(value))
        })?
    }

    /// The entry of `key`, built if there is none yet; `None` if building fails.
    pub(super) fn get_or_build(
        &self,
        key: K,
        build: impl FnOnce(K) -> Option<V>,
    ) -> Option<Arc<V>> {
        if let Some(value) = self.get(key) {
            return Some(value);
        }
        // It is built outside the lock: two threads may do the same work once, but no thread waits.
        let value = Arc::new(build(key)?);
        self.with(|entries| {
            if entries.iter().all(|(known, _)| *known != key) {
                entries.truncate(CAPACITY - 1);
                entries.insert(0, (key, Arc::clone(&value)));
            }
        });
        Some(value)
    }

    /// Runs `body` under the lock, or not at all if someone else holds it.
    ///
    /// It never waits: a child forked while another thread of its parent held the lock would wait
    /// forever.
    fn with<T>(&self, body: impl FnOnce(&mut Vec<(K, Arc<V>)>) -> T) -> Option<T> {
        match self.0.try_lock() {
            Ok(mut entries) => Some(body(&mut entries)),
            // Entries are inserted whole, so a panic elsewhere leaves no incomplete entry.
            Err(TryLockError::Poisoned(entries)) => Some(body(&mut entries.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_shared_and_bounded() {
        let cache = Cache::new();
        let first = cache.get_or_build(0, |key| Some(key + 100)).unwrap();
        let again = cache.get_or_build(0, |_| unreachable!()).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        for key in 1..100 {
            assert_eq!(
                *cache.get_or_build(key, |key| Some(key + 100)).unwrap(),
                key + 100
            );
        }
        assert_eq!(cache.0.lock().unwrap().len(), CAPACITY);
        assert!(cache.get(0).is_none());
    }

    #[test]
    fn a_failed_build_is_not_kept_and_a_held_lock_is_not_waited_for() {
        let cache: Cache<u32, u32> = Cache::new();
        assert!(cache.get_or_build(1, |_| None).is_none());
        let held = cache.0.lock().unwrap();
        assert_eq!(*cache.get_or_build(1, |_| Some(5)).unwrap(), 5);
        assert!(held.is_empty());
    }
}
