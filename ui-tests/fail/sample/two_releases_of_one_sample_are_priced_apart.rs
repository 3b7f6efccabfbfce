//! expect: Eps<621, 10000>` is more than
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

// One count on the sample costs 171/10000. Two on the same sample cost more than twice that.
fn both() -> Mechanism<Table<Patient>, (i64, i64), Eps<342, 10_000>> {
    rows::<Patient>()
        .sampled::<1, 100>()
        .once(|sample| {
            let count = sample.count().laplace::<Eps<1, 1>>();
            count.clone().and(count)
        })
        .at_most()
}

fn main() {
    let _ = both();
}
