//! The ledger under crashes, faults, races and edits.

mod basics;
mod edits;
mod faults;
mod kill;
mod media;
mod model;
mod races;
