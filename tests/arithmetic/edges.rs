//! The arithmetic in types against the functions of the proof, on rows chosen at the edges.
//!
//! The rows are many and rustc computes each, so this is run by `.ci/run` and not by `cargo test`:
//! `cargo test --test arithmetic_edges`.

#[allow(dead_code, unused_imports)]
#[path = "../../src"]
mod source {
    pub mod number;
}
// A row with a result asks its type, one without asks `Probe`; which macros and constants are used depends on the rows.
#[allow(dead_code, unused_macros)]
mod typed;

use number::*;
use source::number;
use typed::*;

include!("edges/sums.rs");
include!("edges/debits.rs");
include!("edges/compares.rs");
include!("edges/scales.rs");
include!("edges/parts.rs");
include!("edges/half_squares.rs");
include!("edges/covers.rs");
include!("edges/tiny_sums.rs");
include!("edges/tiny_debits.rs");
include!("edges/tiny_compares.rs");
include!("edges/groups.rs");
