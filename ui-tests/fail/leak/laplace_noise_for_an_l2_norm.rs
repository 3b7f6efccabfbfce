//! expect: ClippedL1<2>
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { place: [f64; 2], maybe: Option<i64> }

fn main() {
    let _: Mechanism<_, _, Eps<1, 1>> = rows::<Patient>().vector_sum(|p| p.place.clip_l2::<9>()).laplace();
}
