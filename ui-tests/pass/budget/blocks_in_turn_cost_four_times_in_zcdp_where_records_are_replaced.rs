#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { batch: i64 }
type Fixed = Table<Patient, Replace>;

fn epoch() -> Mechanism<Fixed, i64, Rho<4, 8>> {
    rows::<Fixed>().group_by(|p| p.batch.clamp::<0, 9>()).in_turn(0, |total, _| {
        rows::<Patient>().count().gaussian::<Rho<1, 8>>().map(move |n| n + total)
    })
}

fn main() { let _ = epoch(); }
