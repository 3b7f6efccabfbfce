//! expect: requires an `unsafe impl` declaration
use privet::ledger::{Appended, Place, Store, StoreError, Visit};

struct Forgetful;

impl Store for Forgetful {
    fn read(&mut self, _: u64, _: &mut Visit<'_>) -> Result<(), StoreError> {
        Ok(())
    }
    fn line(&mut self, _: Place) -> Result<Vec<u8>, StoreError> {
        Err(StoreError::Missing)
    }
    fn append(&mut self, number: u64, _: &[u8]) -> Result<Appended, StoreError> {
        Ok(Appended::At(number))
    }
    fn hold(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(true)
    }
    fn is_held(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(false)
    }
    fn let_go(&mut self, _: u64) {}
}

fn main() {}
