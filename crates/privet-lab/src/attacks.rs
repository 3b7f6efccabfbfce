//! Attacks that succeed on naive implementations and fail on exact ones.

mod lowest_bits;
mod order;

pub use lowest_bits::{impossible_share, is_possible};
pub use order::{big_first, f32_sum, small_first};
