//! The arithmetic in types: every operation against the functions of the proof, and these against `num_rational`.
//!
//! The results in `generated`, `tables` and `edges` were written by the functions of `proofs/coq`, extracted. Here the
//! types are compared with the first two, at compile time; `arithmetic_edges` compares them with the third. A second
//! witness, `num_rational`, is asked for every row of all three.
//!
//! The module under test is private to the crate, so its source is included here.

#[allow(dead_code, unused_imports)]
#[path = "../../src"]
mod source {
    pub mod number;
}

mod by_hand;
mod rows;
// The rows of `arithmetic_edges` need all of it: some of them have no result.
#[allow(dead_code)]
mod typed;
mod witness;

use number::*;
use source::number;
use typed::*;

include!("generated/sums.rs");
include!("generated/debits.rs");
include!("generated/compares.rs");
include!("generated/scales.rs");
include!("generated/parts.rs");
include!("generated/half_squares.rs");
include!("generated/covers.rs");
include!("generated/tiny_sums.rs");
include!("generated/tiny_debits.rs");
include!("generated/groups.rs");
include!("tables/sums.rs");
include!("tables/debits.rs");
include!("tables/scales.rs");
include!("tables/tiny_compares.rs");
