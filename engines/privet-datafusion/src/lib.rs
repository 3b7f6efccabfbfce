//! Vaults on tables of [DataFusion](https://datafusion.apache.org)'s, without loading them.
//!
//! The engine moves columns and nothing else: its plan is a scan, every pass reads every row, and what is
//! computed of them, exact cells and then noise, is privet's own code. So every query works, and its
//! answers do not depend on the engine, on files, partitions or batches.
//!
//! Errors of the engine never reach an analyst: they quote values. One of a few constants takes their
//! place.

mod arrays;
mod columns;
mod pin;
pub mod scan;
mod table;

pub use arrays::with_batch;
pub use pin::Pins;
pub use table::{DataFusion, Table};
