//! Runs plans: queries compiled into a register program over chunks of rows.
//!
//! Each distinct sub-expression of all queries is computed once per chunk, whichever queries share
//! it. Every step runs on every row, in the same order, whatever the values are.

mod bounds;
mod compile;
mod machine;

pub(crate) use compile::{Field, Program};
pub(crate) use machine::{Buffer, Lane, Machine, merge};
