//! expect: `Cheap` is not a privacy cost
#![forbid(unsafe_code)]

struct Cheap;
impl privet::EpsilonDelta for Cheap { const EPSILON: (u64, u64) = (9, 1); const DELTA: (u64, u32) = (1, 9); }

fn main() {
    let _ = Cheap;
}
