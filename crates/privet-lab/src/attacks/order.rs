//! Floating-point sums depend on their order, so one record moves them by more than its value.

const ONES: usize = (1 << 24) - 4096;
const HALVES: usize = 8192;

/// Numbers in [0, 1], the large ones first: 2^24 − 4096 ones, then 8192 halves.
pub fn big_first() -> impl Iterator<Item = f32> + Clone {
    std::iter::repeat_n(1.0, ONES).chain(std::iter::repeat_n(0.5, HALVES))
}

/// The same numbers, the small ones first.
pub fn small_first() -> impl Iterator<Item = f32> + Clone {
    std::iter::repeat_n(0.5, HALVES).chain(std::iter::repeat_n(1.0, ONES))
}

/// Adds the numbers one after another.
#[must_use]
pub fn f32_sum(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0, |sum, value| sum + value)
}
