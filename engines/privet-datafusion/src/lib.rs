//! Vaults on tables of [DataFusion](https://datafusion.apache.org)'s, without loading them.
//!
//! The engine moves columns and nothing else: its plan is a scan, every pass reads every row, and what is
//! computed of them, exact cells and then noise, is privet's own code. So answers do not depend on the engine, on
//! files, partitions or batches.
//!
//! Errors of the engine never reach an analyst: they quote values. One of a few constants takes their
//! place.

//! # Who gives what
//!
//! The owner names a table, as a [`DataFusion`], and opens a vault on it. Analysts get the vault and give
//! mechanisms; they give no part of the engine. Whoever has one of these has the rows, as who has a
//! `Vec` of them: the [`DataFusion`], its [`TableProvider`](datafusion::catalog::TableProvider), and the
//! [runtime](DataFusion::with_runtime) with its object stores. A vault hands out none of them:
//!
//! - *No session.* The session of a vault is made when it opens, and belongs to it. So there is no SQL, no
//!   `EXPLAIN ANALYZE`, no view, no function and no optimiser rule of an analyst's in it, and no way to
//!   the metrics of its scans.
//! - *No spill.* A scan sorts and joins nothing, so that no file is written, and no memory pool is asked.
//! - *No values in words.* Errors are constants. What DataFusion logs holds file names and ranges of
//!   bytes; a test listens.
//!
//! An engine cannot be made to read without a vault, since a pass cannot be made:
//!
//! ```compile_fail,E0423
//! use privet::engine::{ColumnSource, Pass, Sink};
//! fn read(engine: &dyn ColumnSource, sink: &mut Sink<'_>) {
//!     let _ = engine.read(&Pass(()), 0, &[0], sink);
//! }
//! ```
//!
//! What a vault does with its pass compiles, and takes one that it was given:
//!
//! ```no_run
//! use privet::engine::{ColumnSource, Pass, Sink};
//! fn read(engine: &dyn ColumnSource, pass: &Pass, sink: &mut Sink<'_>) {
//!     let _ = engine.read(pass, 0, &[0], sink);
//! }
//! ```
//!
//! An engine that shows its rows to others cannot be written without `unsafe`, which `cargo privet audit`
//! reports:
//!
//! ```compile_fail,E0200
//! use privet::engine::{ColumnSource, EngineError, Pass, Sink};
//! struct Listening(Box<dyn ColumnSource>);
//! impl ColumnSource for Listening {
//!     fn name(&self) -> String { self.0.name() }
//!     fn partitions(&self) -> usize { self.0.partitions() }
//!     fn read(&self, pass: &Pass, partition: usize, columns: &[usize], sink: &mut Sink<'_>)
//!         -> Result<(), EngineError> {
//!         self.0.read(pass, partition, columns, &mut |batch| { println!("heard"); sink(batch) })
//!     }
//! }
//! ```
//!
//! Nor can a table of one's own be handed to a vault without it, since a scan is code: it could give other rows in
//! each pass, or print them.
//!
//! ```compile_fail,E0133
//! use privet_datafusion::DataFusion;
//! use std::sync::Arc;
//! fn mine(table: Arc<dyn datafusion::catalog::TableProvider>) -> DataFusion {
//!     DataFusion::table_of("mine", table)
//! }
//! ```
//!
//! ```no_run
//! use privet_datafusion::DataFusion;
//! use std::sync::Arc;
//! fn known(table: Arc<dyn datafusion::catalog::TableProvider>) -> DataFusion {
//!     DataFusion::table("known", table)
//! }
//! ```

mod arrays;
mod columns;
mod listing;
mod pin;
mod provider;
pub mod scan;
mod table;
mod threads;

pub use arrays::with_batch;
pub use pin::Pins;
pub use table::{DataFusion, Table};
pub use threads::Threads;
