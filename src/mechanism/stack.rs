//! Room on the stack for mechanisms of any depth.

use std::cell::Cell;

/// The number of levels that are assumed to fit on any stack.
const FEW: u32 = 32;
/// How many bytes must be free at each level after that, and how many a new piece of stack has.
const FREE: usize = 256 << 10;
const PIECE: usize = 4 << 20;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Leaves a level, even when the work panics.
struct Level;
impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// Does work that may nest without limit: every function that a mechanism is made of, and its drop, runs
/// inside this. A mechanism of a few levels pays for a counter; one of very many gets more stack.
pub(crate) fn deeper<T>(work: impl FnOnce() -> T) -> T {
    let depth = DEPTH.get();
    DEPTH.set(depth.saturating_add(1));
    let _level = Level;
    if depth < FEW {
        return work();
    }
    // A level keeps its answer a few times over while it is handed on.
    let own = size_of::<T>().saturating_mul(32);
    stacker::maybe_grow(FREE.saturating_add(own), PIECE.saturating_add(own), work)
}
