//! Runs plans: queries compiled into a register program over chunks of rows.
//!
//! Each distinct sub-expression of all queries is computed once per chunk, whichever queries share
//! it. Every step runs on every row, in the same order, whatever the values are.

mod allocate;
mod bounds;
mod compile;
mod counts;
mod divisor;
mod expression;
mod lane;
mod loops;
mod machine;
mod program;
mod registers;

pub(crate) use lane::{Buffer, Lane};
pub(super) use loops::FEW;
pub(crate) use machine::{Machine, merge};
pub(crate) use program::{Field, Program};
