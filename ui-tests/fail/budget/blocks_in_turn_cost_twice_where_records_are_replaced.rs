//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { batch: i64 }
type Fixed = Table<Patient, Replace>;

fn epoch() -> Mechanism<Fixed, i64, Eps<1, 4>> {
    rows::<Fixed>().group_by(|p| p.batch.clamp::<0, 9>()).in_turn(0, |total, _| {
        rows::<Patient>().count().laplace::<Eps<1, 4>>().map(move |n| n + total)
    })
}

fn main() { let _ = epoch(); }
